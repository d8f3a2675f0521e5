#include "report/results_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/step_report.h"

namespace railyard {

namespace {

constexpr std::size_t kSourceInShort = 72;

/// Two decimals as nccl-tests has them; three significant digits where that would be 0.00.
std::string bandwidth(double gigabytes_per_second) {
  return gigabytes_per_second >= 0.1 ? fmt::format("{:.2f}", gigabytes_per_second)
                                     : fmt::format("{:.3g}", gigabytes_per_second);
}

TextTable points_table(const Results& results) {
  TextTable table{{"size", "time", "algbw GB/s", "busbw GB/s", "bound", "of bound", "limited by"},
                  {Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const CollectivePoint& p : results.points)
    table.rows.push_back({format(p.size), format(p.time), bandwidth(p.algbw_gbs), bandwidth(p.busbw_gbs), format(p.bound),
                          fmt::format("{:.1f} %", p.of_bound * 100), p.limit});
  return table;
}

TextTable tiers_table(const Results& results) {
  TextTable table{{"tier", "trunks", "ports", "rate each", "carried", "mean use", "busiest"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const TierLoad& load : results.tiers)
    table.rows.push_back({load.name, format_count(load.trunks), format_count(load.ports), format(load.trunk_rate),
                          format(load.carried), fmt::format("{:.1f} %", load.mean_utilisation * 100),
                          fmt::format("{:.1f} %", load.peak_utilisation * 100)});
  return table;
}

Document point_document(const CollectivePoint& p) {
  Document out = Document::object();
  out.set("size", Document(p.size.count()));
  out.set("time_us", Document(microseconds(p.time)));
  out.set("algbw_gbs", Document(p.algbw_gbs));
  out.set("busbw_gbs", Document(p.busbw_gbs));
  out.set("algorithm", Document(p.algorithm));
  out.set("protocol", Document(p.protocol));
  out.set("bound_us", Document(microseconds(p.bound)));
  out.set("of_bound", Document(p.of_bound));
  out.set("limit", Document(p.limit));
  return out;
}

Document tier_document(const TierLoad& load) {
  Document out = Document::object();
  out.set("tier", Document(load.name));
  out.set("trunks", Document(std::int64_t{load.trunks}));
  out.set("ports", Document(std::int64_t{load.ports}));
  out.set("trunk_gbps", Document(static_cast<double>(load.trunk_rate.count()) / 1e9));
  out.set("carried_bytes", Document(load.carried.count()));
  out.set("mean_utilisation", Document(load.mean_utilisation));
  out.set("peak_utilisation", Document(load.peak_utilisation));
  return out;
}

Document fabric_document(const FabricSummary& fabric) {
  Document out = Document::object();
  out.set("topology", Document(fabric.topology));
  out.set("endpoints", Document(std::int64_t{fabric.endpoints}));
  out.set("leaves", Document(std::int64_t{fabric.leaves}));
  out.set("hosts_per_leaf", Document(std::int64_t{fabric.hosts_per_leaf}));
  out.set("spines", Document(std::int64_t{fabric.spines}));
  out.set("links_per_spine", Document(std::int64_t{fabric.links_per_spine}));
  out.set("link_gbps", Document(static_cast<double>(fabric.link_rate.count()) / 1e9));
  out.set("oversubscription", Document(fabric.oversubscription));
  out.set("neighbours_across", Document(std::int64_t{fabric.neighbours_across}));
  return out;
}

Document inputs_document(const std::vector<Input>& inputs) {
  Document out = Document::array();
  for (const Input& input : inputs) {
    Document& item = out.push(Document::object());
    item.set("key", Document(input.key));
    item.set("value", Document(input.value));
    item.set("status", Document(std::string(name_of(input.origin.status))));
    item.set("source", Document(input.origin.source));
  }
  return out;
}

}  // namespace

std::string describe(const FabricSummary& f) {
  if (f.topology == "star")
    return fmt::format("star: one switch, {} hosts at {}", format_count(f.endpoints), format(f.link_rate));
  const std::string leaves =
      fmt::format("{}: {} hosts at {}, {} of up to {}", f.topology, format_count(f.endpoints), format(f.link_rate),
                  f.leaves == 1 ? "one leaf" : fmt::format("{} leaves", f.leaves), f.hosts_per_leaf);
  if (f.spines == 0) return leaves + ", no spine needed";
  return fmt::format("{}, {} spine{}, {} × {} from each leaf to each spine, oversubscription {:.4g}:1", leaves, f.spines,
                     f.spines == 1 ? "" : "s", f.links_per_spine, format(f.uplink_rate), f.oversubscription);
}

TextTable inputs_table(const std::vector<Input>& inputs, bool in_full) {
  TextTable table{{"input", "value", "status", "source"}, {}, {}};
  for (const Input& input : inputs)
    table.rows.push_back({input.key, input.value, std::string(name_of(input.origin.status)),
                          in_full ? input.origin.source : shortened(input.origin.source, kSourceInShort)});
  return table;
}

Report results_report(const Results& results) {
  if (results.step) return step_report(results);
  Report report{results.name, {}};
  const std::string what = fmt::format("All-reduce over {} ranks, {} engine. {}.", format_count(results.ranks), results.engine,
                                       describe(results.fabric));
  const std::string across = fmt::format("{} of {} ring neighbours sit under different leaves.",
                                         format_count(results.fabric.neighbours_across), format_count(results.ranks));
  const std::string model =
      "Equal paths are balanced perfectly: hash collisions, queues and congestion control are not part of this engine.";
  report.sections.push_back({"", {results.fabric.leaves > 1 ? what + " " + across : what, model}});
  report.sections.push_back({"Time", {points_table(results)}});
  report.sections.push_back(
      {"Load at the largest size",
       {tiers_table(results),
        std::string(
            "A trunk is a set of ports that are equal choices: a host's link, or all links between a leaf and its spines.")}});
  report.sections.push_back(
      {"What this rests on", {inputs_table(results.inputs, false), std::string("railyard explain shows sources in full.")}});
  if (!results.diagnostics.empty()) report.sections.push_back({"Findings", {results.diagnostics}});
  report.sections.push_back({"", {"fingerprint " + results.fingerprint}});
  return report;
}

Document diagnostics_document(const Diagnostics& diagnostics) {
  Document out = Document::array();
  for (const Diagnostic& d : diagnostics) {
    Document& item = out.push(Document::object());
    item.set("severity", Document(std::string(name_of(d.severity))));
    item.set("code", Document(d.code));
    item.set("message", Document(d.message));
    item.set("hint", Document(d.hint));
    item.set("file", Document(d.where.file));
    item.set("line", Document(std::int64_t{d.where.line}));
    item.set("column", Document(std::int64_t{d.where.column}));
  }
  return out;
}

void add_collectives(const Results& results, Document& out) {
  out.set("fabric", fabric_document(results.fabric));
  Document& points = out.set("points", Document::array());
  for (const CollectivePoint& point : results.points) points.push(point_document(point));
  Document& tiers = out.set("tiers", Document::array());
  for (const TierLoad& load : results.tiers) tiers.push(tier_document(load));
}

Document results_document(const Results& results, double wall_seconds) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-results/1")));
  out.set("name", Document(results.name));
  out.set("engine", Document(results.engine));
  out.set("fingerprint", Document(results.fingerprint));
  out.set("wall_s", Document(wall_seconds));
  out.set("ranks", Document(std::int64_t{results.ranks}));
  if (results.step)
    add_step(*results.step, out);
  else
    add_collectives(results, out);
  out.set("inputs", inputs_document(results.inputs));
  out.set("diagnostics", diagnostics_document(results.diagnostics));
  return out;
}

}  // namespace railyard
