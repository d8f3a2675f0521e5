#include "fabric/unreachable.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/routes.h"

namespace railyard {

namespace {

/// Finds the first reason on the way from one endpoint to the other.
class Explanation {
 public:
  Explanation(const Fabric& fabric, const LivePorts& live) : f_(fabric), live_(live), alive_(fabric.kind.size(), false) {
    for (const PortId port : ids(f_.port_from))
      if (live_.is_live(port)) alive_[f_.port_from[port].index()] = true;
  }

  [[nodiscard]] std::string reason(EndpointId from, EndpointId to) const {
    if (f_.drawn) return reason_in_drawing(from, to);
    if (share_domain(f_, from, to)) return "a scale-up link between them is down";
    const EndpointId relay = relay_of(f_, from, to);
    const std::string relay_text = relay == from ? "" : fmt::format("the path goes through GPU {}, and ", relay.index());
    for (const TrunkShare& step : path_of(f_, from, to))
      if (std::string why = reason_at(step.trunk, relay, to); !why.empty()) return relay_text + why;
    return relay_text +
           fmt::format("no path of live links is left from {} to {}", name(f_.leaf_of(relay)), name(f_.leaf_of(to)));
  }

  /// Why nothing passes a trunk of the path, if nothing does.
  [[nodiscard]] std::string reason_at(TrunkId trunk, EndpointId from, EndpointId to) const {
    if (live_rate(f_, live_, trunk) > BitsPerSecond::zero()) return {};
    const PortId port = f_.trunk_ports[trunk].front();
    const Tier tier = f_.trunk_tier[trunk];
    const bool climbs = tier == Tier::host_up || tier == Tier::leaf_up || tier == Tier::spine_up;
    const NodeId low = climbs ? f_.port_from[port] : f_.port_to[port], high = climbs ? f_.port_to[port] : f_.port_from[port];
    switch (tier) {
      case Tier::host_up:
      case Tier::host_down:
        if (is_down(f_.block_of[high])) break;
        return ports_down(f_.trunk_ports[trunk].size(), "NIC", tier == Tier::host_up ? from : to);
      case Tier::leaf_up:
      case Tier::spine_up:
      case Tier::leaf_down:
      case Tier::spine_down:
        if (is_down(f_.block_of[high])) break;
        if (is_down(f_.block_of[low])) return down(f_.block_of[low]);
        return fmt::format("{} {} no live uplink", name(f_.block_of[low]), has(f_.block_of[low]));
      case Tier::across:
        return fmt::format("no circuit between {} and {} is live", name(f_.block_of[high]), name(f_.block_of[low]));
      case Tier::scale_up:
      case Tier::scale_down:
        return "a scale-up link to it is down";
    }
    return down(f_.block_of[high]);
  }

 private:
  /// "leaf 3" or "spines 4 to 7".
  [[nodiscard]] std::string name(BlockId id) const {
    const Block& block = f_.blocks[id];
    const std::uint32_t first = number_of(f_, block.first);
    if (block.width == 1) return node_name(f_, block.first, first);
    const std::string many = block.kind == NodeKind::leaf ? "leaves" : std::string(name_of(block.kind)) + "s";
    return fmt::format("{} {} to {}", many, first, first + block.width - 1);
  }

  [[nodiscard]] std::string down(BlockId id) const {
    return fmt::format("{} {} down", name(id), f_.blocks[id].width == 1 ? "is" : "are");
  }
  [[nodiscard]] const char* has(BlockId id) const { return f_.blocks[id].width == 1 ? "has" : "have"; }

  [[nodiscard]] bool is_down(BlockId id) const {
    const Block& block = f_.blocks[id];
    const auto first = alive_.begin() + block.first.index();
    return std::find(first, first + block.width, true) == first + block.width;
  }

  static std::string ports_down(std::uint32_t ports, const char* of, EndpointId endpoint) {
    const std::string whose = fmt::format("of the {} of GPU {}", of, endpoint.index());
    return ports == 1 ? fmt::format("the port {} is down", whose) : fmt::format("all {} ports {} are down", ports, whose);
  }

  [[nodiscard]] std::string reason_in_drawing(EndpointId from, EndpointId to) const {
    for (const EndpointId end : {from, to})
      if (!alive_[f_.node_of(end).index()])
        return fmt::format("all links of \"{}\" are down", f_.names[f_.node_of(end).index()]);
    return fmt::format("no path of live links is left from \"{}\" to \"{}\"", f_.names[f_.node_of(from).index()],
                       f_.names[f_.node_of(to).index()]);
  }

  const Fabric& f_;
  const LivePorts& live_;
  std::vector<bool> alive_;  // nodes that have a live port
};

}  // namespace

std::string why_unreachable(const Fabric& fabric, const LivePorts& live, EndpointId from, EndpointId to) {
  if (live.connects(from, to)) return {};
  return fmt::format("GPU {} cannot reach GPU {}: {}", from.index(), to.index(), Explanation(fabric, live).reason(from, to));
}

std::string why_down(const Fabric& fabric, const LivePorts& live, TrunkId trunk, EndpointId endpoint) {
  return Explanation(fabric, live).reason_at(trunk, endpoint, endpoint);
}

}  // namespace railyard
