#include "tools/faults/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/quantity_text.h"

namespace railyard {

namespace {

/// Ranks below every block.
std::vector<std::uint32_t> ranks_below(const Fabric& f, const Placement& placement) {
  std::vector<std::uint32_t> ranks(f.blocks.size(), 0);
  for (const RankId rank : ids(placement))
    for (BlockId block = f.leaf_of(placement[rank]); block.valid(); block = f.blocks[block].parent) ranks[block.index()]++;
  return ranks;
}

/// The first, its neighbour, one in the middle and the last of those at hand.
std::vector<std::string> some_of(const std::vector<std::string>& names) {
  std::vector<std::string> some;
  const std::size_t n = names.size();
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, n / 2, n - 1})
    if (i < n && std::find(some.begin(), some.end(), names[i]) == some.end()) some.push_back(names[i]);
  return some;
}

std::string rate_text(BitsPerSecond rate) { return fmt::format("{{ rate = \"{} Mb/s\" }}", rate.count() / 1'000'000); }

/// Whether it would be the same if one of them failed or another: as many ranks below each, of as many.
struct Likeness {
  NodeKind kind;
  std::uint32_t ranks, width, links;
  auto operator<=>(const Likeness&) const = default;
};

class ElementFinder {
 public:
  ElementFinder(const Fabric& f, const Placement& placement)
      : f_(f), placement_(placement), ranks_(ranks_below(f, placement)) {}

  std::vector<ElementClass> find() {
    nics();
    if (f_.drawn)
      drawn();
    else
      for (const NodeKind kind : {NodeKind::leaf, NodeKind::spine, NodeKind::core, NodeKind::gateway}) switches(kind);
    return std::move(out_);
  }

 private:
  void nics() {
    std::vector<std::string> ports;
    std::set<std::uint32_t> seen;
    std::uint32_t width = 0;
    BitsPerSecond rate;
    for (const RankId rank : ids(placement_)) {
      const InterfaceId interface = f_.interface_of(placement_[rank]);
      if (!seen.insert(interface.index()).second) continue;
      const TrunkId up = host_up_trunk(f_, interface);
      width = static_cast<std::uint32_t>(f_.trunk_ports[up].size());
      rate = f_.trunk_port_rate[up];
      ports.push_back(fmt::format("gpu {} port 0", placement_[rank].index()));
    }
    if (ports.empty() || rate == BitsPerSecond::zero()) return;
    out_.push_back({"NIC port",
                    static_cast<std::uint32_t>(ports.size()) * width,
                    1.0 / width,
                    some_of(ports),
                    {},
                    rate_text(rate / 2),
                    "NIC",
                    true});
  }

  /// Switches of a tier, and what leads up from them.
  void switches(NodeKind kind) {
    struct Found {
      std::vector<std::string> names;
      BitsPerSecond rate;
    };
    std::map<Likeness, Found> alike;
    std::uint32_t number = 0;
    for (const NodeId node : ids(f_.kind)) {
      if (f_.kind[node] != kind) continue;
      const BlockId id = f_.block_of[node];
      const Block& block = f_.blocks[id];
      const std::uint32_t links = block.parent.valid() ? f_.blocks[block.parent].width / block.planes * block.links : 0;
      Found& found = alike[{kind, ranks_[id.index()], block.width, links}];
      found.names.push_back(fmt::format("{} {}", name_of(kind), number++));
      if (block.up.valid()) found.rate = f_.trunk_port_rate[block.up];
    }
    for (const auto& [like, found] : alike) {
      if (like.ranks == 0 && like.kind != NodeKind::gateway) continue;
      add(like, found.names, found.rate, alike.size() > 1);
    }
  }

  void add(const Likeness& like, const std::vector<std::string>& names, BitsPerSecond rate, bool tell_ranks) {
    const std::string kind(name_of(like.kind)),
        below = tell_ranks ? fmt::format(" ({} ranks below)", format_count(like.ranks)) : "";
    const auto count = static_cast<std::uint32_t>(names.size());
    if (like.links > 0) {
      std::vector<std::string> uplinks;
      for (const std::string& name : names)
        for (std::uint32_t link = 0; link < std::min(like.links, 2U); link++)
          uplinks.push_back(fmt::format("{} uplink {}", name, link));
      out_.push_back({kind + " uplink" + below,
                      count * like.links,
                      1.0 / like.links,
                      some_of(uplinks),
                      {},
                      rate_text(rate / 2),
                      kind,
                      true});
    }
    out_.push_back({kind + below, count, 1.0 / like.width, some_of(names), names, "", kind});
  }

  /// Nodes and links have names there, and no order.
  void drawn() {
    std::vector<std::string> nodes, links;
    std::set<std::pair<NodeId, NodeId>> seen;
    for (const NodeId node : ids(f_.kind))
      if (f_.kind[node] != NodeKind::host && f_.kind[node] != NodeKind::scale_up)
        nodes.push_back("node " + f_.names[node.index()]);
    for (const PortId port : ids(f_.port_from)) {
      const NodeId from = f_.port_from[port], to = f_.port_to[port];
      if (f_.kind[from] == NodeKind::host || f_.kind[to] == NodeKind::host || is_scale_up(f_.trunk_tier[f_.port_trunk[port]]))
        continue;
      if (seen.insert(std::minmax(from, to)).second)
        links.push_back(fmt::format("link {} {}", f_.names[from.index()], f_.names[to.index()]));
    }
    if (!links.empty())
      out_.push_back({"link", static_cast<std::uint32_t>(links.size()), 0, some_of(links), {}, "", "switch", true});
    if (!nodes.empty())
      out_.push_back({"switch", static_cast<std::uint32_t>(nodes.size()), 0, some_of(nodes), nodes, "", "switch"});
  }

  const Fabric& f_;
  const Placement& placement_;
  const std::vector<std::uint32_t> ranks_;
  std::vector<ElementClass> out_;
};

}  // namespace

std::vector<ElementClass> element_classes(const Fabric& fabric, const Placement& placement) {
  return ElementFinder(fabric, placement).find();
}

}  // namespace railyard
