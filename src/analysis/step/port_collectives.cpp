#include "analysis/step/port_collectives.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/patterns/wire_traffic.h"
#include "analysis/tier_loads.h"
#include "fabric/ecmp.h"
#include "fabric/routes.h"
#include "sim/edge_qp_indices.h"

namespace railyard {

namespace {

/// What a byte on the busiest edge of a bundle puts on every link: ports by id, or trunks.
class BundleShares {
 public:
  BundleShares(const Run& run, bool by_trunk)
      : run_(run),
        by_trunk_(by_trunk),
        paths_(std::max(1U, run.routing.hashed_paths())),
        indices_(run.fabric, run.carried->bundles, paths_),
        numbers_(run.fabric, run.routing.hash) {}

  [[nodiscard]] std::map<std::uint32_t, double> of(std::size_t bundle) {
    std::map<std::uint32_t, double> shares;
    const std::vector<Edge>& edges = run_.carried->bundles[bundle].edges;
    for (std::size_t e = 0; e < edges.size(); e++) {
      if (share_domain(run_.fabric, edges[e].from, edges[e].to)) continue;
      by_trunk_ ? add_trunks(edges[e], shares) : add_ports(bundle, e, edges[e], shares);
    }
    return shares;
  }

 private:
  void add_trunks(const Edge& edge, std::map<std::uint32_t, double>& shares) {
    trunks_.clear();
    find_path(run_.fabric, edge.from, edge.to, trunks_);
    for (const TrunkShare& step : trunks_) shares[step.trunk.index()] += edge.share * step.share;
  }

  void add_ports(std::size_t bundle, std::size_t number, const Edge& edge, std::map<std::uint32_t, double>& shares) {
    const QpIndices first = indices_.of(bundle, number);
    for (std::uint32_t i = 0; i < paths_; i++) {
      ports_.clear();
      const FlowHeader header = header_of(run_.fabric, edge.from, edge.to, first.local + i, first.remote + i, numbers_);
      find_hashed_path(run_.fabric, edge.from, edge.to, header, run_.routing.hash, ports_);
      for (const PortId port : ports_) shares[port.index()] += edge.share / paths_;
    }
  }

  const Run& run_;
  const bool by_trunk_;
  const std::uint32_t paths_;
  const EdgeQpIndices indices_;
  const QueuePairNumbers numbers_;
  TrunkPath trunks_;  // scratch
  std::vector<PortId> ports_;
};

/// Adds `bytes`, spread evenly from `begin` to `end`, to bins of `width`.
void spread_over(std::vector<double>& bins, double width, double begin, double end, double bytes) {
  const auto last = static_cast<double>(bins.size() - 1);
  const auto from = static_cast<std::size_t>(std::clamp(std::floor(begin / width), 0.0, last));
  const auto to = static_cast<std::size_t>(std::clamp(std::floor(end / width), 0.0, last));
  for (std::size_t bin = from; bin <= to; bin++) {
    const double low = bin == from ? begin : static_cast<double>(bin) * width;
    const double high = bin == to ? end : static_cast<double>(bin + 1) * width;
    bins[bin] += end > begin ? bytes * std::max(0.0, high - low) / (end - begin) : bytes;
  }
}

bool is_too_much(const CarriedStep& step, std::uint32_t paths) {
  std::size_t looked_at = 0;
  for (const Bundle& bundle : step.bundles) {
    if (!bundle.hops.empty()) return true;
    looked_at += bundle.edges.size() * std::max(1U, paths);
  }
  return looked_at > kMostPathsLookedAt;
}

using SharesByBundle = std::vector<std::map<std::uint32_t, double>>;  // by bundle

/// Links by what all calls put on them, those with most first.
std::vector<std::pair<double, std::uint32_t>> busiest_first(const SharesByBundle& shares, const std::vector<double>& bytes) {
  std::map<std::uint32_t, double> sums;
  for (std::size_t bundle = 0; bundle < shares.size(); bundle++)
    for (const auto& [link, share] : shares[bundle])
      if (bytes[bundle] > 0) sums[link] += share * bytes[bundle];
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const auto& [link, sum] : sums) order.emplace_back(sum, link);
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  return order;
}

PortCollectives collectives_on(std::uint32_t link, const SharesByBundle& shares, const WireTraffic& traffic, double bin,
                               std::size_t bins) {
  PortCollectives out;
  std::map<std::uint32_t, CollectiveOnPort> rows;
  for (const WireCall& call : traffic.calls) {
    const auto share = shares[call.bundle].find(link);
    if (share == shares[call.bundle].end()) continue;
    const double begin = seconds(call.start), end = seconds(call.end), bytes = call.bytes * share->second;
    const auto [entry, is_new] = rows.try_emplace(call.row);
    CollectiveOnPort& row = entry->second;
    if (is_new) row.what = traffic.rows[call.row], row.first_s = begin, row.bins.assign(bins, 0);
    row.bytes += bytes;
    row.first_s = std::min(row.first_s, begin);
    row.last_s = std::max(row.last_s, end);
    out.bytes += bytes;
    spread_over(row.bins, bin, begin, end, bytes);
  }
  for (auto& [number, row] : rows) out.collectives.push_back(std::move(row));
  std::stable_sort(out.collectives.begin(), out.collectives.end(),
                   [](const CollectiveOnPort& a, const CollectiveOnPort& b) { return a.bytes > b.bytes; });
  return out;
}

}  // namespace

CollectivesByPort collectives_by_port(const Run& run, std::size_t most, std::size_t bins) {
  CollectivesByPort out;
  if (!run.carried || !run.network || is_too_much(*run.carried, run.routing.hashed_paths())) return out;
  const bool by_trunk = run.network->port_carried.empty();
  const WireTraffic traffic = wire_traffic(*run.carried, *run.network, run.training->exact, run.training->time);
  BundleShares finder(run, by_trunk);
  SharesByBundle shares;
  for (std::size_t bundle = 0; bundle < run.carried->bundles.size(); bundle++) shares.push_back(finder.of(bundle));
  const auto order = busiest_first(shares, bytes_of_bundles(traffic, shares.size()));
  out.bin_s = seconds(run.training->time) / static_cast<double>(bins);
  for (const auto& [bytes, link] : order) {
    if (out.ports.size() == most) break;
    out.ports.push_back(collectives_on(link, shares, traffic, out.bin_s, bins));
    out.ports.back().name =
        link_name(run.fabric, {.tier = 0, .link = link, .is_trunk = by_trunk, .rate = {}, .carried = {}, .bits = {}});
  }
  out.left_out = order.size() - out.ports.size();
  return out;
}

}  // namespace railyard
