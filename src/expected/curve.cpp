#include "expected/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "collective/library.h"
#include "expected/median.h"

namespace railyard {

namespace {

std::optional<CollectiveKind> kind_named(std::string_view name) {
  using enum CollectiveKind;
  static const std::map<std::string_view, CollectiveKind> kinds = {
      {"all_reduce", all_reduce}, {"all_gather", all_gather}, {"reduce_scatter", reduce_scatter},
      {"alltoall", all_to_all},   {"all_to_all", all_to_all}, {"broadcast", broadcast},
      {"reduce", reduce},         {"sendrecv", send},         {"send", send}};
  const auto found = kinds.find(name);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

/// What a library's log beside the tables says of their ranks, if all logs agree.
std::optional<std::uint32_t> logged(const Measurements& measured, std::optional<std::uint32_t> LibraryLog::*count) {
  std::set<std::uint32_t> said;
  for (const LibraryLog& log : measured.logs)
    if (log.*count) said.insert(*(log.*count));
  return said.size() == 1 ? std::optional(*said.begin()) : std::nullopt;
}

std::vector<std::string> hosts_of(const CollectiveTest& test) {
  std::set<std::string> hosts;
  for (const RankPlace& place : test.places) hosts.insert(place.host);
  return {hosts.begin(), hosts.end()};
}

/// Of nodes that are nowhere told: as many as ranks fill.
std::uint32_t nodes_for(std::uint32_t ranks, std::uint32_t per_node) { return (ranks + per_node - 1) / std::max(1U, per_node); }

void place(const CollectiveTest& test, const Measurements& measured, const Scenario& scenario, Curve& curve) {
  const std::optional<std::uint32_t> ranks = test.ranks ? test.ranks : logged(measured, &LibraryLog::ranks);
  curve.ranks = ranks.value_or(scenario.fabric.endpoints);
  std::optional<std::uint32_t> nodes = test.nodes ? test.nodes : logged(measured, &LibraryLog::nodes);
  if (!nodes && curve.hosts.size() > 1) nodes = static_cast<std::uint32_t>(curve.hosts.size());
  curve.nodes = nodes.value_or(nodes_for(curve.ranks, scenario.fabric.per_node));
  curve.nodes = std::clamp(curve.nodes, 1U, std::max(1U, curve.ranks));
  curve.is_assumed = !ranks || !nodes;
}

/// A row with a time, or with a bandwidth that gives one.
double time_of(const CollectiveRow& row, const Curve& curve) {
  if (row.time_s > 0) return row.time_s;
  const double size = static_cast<double>(row.size.count());
  if (row.algorithm_bandwidth > 0) return size / row.algorithm_bandwidth;
  return row.bus_bandwidth > 0 ? size * bus_factor(curve.kind, curve.ranks) / row.bus_bandwidth : 0;
}

void add_points(const CollectiveTest& test, Curve& curve) {
  std::map<Bytes, std::pair<std::vector<double>, SourceSpan>> by_size;
  for (const CollectiveRow& row : test.rows) {
    curve.wrong += row.wrong.value_or(0);
    const double time = time_of(row, curve);
    if (row.size <= Bytes::zero() || time <= 0) continue;
    auto& [times, where] = by_size.try_emplace(row.size, std::vector<double>{}, row.where).first->second;
    times.push_back(time);
  }
  for (auto& [size, row] : by_size) {
    auto& [times, where] = row;
    const double time = median_of(times);
    const double bandwidth = static_cast<double>(size.count()) * bus_factor(curve.kind, curve.ranks) / time;
    curve.points.push_back({size, time, bandwidth, static_cast<std::uint32_t>(times.size()), where});
  }
  curve.wrong = std::max<std::uint64_t>(curve.wrong, test.out_of_bounds.value_or(0));
}

}  // namespace

std::vector<Curve> curves_of(const Measurements& measured, const Scenario& scenario, std::vector<std::string>& unknown) {
  std::vector<Curve> curves;
  for (const CollectiveTest& test : measured.tests) {
    const std::optional<CollectiveKind> kind = kind_named(test.collective);
    if (!kind) {
      if (std::find(unknown.begin(), unknown.end(), test.collective) == unknown.end()) unknown.push_back(test.collective);
      continue;
    }
    Curve curve{.kind = *kind, .points = {}, .hosts = hosts_of(test), .library = test.library, .file = test.where.file};
    place(test, measured, scenario, curve);
    add_points(test, curve);
    if (curve.ranks >= 2 && (!curve.points.empty() || curve.wrong > 0)) curves.push_back(std::move(curve));
  }
  return curves;
}

std::string name_of(const Curve& curve) {
  return fmt::format("{} over {} ranks in {} {}", name_of(curve.kind), curve.ranks, curve.nodes,
                     curve.nodes == 1 ? "node" : "nodes");
}

}  // namespace railyard
