#include "report/results_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "report/circuit_report.h"
#include "report/counters_report.h"
#include "report/failure_report.h"
#include "report/jitter_report.h"
#include "report/json_fields.h"
#include "report/network_report.h"
#include "report/packet_report.h"
#include "report/packet_step_report.h"
#include "report/patterns_report.h"
#include "report/slice_report.h"
#include "report/step_report.h"
#include "report/trace_report.h"
#include "report/traffic_report.h"

namespace railyard {

namespace {

constexpr std::size_t kSourceInShort = 72;

/// Two decimals as nccl-tests has them; three significant digits where that would be 0.00.
std::string bandwidth(double gigabytes_per_second) {
  return gigabytes_per_second >= 0.1 ? fmt::format("{:.2f}", gigabytes_per_second)
                                     : fmt::format("{:.3g}", gigabytes_per_second);
}

TextTable points_table(const Results& results) {
  TextTable table{{"size", "time", "algbw", "busbw", "of bound", "how", "limited by"},
                  {Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const CollectivePoint& p : results.points)
    table.rows.push_back({format(p.size), format(p.time), bandwidth(p.algbw_gbs), bandwidth(p.busbw_gbs),
                          fmt::format("{:.1f} %", p.of_bound * 100),
                          p.protocol.empty() ? p.algorithm : p.algorithm + " " + p.protocol, p.limit});
  return table;
}

/// What a rank sends, and what switches that reduce save of it.
std::string sent_sentence(const Results& results) {
  const CollectivePoint& p = results.points.back();
  std::string text = fmt::format("A rank sends {:.3g} × the buffer", p.sent);
  const bool helped = p.algorithm == "in-network" || p.algorithm == "nvls";
  if (helped && p.sent < results.unhelped)
    text += fmt::format("; without switches that reduce it would send {:.3g} ×. That is the whole saving: at most one half",
                        results.unhelped);
  return text + ".";
}

Document point_document(const CollectivePoint& p) {
  Document out = Document::object();
  out.set("size", Document(p.size.count()));
  out.set("time_us", Document(microseconds(p.time)));
  out.set("algbw_gbs", Document(p.algbw_gbs));
  out.set("busbw_gbs", Document(p.busbw_gbs));
  out.set("algorithm", Document(p.algorithm));
  out.set("protocol", Document(p.protocol.empty() ? std::string("simple") : p.protocol));
  out.set("channels", Document(std::int64_t{p.channels}));
  out.set("sent_over_size", Document(p.sent));
  out.set("bound_us", Document(microseconds(p.bound)));
  out.set("of_bound", Document(p.of_bound));
  out.set("limit", Document(p.limit));
  if (!p.message_cdf.empty()) out.set("message_cdf", cdf_document(p.message_cdf, "us"));
  if (p.packets) add_packets(*p.packets, out);
  return out;
}

constexpr JsonField<RunFabric> kFabricFields[] = {
    json_field<&RunFabric::topology>("topology"),
    json_field<&RunFabric::endpoints>("endpoints"),
    json_field<&RunFabric::leaves>("leaves"),
    json_field<&RunFabric::hosts_per_leaf>("hosts_per_leaf"),
    json_field<&RunFabric::spines>("spines"),
    json_field<&RunFabric::links_per_spine>("links_per_spine"),
    json_field<&RunFabric::cores>("cores"),
    json_field<&RunFabric::pods>("pods"),
    json_field<&RunFabric::uplinks>("uplinks"),
    json_field<&RunFabric::link_rate, in_gbps>("link_gbps"),
    json_field<&RunFabric::oversubscription>("oversubscription"),
    json_field<&RunFabric::neighbours_across>("neighbours_across"),
};

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

std::string solving_sentence(const Telemetry::Solving& solving) {
  const std::string rates = fmt::format("Flows share links max-min fairly; their set changed {} times, {} of them new.",
                                        format_count(solving.changes), format_count(solving.solves));
  if (solving.late > 0)
    return rates + fmt::format(" {} times several changes were made at once, as if messages were up to a 64th larger.",
                               format_count(solving.late));
  if (solving.merged == 0) return rates + " Every completion was an event of its own.";
  return rates + fmt::format(" {} changes were merged with others, which moves no completion by more than {}.",
                             format_count(solving.merged), format(solving.error));
}

}  // namespace

std::string describe(const RunFabric& f) {
  if (f.topology == "star")
    return fmt::format("star: one switch, {} hosts at {}", format_count(f.endpoints), format(f.link_rate));
  if (f.topology == "file")
    return fmt::format("a drawing: {} GPUs, {} switches they hang on, {} others", format_count(f.endpoints), f.leaves,
                       f.spines);
  const std::string leaves =
      fmt::format("{}: {} hosts at {}, {} of up to {}", f.topology, format_count(f.endpoints), format(f.link_rate),
                  f.leaves == 1 ? "one leaf" : fmt::format("{} leaves", f.leaves), f.hosts_per_leaf);
  if (f.spines == 0) return leaves + ", no spine needed";
  const bool hybrid = f.topology == name_of(Topology::hybrid);
  const bool sites = f.topology == name_of(Topology::two_site);
  const std::string above = sites          ? " in two sites"
                            : f.cores == 0 ? ""
                                           : fmt::format(" in {} {}, {} {}{}", f.pods, hybrid ? "parts" : "pods", f.cores,
                                                         hybrid ? "gateway" : "core", f.cores == 1 ? "" : "s");
  return fmt::format("{}, {} spine{}{}, {} × {} up from each leaf, oversubscription {:.4g}:1", leaves, f.spines,
                     f.spines == 1 ? "" : "s", above, f.uplinks, format(f.uplink_rate), f.oversubscription);
}

TextTable inputs_table(const std::vector<Input>& inputs, bool in_full) {
  TextTable table{{"input", "value", "status", "source"}, {}, {}, in_full ? 0 : kSourceInShort};
  for (const Input& input : inputs)
    table.rows.push_back({input.key, input.value, std::string(name_of(input.origin.status)), input.origin.source});
  return table;
}

std::string failures_sentence(const std::vector<std::string>& failures) {
  constexpr std::size_t kMost = 6;
  if (failures.empty()) return "";
  std::vector<std::string> shown(failures.begin(),
                                 failures.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, failures.size())));
  const std::string more = failures.size() > kMost ? fmt::format(", and {} more", failures.size() - kMost) : "";
  return " Failures: " + schema::join(shown, ", ") + more + ".";
}

