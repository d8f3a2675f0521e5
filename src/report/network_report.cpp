#include "report/network_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "report/counters_report.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
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
  TextTable table{{"links", "peak", "over the step"}, {Align::left, Align::right, Align::left}, {}};
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

Document seconds_cdf(const std::vector<CdfPoint>& points) { return cdf_document(points, "s"); }

constexpr JsonField<OpRow> kOpFields[] = {
    json_field<&OpRow::name>("name"),
    json_field<&OpRow::group>("group"),
    json_field<&OpRow::calls>("calls"),
    json_field<&OpRow::mean_s>("mean_s"),
    json_field<&OpRow::p50_s>("p50_s"),
    json_field<&OpRow::p99_s>("p99_s"),
    json_field<&OpRow::longest_s>("longest_s"),
    json_field<&OpRow::slowdown>("slowdown"),
    json_field<&OpRow::exposed_s>("exposed_s"),
    json_field<&OpRow::hidden_s>("hidden_s"),
    json_field<&OpRow::cdf, seconds_cdf>("cdf"),
};

constexpr JsonField<RailLoad> kRailFields[] = {
    json_field<&RailLoad::rail>("rail"),
    json_field<&RailLoad::sent>("sent_bytes"),
    json_field<&RailLoad::mean_utilisation>("mean_utilisation"),
    json_field<&RailLoad::peak_utilisation>("peak_utilisation"),
};

constexpr JsonField<TierLoad> kTierFields[] = {
    json_field<&TierLoad::name>("tier"),
    json_field<&TierLoad::trunks>("trunks"),
    json_field<&TierLoad::ports>("ports"),
    json_field<&TierLoad::trunk_rate, in_gbps>("trunk_gbps"),
    json_field<&TierLoad::carried>("carried_bytes"),
    json_field<&TierLoad::mean_utilisation>("mean_utilisation"),
    json_field<&TierLoad::peak_utilisation>("peak_utilisation"),
};

constexpr JsonField<MemberLoads> kMemberFields[] = {
    json_field<&MemberLoads::name>("tier"),
    json_field<&MemberLoads::groups>("groups"),
    json_field<&MemberLoads::members>("members"),
    json_field<&MemberLoads::idle>("idle"),
    json_field<&MemberLoads::worst_to_mean>("worst_to_mean"),
    json_field<&MemberLoads::entropy>("entropy"),
    json_field<&MemberLoads::effective>("effective_paths"),
};

constexpr JsonField<TierSeries> kSeriesFields[] = {
    json_field<&TierSeries::tier>("tier"),
    json_field<&TierSeries::mean, numbers>("utilisation"),
    json_field<&TierSeries::busiest>("busiest"),
    json_field<&TierSeries::peak, numbers>("busiest_utilisation"),
};

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

}  // namespace

Report::Section members_section(const std::vector<MemberLoads>& members) {
  return {"Entropy: how flows lie on equal links",
          {members_table(members),
           std::string("Idle: links that no flow was hashed to. Where few flows go up, one from each leaf, most links are idle "
                       "and all goes over one path: no loss, as long as that link is not full (Load, busiest).")}};
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

Document tier_document(const TierLoad& load) { return object_of(load, kTierFields); }

Document members_document(const MemberLoads& m) { return object_of(m, kMemberFields); }

Document rails_document(const std::vector<RailLoad>& rails) { return list_of(rails, kRailFields); }

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
  sections.push_back({"Load", {tiers_table(network.tiers)}});
  if (!network.series.empty()) sections.back().blocks.emplace_back(series_table(network));
  sections.back().blocks.emplace_back(
      fmt::format("Payload over the whole step; a trunk is a set of ports that are equal choices, busiest: its "
                  "busiest link. Use over time is of all links of a tier, and of the link that was fullest; "
                  "most: in spans of {}.",
                  seconds_or_dash(network.bin_s)));
  if (!network.members.empty()) sections.push_back(members_section(network.members));
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
  out.set("ops", list_of(network.ops, kOpFields));
  out.set("tiers", list_of(network.tiers, kTierFields));
  out.set("members", list_of(network.members, kMemberFields));
  out.set("rails", rails_document(network.rails));
  out.set("bin_s", Document(network.bin_s));
  out.set("over_time", list_of(network.series, kSeriesFields));
  out.set("by_port", by_port_document(network.by_port));
  return out;
}

}  // namespace railyard
