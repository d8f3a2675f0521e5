#include "analysis/fabric_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/tier_loads.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::size_t kWorst = 5;
constexpr std::size_t kMostLeaves = 12, kMostSpines = 12, kMostCores = 8;

/// From below: hosts, leaves, spines, cores.
std::uint32_t tier_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::leaf:
      return 1;
    case NodeKind::spine:
      return 2;
    case NodeKind::core:
    case NodeKind::gateway:
      return 3;
    default:
      return 0;
  }
}

class Mapper {
 public:
  Mapper(const Fabric& fabric, const Table<PortId, double>& carried, Picoseconds time)
      : f_(fabric), carried_(carried), time_(time) {}

  FabricMap run() {
    if (time_ == Picoseconds::zero()) return {};
    find_use();
    pick_worst();
    pick_switches();
    add_nodes();
    add_links();
    add_switches();
    say_what_is_left_out();
    return std::move(map_);
  }

 private:
  [[nodiscard]] bool is_switch(NodeId node) const { return tier_of(f_.kind[node]) > 0; }

  /// Share of each port's rate, and how they lie.
  void find_use() {
    use_ = Table<PortId, double>(f_.port_from.size(), 0);
    std::array<FabricMap::Histogram, kTiers> tiers;
    for (const TrunkId trunk : ids(f_.trunk_tier)) {
      const Tier tier = f_.trunk_tier[trunk];
      if (is_scale_up(tier)) continue;
      const double bytes = static_cast<double>(f_.trunk_port_rate[trunk].count()) / 8 * seconds(time_);
      FabricMap::Histogram& histogram = tiers[static_cast<std::size_t>(tier)];
      for (const PortId port : f_.trunk_ports[trunk]) {
        use_[port] = carried_[port] / bytes;
        if (is_switch(f_.port_from[port]) && is_switch(f_.port_to[port])) joints_.push_back(port);
        histogram.ports++;
        histogram.bins[std::min<std::size_t>(9, static_cast<std::size_t>(use_[port] * 10))]++;
      }
    }
    for (std::size_t tier = 0; tier < kTiers; tier++) {
      FabricMap::Histogram& histogram = tiers[tier];
      if (histogram.ports == 0) continue;
      histogram.tier = name_of(static_cast<Tier>(tier), f_.topology);
      for (double& bin : histogram.bins) bin /= static_cast<double>(histogram.ports);
      map_.histogram.push_back(histogram);
    }
  }

  using Ends = std::pair<NodeId, NodeId>;  // the lower switch first
  [[nodiscard]] Ends ends_of(PortId port) const {
    const NodeId a = f_.port_from[port], b = f_.port_to[port];
    const std::uint32_t below = tier_of(f_.kind[a]), above = tier_of(f_.kind[b]);
    return below < above || (below == above && a < b) ? Ends{a, b} : Ends{b, a};
  }

  /// The busiest pairs of switches; of a network that has one switch alone, nothing. Ties: the lowest ids.
  void pick_worst() {
    std::map<Ends, double> busiest;
    double least = 0;  // to be among them
    for (const PortId port : joints_) {
      if (use_[port] <= least) continue;
      double& use = busiest[ends_of(port)];
      use = std::max(use, use_[port]);
      if (busiest.size() <= kWorst) continue;
      auto weakest = busiest.begin();
      for (auto one = busiest.begin(); one != busiest.end(); ++one)
        if (one->second <= weakest->second) weakest = one;
      least = weakest->second;
      busiest.erase(weakest);
    }
    for (const auto& [ends, use] : busiest) worst_.insert(ends);
  }

  [[nodiscard]] std::size_t room(std::uint32_t tier) const {
    return tier == 1 ? kMostLeaves : tier == 2 ? kMostSpines : kMostCores;
  }
  bool show(NodeId node) {
    std::set<NodeId>& shown = shown_[tier_of(f_.kind[node])];
    if (shown.size() < room(tier_of(f_.kind[node])) || shown.contains(node)) return shown.insert(node).second;
    return false;
  }

  /// Switches that are neighbours of those shown, the busiest links first.
  void add_neighbours(std::uint32_t from_tier, std::uint32_t to_tier) {
    std::vector<std::pair<double, NodeId>> found;
    for (const PortId port : joints_) {
      const NodeId a = f_.port_from[port], b = f_.port_to[port];
      if (tier_of(f_.kind[a]) == from_tier && tier_of(f_.kind[b]) == to_tier && shown_[from_tier].contains(a))
        found.push_back({-use_[port], b});
    }
    std::sort(found.begin(), found.end());
    for (const auto& [use, node] : found) show(node);
  }

  void show_leaves(std::size_t most) {
    for (const NodeId node : ids(f_.kind))
      if (tier_of(f_.kind[node]) == 1 && shown_[1].size() < most) show(node);
  }

  void pick_switches() {
    for (const auto& [a, b] : worst_) show(a), show(b);
    if (worst_.empty()) show_leaves(1);
    if (f_.drawn || !f_.circuits.empty()) add_neighbours(1, 1), add_neighbours(2, 2);
    add_neighbours(2, 1);
    add_neighbours(1, 2);
    add_neighbours(2, 3);
    if (shown_[2].empty()) show_leaves(kMostLeaves);
  }

  void add_nodes() {
    for (const std::uint32_t tier : {1U, 2U, 3U})
      for (const NodeId node : shown_[tier]) {
        index_[node] = static_cast<std::uint32_t>(map_.nodes.size()) + 1;
        map_.nodes.push_back({end_name(f_, node), std::string(name_of(f_.kind[node])), tier});
      }
  }

