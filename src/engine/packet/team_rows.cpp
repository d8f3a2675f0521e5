#include "engine/packet/team_rows.h"

#include <utility>

#include "engine/packet/lookahead_scheduler.h"

namespace railyard::packet {

namespace {

/// Rows of one kind after the other, so that no message is larger than a part of the largest. Of each kind a process sends what
/// is at its nodes in the order of indices, which the first process knows, too.
class RowCarrier {
 public:
  RowCarrier(Network& network, TeamPost& team) : network_(network), team_(team) {}

  /// `pack(i, out)` and `take(i, rest)` for each of `count` things; `node_of(i)` is where it is.
  template<class NodeOf, class Pack, class Take>
  void carry(std::uint32_t count, const NodeOf& node_of, const Pack& pack, const Take& take) {
    if (team_.rank() > 0) {
      for (std::uint32_t i = 0; i < count; i++)
        if (network_.process_of(node_of(i)) == team_.rank()) pack(i, team_.outbox(0));
      return team_.swap();
    }
    team_.swap();
    std::vector<std::string_view> rest;
    for (unsigned from = 0; from < team_.size(); from++) rest.push_back(team_.inbox(from));
    for (std::uint32_t i = 0; i < count; i++)
      if (const std::uint32_t from = network_.process_of(node_of(i)); from > 0) take(i, rest[from]);
  }

  /// The same for rows that are taken as they are, `each` of them for each thing.
  template<class Row, class NodeOf>
  void carry_rows(Row* rows, std::uint32_t count, const NodeOf& node_of, std::uint32_t each = 1) {
    carry(
        count, node_of, [&](std::uint32_t i, std::string& out) { pack_rows(rows + std::size_t{i} * each, each, out); },
        [&](std::uint32_t i, std::string_view& rest) { unpack_rows(rest, rows + std::size_t{i} * each, each); });
  }

  void carry_all() {
    Net& net = network_.net;
    const auto itself = [](std::uint32_t node) { return node; };
    const auto of_port = [&](std::uint32_t port) { return network_.port_as_built(port).node; };
    const auto of_link = [&](std::uint32_t link) { return network_.port_as_built(net.links[link].port).to; };
    const auto of_flow = [&](std::uint32_t flow) { return net.ends[flow].from; };
    carry(
        network_.port_count(), of_port, [&](std::uint32_t port, std::string& out) { pack_row(net.ports[port], out); },
        [&](std::uint32_t port, std::string_view& rest) { take_port(net.ports[port], unpack_row<Port>(rest)); });
    carry_rows(net.pause_counters, network_.port_count(), of_port, kClasses);
    for (std::uint32_t c = 0; c < kClasses; c++)
      carry_rows(net.ingress + std::size_t{c} * net.link_count, net.link_count, of_link);
    carry_rows(net.switches, network_.nodes(), itself);
    carry_rows(net.hosts, network_.nodes(), itself);
    carry_rows(net.senders, network_.flow_count(), of_flow);
    carry(
        network_.nodes(), itself, [&](std::uint32_t node, std::string& out) { pack_pool(node, out); },
        [&](std::uint32_t node, std::string_view& rest) { take_pool(node, rest); });
  }

 private:
  /// Where its ring is stays as it is: memory of this process.
  static void take_port(Port& port, const Port& as_sent) {
    Port other = as_sent;
    other.ring = port.ring;
    other.ring_mask = port.ring_mask;
    other.ring_tail = port.ring_tail;
    other.ring_head_seen = port.ring_head_seen;
    other.ring_published = port.ring_published;
    port = other;
  }

  /// What waits, where anything does.
  void pack_pool(std::uint32_t node, std::string& out) const {
    const Net& net = network_.net;
    bool waits = false;
    for (std::uint32_t port = net.first_port[node]; port < net.first_port[node + 1]; port++)
      waits = waits || net.ports[port].filled != 0 || net.ports[port].backlog != 0;
    const std::uint32_t slots = waits ? network_.pool_slots(node) : 0;
    pack_row(slots, out);
    pack_rows(net.pools[node].slots, slots, out);
  }
  void take_pool(std::uint32_t node, std::string_view& rest) {
    std::vector<Packet> slots(unpack_row<std::uint32_t>(rest));
    if (slots.empty()) return;
    unpack_rows(rest, slots.data(), slots.size());
    network_.adopt_pool(node, slots);
  }

  Network& network_;
  TeamPost& team_;
};

void carry_pauses(std::vector<PauseRecord>& pauses, TeamPost& team) {
  if (team.rank() > 0) {
    pack_rows(pauses.data(), pauses.size(), team.outbox(0));
    pauses.clear();
  }
  team.swap();
  if (team.rank() > 0) return;
  for (unsigned from = 1; from < team.size(); from++) {
    std::string_view rest = team.inbox(from);
    const std::size_t before = pauses.size();
    pauses.resize(before + rest.size() / sizeof(PauseRecord));
    unpack_rows(rest, pauses.data() + before, pauses.size() - before);
  }
}

/// Which ports have something to show only who played them knows: all are looked at.
void carry_samples(const Network& network, Sampler& sampler, TeamPost& team) {
  if (team.rank() > 0) sampler.tell(team.outbox(0));
  team.swap();
  if (team.rank() > 0) return;
  std::vector<std::string_view> others;
  for (unsigned from = 1; from < team.size(); from++) others.push_back(team.inbox(from));
  sampler.adopt(others);
  for (std::uint32_t port = 0; port < network.port_count(); port++) sampler.look_at(port);
}

}  // namespace

void bring_to_first(Network& network, LookaheadScheduler& windows, TeamPost& team) {
  RowCarrier(network, team).carry_all();
  carry_pauses(windows.pauses, team);
  carry_samples(network, windows.sampler, team);
}

}  // namespace railyard::packet
