#include "report/network_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/sparkline.h"

namespace railyard {

namespace {

constexpr std::size_t kSparks = 40;  // characters of a line that shows use over time

TextTable ops_table(const NetworkResults& network) {
  TextTable table{{"what", "group", "calls", "mean", "median", "p99", "longest", "× ideal", "exposed", "hidden"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right},
                  {}};
  for (const OpRow& row : network.ops)
    table.rows.push_back({row.name, row.group, format_count(row.calls), seconds_or_dash(row.mean_s), seconds_or_dash(row.p50_s),
                          seconds_or_dash(row.p99_s), seconds_or_dash(row.longest_s), fmt::format("{:.2f}", row.slowdown),
                          seconds_or_dash(row.exposed_s), seconds_or_dash(row.hidden_s)});
  return table;
}

TextTable series_table(const NetworkResults& network) {
  TextTable table{{"links", "most", "over the step"}, {Align::left, Align::right, Align::left}, {}};
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    if (values.empty()) return;
    table.rows.push_back({name, percent(*std::max_element(values.begin(), values.end())), sparkline(values, kSparks)});
  };
  const TierSeries* hottest = nullptr;
  double most = 0;
  for (const TierSeries& series : network.series) {
    add(series.tier, series.mean);
    if (series.peak.empty() || *std::max_element(series.peak.begin(), series.peak.end()) <= most) continue;
    most = *std::max_element(series.peak.begin(), series.peak.end());
    hottest = &series;
  }
  if (hottest) add(hottest->busiest, hottest->peak);
  return table;
}

Document op_document(const OpRow& row) {
  Document out = Document::object();
  out.set("name", Document(row.name));
  out.set("group", Document(row.group));
  out.set("calls", Document(static_cast<std::int64_t>(row.calls)));
  out.set("mean_s", Document(row.mean_s));
  out.set("p50_s", Document(row.p50_s));
  out.set("p99_s", Document(row.p99_s));
  out.set("longest_s", Document(row.longest_s));
  out.set("slowdown", Document(row.slowdown));
  out.set("exposed_s", Document(row.exposed_s));
  out.set("hidden_s", Document(row.hidden_s));
  return out;
}

Document rail_document(const RailLoad& rail) {
  Document out = Document::object();
  out.set("rail", Document(std::int64_t{rail.rail}));
  out.set("sent_bytes", Document(rail.sent.count()));
  out.set("mean_utilisation", Document(rail.mean_utilisation));
  out.set("peak_utilisation", Document(rail.peak_utilisation));
  return out;
}

}  // namespace

TextTable members_table(const std::vector<MemberLoads>& members) {
  TextTable table{{"choice", "groups", "members", "idle", "busiest over mean", "paths in effect"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const MemberLoads& m : members)
    table.rows.push_back({m.name, format_count(m.groups), format_count(m.members), fmt::format("{:.1f} %", m.idle * 100),
                          fmt::format("{:.2f}", m.worst_to_mean),
                          fmt::format("{:.1f} of {:.0f}", m.effective, static_cast<double>(m.members) / m.groups)});
  return table;
}

TextTable tiers_table(const std::vector<TierLoad>& tiers) {
  TextTable table{{"tier", "trunks", "ports", "rate each", "carried", "mean use", "busiest"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const TierLoad& load : tiers)
    table.rows.push_back({load.name, format_count(load.trunks), format_count(load.ports), format(load.trunk_rate),
                          format(load.carried), fmt::format("{:.1f} %", load.mean_utilisation * 100),
                          fmt::format("{:.1f} %", load.peak_utilisation * 100)});
  return table;
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

Document members_document(const MemberLoads& m) {
  Document out = Document::object();
  out.set("tier", Document(m.name));
  out.set("groups", Document(std::int64_t{m.groups}));
  out.set("members", Document(std::int64_t{m.members}));
  out.set("idle", Document(m.idle));
  out.set("worst_to_mean", Document(m.worst_to_mean));
  out.set("entropy", Document(m.entropy));
  out.set("effective_paths", Document(m.effective));
  return out;
}

std::string mode_sentence(const NetworkResults& network, double step_time_s) {
  std::string text = fmt::format(
      "Every collective between scale-up domains is on the wire: flows share links max-min fairly over the paths they take. ");
  if (network.exact)
    text += "Every completion is an event (exact).";
  else
    text += fmt::format(
        "The groups of a stage advance together and completions within {} are merged (quantised). Had every collective the "
        "network to itself the step would take {}: what they cost each other is {} ({}), and merging is wrong by no more.",
        seconds_or_dash(network.quantum_s), seconds_or_dash(network.alone_s), seconds_or_dash(network.bound_s),
        percent(network.bound_s / step_time_s));
  return text;
}

std::vector<Report::Section> network_sections(const NetworkResults& network) {
  std::vector<Report::Section> sections;
  sections.push_back({"On the wire",
                      {ops_table(network), std::string("Times of one call; × ideal: against an idle network "
                                                       "without bottlenecks. Exposed and hidden: per stage.")}});
  sections.push_back(
      {"Load",
       {tiers_table(network.tiers), series_table(network),
        fmt::format("Payload over the whole step; a trunk is a set of ports that are equal choices, busiest: its "
                    "busiest link. Use over time is of all links of a tier, and of the link that was fullest; "
                    "most: in spans of {}.",
                    seconds_or_dash(network.bin_s))}});
  if (!network.members.empty()) sections.push_back({"Entropy: how flows lie on equal links", {members_table(network.members)}});
  return sections;
}

Document network_document(const NetworkResults& network) {
  Document out = Document::object();
  out.set("mode", Document(std::string(network.exact ? "exact" : "quantised")));
  out.set("quantum_s", Document(network.quantum_s));
  out.set("alone_s", Document(network.alone_s));
  out.set("bound_s", Document(network.bound_s));
  out.set("flows", Document(static_cast<std::int64_t>(network.solving.flows)));
  out.set("most_active", Document(static_cast<std::int64_t>(network.solving.most_active)));
  out.set("changes", Document(static_cast<std::int64_t>(network.solving.changes)));
  out.set("solves", Document(static_cast<std::int64_t>(network.solving.solves)));
  out.set("merged", Document(static_cast<std::int64_t>(network.solving.merged)));
  Document& ops = out.set("ops", Document::array());
  for (const OpRow& row : network.ops) ops.push(op_document(row));
  Document& tiers = out.set("tiers", Document::array());
  for (const TierLoad& load : network.tiers) tiers.push(tier_document(load));
  Document& members = out.set("members", Document::array());
  for (const MemberLoads& m : network.members) members.push(members_document(m));
  Document& rails = out.set("rails", Document::array());
  for (const RailLoad& rail : network.rails) rails.push(rail_document(rail));
  out.set("bin_s", Document(network.bin_s));
  Document& series = out.set("over_time", Document::array());
  for (const TierSeries& one : network.series) {
    Document& item = series.push(Document::object());
    item.set("tier", Document(one.tier));
    item.set("utilisation", numbers(one.mean));
    item.set("busiest", Document(one.busiest));
    item.set("busiest_utilisation", numbers(one.peak));
  }
  return out;
}

}  // namespace railyard