  /// All hosts under one switch are one node.
  std::uint32_t hosts_under(NodeId above) {
    const auto [entry, is_new] = hosts_.try_emplace(above, static_cast<std::uint32_t>(map_.nodes.size()));
    if (is_new) map_.nodes.push_back({"hosts under " + end_name(f_, above), "GPUs", 0});
    return entry->second;
  }

  void add_links() {
    struct Sum {
      FabricMap::Link link;
      double up = 0, down = 0;  // of its ports, summed up
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> links;
    for (const PortId port : ids(use_)) {
      if (is_scale_up(f_.trunk_tier[f_.port_trunk[port]])) continue;
      const auto [below, above] = ends_of(port);
      if (index_[above] == 0 || (is_switch(below) && index_[below] == 0)) continue;
      const std::uint32_t low = is_switch(below) ? index_[below] - 1 : hosts_under(above);
      Sum& sum = links[{low, index_[above] - 1}];
      const bool is_up = f_.port_from[port] == below;
      (is_up ? sum.up : sum.down) += use_[port];
      (is_up ? sum.link.up_ports : sum.link.down_ports).push_back(port);
      sum.link.peak = std::max(sum.link.peak, use_[port]);
      if (is_up) sum.link.gbps += static_cast<double>(f_.trunk_port_rate[f_.port_trunk[port]].count()) / 1e9;
      sum.link.worst = is_switch(below) && worst_.contains({below, above});
    }
    for (auto& [ends, sum] : links) {
      sum.link.from = ends.first, sum.link.to = ends.second;
      const std::size_t ups = sum.link.up_ports.size(), downs = sum.link.down_ports.size();
      sum.link.ports = static_cast<std::uint32_t>(std::max(ups, downs));
      sum.link.name = map_.nodes[ends.first].name + " to " + map_.nodes[ends.second].name;
      sum.link.up = ups > 0 ? sum.up / static_cast<double>(ups) : 0;
      sum.link.down = downs > 0 ? sum.down / static_cast<double>(downs) : 0;
      map_.links.push_back(std::move(sum.link));
    }
  }

  /// Of all switches, not of those shown alone: a reader sees whether the busiest are alone.
  void add_switches() {
    struct Sum {
      double up_out = 0, up_in = 0, down_out = 0, down_in = 0, peak = 0;  // sums of shares
      double ups = 0, downs = 0;                                          // ports one way
    };
    Table<NodeId, Sum> sums(f_.kind.size());
    const auto add = [&](NodeId node, NodeId other, double use, bool is_out) {
      if (!is_switch(node)) return;
      Sum& sum = sums[node];
      const bool is_up = is_switch(other) && tier_of(f_.kind[other]) >= tier_of(f_.kind[node]);
      (is_up ? (is_out ? sum.up_out : sum.up_in) : (is_out ? sum.down_out : sum.down_in)) += use;
      (is_up ? sum.ups : sum.downs) += 0.5;
      sum.peak = std::max(sum.peak, use);
    };
    for (const PortId port : ids(use_)) {
      if (is_scale_up(f_.trunk_tier[f_.port_trunk[port]])) continue;
      add(f_.port_from[port], f_.port_to[port], use_[port], true);
      add(f_.port_to[port], f_.port_from[port], use_[port], false);
    }
    std::map<std::pair<std::uint32_t, std::string>, FabricMap::Switches> kinds;
    for (const NodeId node : ids(f_.kind)) {
      if (!is_switch(node)) continue;
      const std::string kind(name_of(f_.kind[node]));
      FabricMap::Switches& all = kinds[{tier_of(f_.kind[node]), kind}];
      const Sum& sum = sums[node];
      all.kind = kind;
      all.names.push_back(end_name(f_, node));
      all.up.push_back(sum.ups > 0 ? std::max(sum.up_out, sum.up_in) / sum.ups : 0);
      all.down.push_back(sum.downs > 0 ? std::max(sum.down_out, sum.down_in) / sum.downs : 0);
      all.peak.push_back(sum.peak);
    }
    for (auto& [key, all] : kinds) {
      bool is_counted = true;
      for (std::size_t i = 0; i < all.names.size(); i++) is_counted &= all.names[i] == fmt::format("{} {}", all.kind, i);
      if (is_counted) all.names.clear();
      if (std::all_of(all.up.begin(), all.up.end(), [](double use) { return use == 0; })) all.up.clear();
      map_.switches.push_back(std::move(all));
    }
  }

  void say_what_is_left_out() {
    constexpr const char* kNames[] = {"", "leaves", "spines", "cores"};
    std::array<std::uint64_t, 4> all = {};
    for (const NodeKind kind : f_.kind) all[tier_of(kind)]++;
    for (const std::uint32_t tier : {1U, 2U, 3U}) {
      if (all[tier] <= shown_[tier].size()) continue;
      if (!map_.left_out.empty()) map_.left_out += ", ";
      map_.left_out += fmt::format("of {} {} {} are shown", format_count(all[tier]), kNames[tier], shown_[tier].size());
    }
  }

  const Fabric& f_;
  const Table<PortId, double>& carried_;
  const Picoseconds time_;
  FabricMap map_;
  Table<PortId, double> use_;
  std::vector<PortId> joints_;  // between switches
  std::set<Ends> worst_;
  std::array<std::set<NodeId>, 4> shown_;                                                 // by tier
  Table<NodeId, std::uint32_t> index_ = Table<NodeId, std::uint32_t>(f_.kind.size(), 0);  // of shown switches, from 1 on
  std::map<NodeId, std::uint32_t> hosts_;
};

}  // namespace

FabricMap fabric_map(const Fabric& fabric, const Table<PortId, double>& carried, Picoseconds time) {
  return Mapper(fabric, carried, time).run();
}

}  // namespace railyard
