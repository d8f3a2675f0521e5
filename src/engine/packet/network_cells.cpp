// The rows of a scheduled fabric: links that cells take alike are one, and leaves have virtual output queues.
#include <algorithm>
#include <map>

#include "base/check.h"
#include "engine/packet/network.h"

namespace railyard::packet {

namespace {

bool is_above_leaves(Tier tier) {
  return tier == Tier::leaf_up || tier == Tier::leaf_down || tier == Tier::spine_up || tier == Tier::spine_down;
}

}  // namespace

/// Whether cells of every packet take all links of a trunk.
bool Network::takes_cells(TrunkId trunk) const { return net.p.scheduled && is_above_leaves(fabric_.trunk_tier[trunk]); }

bool Network::is_for_cells(std::uint32_t port) const {
  const PortId id = id_of(port);
  return id.valid() && takes_cells(fabric_.port_trunk[id]);
}

IdRange<PortId> Network::ids_of(std::uint32_t port) const {
  const PortId id = id_of(port);
  return is_for_cells(port) ? fabric_.trunk_ports[fabric_.port_trunk[id]] : IdRange<PortId>{id, 1};
}

/// All links of a trunk at once, between the first switches of its blocks: cells come by all of them, and from all of them.
Network::Wire Network::wire_of_cells(TrunkId trunk, std::span<const BitsPerSecond> taken) const {
  const IdRange<PortId> ports = fabric_.trunk_ports[trunk];
  const auto node_of = [&](NodeId node) { return fabric_.blocks[fabric_.block_of[node]].first.index(); };
  Wire wire{.id = ports.front().index(),
            .from = node_of(fabric_.port_from[ports.front()]),
            .to = node_of(fabric_.port_to[ports.front()]),
            .rate = {},
            .nominal = fabric_.trunk_rate(trunk),
            .delay = fabric_.trunk_delay[trunk],
            .cable = fabric_.trunk_cable[trunk],
            .by_credits = false,
            .ports = ports.size()};
  wire.rate = wire.nominal;
  for (std::size_t i = 0; i < ports.size() && !taken.empty(); i++) wire.rate -= taken[wire.id + i];
  return wire;
}

/// What switches do at links of cells: nothing is counted, marked, paused or dropped. Ports to hosts do as their switch does.
void Network::add_fabric_profile() {
  if (port_profiles_.empty())
    for (const Port& port : fresh_ports_) port_profiles_.push_back(profile_of_[port.node]);
  std::map<std::uint32_t, std::uint32_t> profile_of_cells;  // by that of the switch
  for (std::uint32_t port = 0; port < fresh_ports_.size(); port++) {
    if (!is_for_cells(port)) continue;
    const std::uint32_t of_switch = profile_of_[fresh_ports_[port].node];
    const auto [found, is_new] = profile_of_cells.try_emplace(of_switch, static_cast<std::uint32_t>(profiles_.size()));
    if (is_new) {
      Profile own = profiles_[of_switch];
      for (std::uint32_t c = 0; c < kClasses; c++) own.counted[c] = own.lossless[c] = own.marking[c].enabled = false;
      own.pfc = own.watchdog = false;
      profiles_.push_back(own);
    }
    port_profiles_[port] = found->second;
  }
}

/// Leaves, and how far they are from what is above them.
void Network::add_credit_places() {
  credit_places_.assign(nodes(), {});
  voqs_.resize(nodes());
  const auto delay = [&](TrunkId trunk) { return trunk.valid() ? fabric_.trunk_delay[trunk].count() : Time{0}; };
  for (const BlockId id : ids(fabric_.blocks)) {
    const Block& leaf = fabric_.blocks[id];
    if (leaf.kind != NodeKind::leaf) continue;
    RY_CHECK(leaf.width == 1, "a leaf of a scheduled fabric is one switch");
    CreditPlace& place = credit_places_[leaf.first.index()];
    place = {.pod = leaf.parent.valid() ? leaf.parent.index() : kNone, .up = delay(leaf.up), .down = delay(leaf.down)};
    if (!leaf.parent.valid()) continue;
    const Block& pod = fabric_.blocks[leaf.parent];
    place.pod_up = delay(pod.up), place.pod_down = delay(pod.down);
    std::int64_t hosts = 0;
    const std::uint32_t node = leaf.first.index();
    for (std::uint32_t port = first_port_[node]; port < first_port_[node + 1]; port++)
      if (fresh_ports_[port].to_host) hosts += fresh_ports_[port].rate;
    const std::int64_t rate = fresh_ports_[index_of_[fabric_.trunk_ports[leaf.down].front().index()]].rate;
    voqs_[node].fabric_rate = rate < hosts ? rate : 0;
  }
}

void Network::begin_virtual_queues() {
  for (std::uint32_t node = 0; node < nodes(); node++) {
    const std::int64_t rate = voqs_[node].fabric_rate;
    voqs_[node] = {};
    voqs_[node].fabric_rate = rate;
    if (!is_host_[node]) voqs_[node].ports.resize(first_port_[node + 1] - first_port_[node]);
  }
}

}  // namespace railyard::packet