Report results_report(const Results& results) {
  if (results.step) return step_report(results);
  if (results.trace) return trace_report(results);
  if (results.traffic) return traffic_report(results);
  Report report{results.name, {}};
  std::string what = fmt::format("{} over {} ranks, {} engine. {}.", results.collective, format_count(results.ranks),
                                 results.engine, describe(results.fabric));
  if (results.fabric.leaves > 1)
    what += fmt::format(" {} of {} ring neighbours are under different leaves.", format_count(results.fabric.neighbours_across),
                        format_count(results.ranks));
  const std::string how =
      results.library.empty()
          ? "Every message of the algorithm is played; ranks send without delay of their own."
          : fmt::format("{} chooses algorithm and protocol; its times are a closed form on rates measured on this fabric.",
                        results.library);
  const bool packets = !results.points.empty() && results.points.back().packets.has_value();
  const std::string balance =
      packets ? "Every packet is simulated, with its queues, marks, pauses and retransmissions."
      : results.balanced
          ? "Equal paths are balanced perfectly; queues and congestion control are not part of this engine."
          : "Flows stay on the one path that switches give them; queues and congestion control are not part of this engine.";
  what += failures_sentence(results.failures);
  report.sections.push_back(
      {"", {what, how + " " + balance + (results.solving ? " " + solving_sentence(*results.solving) : "")}});
  report.sections.push_back(
      {"Time", {points_table(results), "Bandwidths in GB/s as nccl-tests define them. " + sent_sentence(results)}});
  report.sections.push_back(
      {"Load at the largest size",
       {tiers_table(results.tiers),
        std::string("A trunk is a set of ports that are equal choices: a host's link, or all links between a leaf and its "
                    "spines; busiest: its busiest link.") +
            (results.library.empty() ? "" : " A library's traffic is shown between nodes only.")}});
  if (packets)
    for (Report::Section& section : packet_sections(*results.points.back().packets))
      report.sections.push_back(std::move(section));
  if (!results.lost_links.empty()) report.sections.push_back(lost_links_section(results.lost_links));
  if (!results.members.empty()) report.sections.push_back(members_section(results.members));
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
  Document& points = out.set("points", Document::array());
  for (const CollectivePoint& point : results.points) points.push(point_document(point));
  Document& tiers = out.set("tiers", Document::array());
  for (const TierLoad& load : results.tiers) tiers.push(tier_document(load));
  Document& members = out.set("members", Document::array());
  for (const MemberLoads& m : results.members) members.push(members_document(m));
  out.set("rails", rails_document(results.rails));
  out.set("by_port", by_port_document(results.by_port));
  out.set("collective", Document(results.collective));
  out.set("library", Document(results.library));
  if (!results.solving) return;
  Document& solving = out.set("solving", Document::object());
  solving.set("changes", Document(static_cast<std::int64_t>(results.solving->changes)));
  solving.set("solves", Document(static_cast<std::int64_t>(results.solving->solves)));
  solving.set("merged", Document(static_cast<std::int64_t>(results.solving->merged)));
  solving.set("error_us", Document(microseconds(results.solving->error)));
}

Document results_document(const Results& results, double wall_seconds) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-results/1")));
  out.set("name", Document(results.name));
  out.set("engine", Document(results.engine));
  out.set("fingerprint", Document(results.fingerprint));
  out.set("wall_s", Document(wall_seconds));
  out.set("ranks", Document(std::int64_t{results.ranks}));
  if (results.step) add_step(*results.step, out);
  if (!results.step || results.network) out.set("fabric", object_of(results.fabric, kFabricFields));
  if (results.trace) add_trace(*results.trace, out);
  if (results.traffic)
    add_traffic(*results.traffic, out);
  else if (!results.step)
    add_collectives(results, out);
  if (results.memory > Bytes::zero()) out.set("memory_bytes", Document(static_cast<double>(results.memory.count())));
  if (results.network) out.set("network", network_document(*results.network));
  if (results.packets) out.set("packets", packet_step_document(*results.packets));
  if (results.slice) out.set("slice", slice_document(*results.slice));
  if (results.jitter) out.set("jitter", jitter_document(*results.jitter));
  if (results.circuits) out.set("circuits", circuit_document(*results.circuits));
  out.set("patterns", patterns_document(results.patterns));
  if (!results.failures.empty()) {
    Document& failures = out.set("failures", Document::array());
    for (const std::string& failure : results.failures) failures.push(Document(failure));
  }
  if (!results.lost_links.empty()) out.set("lost_links", lost_links_document(results.lost_links));
  out.set("inputs", inputs_document(results.inputs));
  out.set("diagnostics", diagnostics_document(results.diagnostics));
  return out;
}

}  // namespace railyard
