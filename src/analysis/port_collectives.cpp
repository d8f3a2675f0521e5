#include "analysis/port_collectives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

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
  BundleShares(const Run& run, std::span<const Bundle> bundles, bool by_trunk)
      : run_(run),
        bundles_(bundles),
        by_trunk_(by_trunk),
        paths_(std::max(1U, run.routing.hashed_paths())),
        indices_(run.fabric, bundles, paths_),
        numbers_(run.fabric, run.routing.hash) {}

  [[nodiscard]] std::map<std::uint32_t, double> of(std::size_t bundle) {
    std::map<std::uint32_t, double> shares;
    const std::vector<Edge>& edges = bundles_[bundle].edges;
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
  const std::span<const Bundle> bundles_;
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

/// Why paths of bundles are not looked at; nothing where they are.
const char* why_no_paths(std::span<const Bundle> bundles, std::uint32_t paths) {
  std::size_t looked_at = 0;
  for (const Bundle& bundle : bundles) {
    if (!bundle.hops.empty()) return "switches compute, and what they pass on has no path from end to end";
    looked_at += bundle.edges.size() * std::max(1U, paths);
  }
  return looked_at > kMostPathsLookedAt ? "more than 100,000 paths would have to be looked at" : nullptr;
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

/// The links that are shown, and what calls put on them.
class ShownLinks {
 public:
  ShownLinks(std::span<const std::uint32_t> links, const SharesByBundle& shares, double bin, std::size_t bins)
      : bin_(bin), bins_(bins), rows_(links.size()), links_of_(shares.size()) {
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < links.size(); i++) place[links[i]] = i;
    for (std::size_t bundle = 0; bundle < shares.size(); bundle++)
      for (const auto& [link, share] : shares[bundle])
        if (const auto found = place.find(link); found != place.end()) links_of_[bundle].emplace_back(found->second, share);
  }

  void add(const WireCall& call, const std::vector<std::string>& names) {
    const double begin = seconds(call.start), end = seconds(call.end);
    for (const auto& [link, share] : links_of_[call.bundle]) {
      const double bytes = call.bytes * share;
      const auto [entry, is_new] = rows_[link].try_emplace(call.row);
      CollectiveOnPort& row = entry->second;
      if (is_new) row.what = names[call.row], row.first_s = begin, row.bins.assign(bins_, 0);
      row.bytes += bytes;
      row.first_s = std::min(row.first_s, begin);
      row.last_s = std::max(row.last_s, end);
      spread_over(row.bins, bin_, begin, end, bytes);
    }
  }

  [[nodiscard]] PortCollectives take(std::size_t link) {
    PortCollectives out;
    for (auto& [number, row] : rows_[link]) out.bytes += row.bytes, out.collectives.push_back(std::move(row));
    std::stable_sort(out.collectives.begin(), out.collectives.end(),
                     [](const CollectiveOnPort& a, const CollectiveOnPort& b) { return a.bytes > b.bytes; });
    return out;
  }

 private:
  const double bin_;
  const std::size_t bins_;
  std::vector<std::map<std::uint32_t, CollectiveOnPort>> rows_;        // by link, then by row of calls
  std::vector<std::vector<std::pair<std::size_t, double>>> links_of_;  // by bundle: of them, with its share
};

CollectivesByPort unknown_by_port(const char* why) { return {.unknown = why}; }

/// Whether equal paths share perfectly, as engines saw it, or packets are sent where there is room.
bool goes_over_trunks(const Run& run, const Telemetry& network) {
  return network.port_carried.empty() || (network.packets && !keeps_path(run.routing.policy));
}

/// Over a run of `time`, whose calls go over `bundles`.
CollectivesByPort calls_by_port(const Run& run, std::span<const Bundle> bundles, const WireTraffic& traffic, bool by_trunk,
                                Picoseconds time, const ByPortSize& size) {
  if (const char* const why = why_no_paths(bundles, run.routing.hashed_paths())) return unknown_by_port(why);
  BundleShares finder(run, bundles, by_trunk);
  SharesByBundle shares;
  for (std::size_t bundle = 0; bundle < bundles.size(); bundle++) shares.push_back(finder.of(bundle));
  const auto order = busiest_first(shares, bytes_of_bundles(traffic, shares.size()));
  std::vector<std::uint32_t> links;
  for (std::size_t i = 0; i < std::min(size.ports, order.size()); i++) links.push_back(order[i].second);
  CollectivesByPort out{.bin_s = seconds(time) / static_cast<double>(size.bins)};
  ShownLinks shown(links, shares, out.bin_s, size.bins);
  for (const WireCall& call : traffic.calls) shown.add(call, traffic.rows);
  for (std::size_t i = 0; i < links.size(); i++) {
    out.ports.push_back(shown.take(i));
    out.ports.back().name = link_name(run.fabric, links[i], by_trunk);
  }
  out.left_out = order.size() - links.size();
  return out;
}

constexpr const char* kNothing = "nothing crossed the network";

bool crossed(const Run& run, const Telemetry& network) {
  for (const TrunkId trunk : ids(run.fabric.trunk_tier))
    if (!is_scale_up(run.fabric.trunk_tier[trunk]) && network.trunk_carried[trunk] > Bytes::zero()) return true;
  return false;
}

}  // namespace

CollectivesByPort collectives_by_port(const Run& run, const ByPortSize& size) {
  if (!run.carried || !run.network || !crossed(run, *run.network)) return unknown_by_port(kNothing);
  const Picoseconds time = run.training->time;
  const WireTraffic traffic = wire_traffic(*run.carried, *run.network, run.training->exact, time);
  return calls_by_port(run, run.carried->bundles, traffic, goes_over_trunks(run, *run.network), time, size);
}

CollectivesByPort messages_by_port(const Run& run, const ByPortSize& size) {
  const TrafficRun& messages = *run.traffic;
  if (messages.sums) return unknown_by_port("there are too many messages to keep each");
  if (!crossed(run, messages.telemetry)) return unknown_by_port(kNothing);
  std::vector<Bundle> bundles;
  const WireTraffic traffic = wire_traffic(messages, bundles);
  return calls_by_port(run, bundles, traffic, goes_over_trunks(run, messages.telemetry), run.trace->makespan, size);
}

}  // namespace railyard
