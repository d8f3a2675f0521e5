// The rows of a network as its fabric has them: wires, ports, switches with their buffers, hosts, next hops.
#include <algorithm>
#include <cmath>

#include "engine/packet/network.h"
#include "engine/packet/parameters.h"
#include "engine/qos_places.h"
#include "fabric/routes.h"
#include "plan/headroom.h"

namespace railyard::packet {

static_assert(2 * (kMostPacketPorts + 1) + 2 < 1U << kSlotBits && 3 * kMostScheduledPorts + 2 < 1U << kSlotBits);

/// Whether a link is run by credits: all of them, or those of an island.
bool Network::has_credits(NodeId from, NodeId to) const {
  if (net.p.credit_step == 0 || !plan_.credits.on_island) return net.p.credit_step != 0;
  for (const NodeId end : {from, to}) {
    if (fabric_.kind[end] == NodeKind::gateway) continue;
    const BlockId block = is_host_[end.index()] ? fabric_.leaf[InterfaceId(end.index())] : fabric_.block_of[end];
    if (block >= fabric_.island) return true;
  }
  return false;
}

std::vector<Network::Wire> Network::wires_of_fabric(std::span<const BitsPerSecond> taken) const {
  std::vector<Wire> wires;
  for (const PortId id : ids(fabric_.port_from)) {
    const TrunkId trunk = fabric_.port_trunk[id];
    if (is_scale_up(fabric_.trunk_tier[trunk])) continue;
    if (takes_cells(trunk)) {
      if (id == fabric_.trunk_ports[trunk].front()) wires.push_back(wire_of_cells(trunk, taken));
      continue;
    }
    const std::uint32_t from = fabric_.port_from[id].index(), to = fabric_.port_to[id].index();
    const bool host_end = is_host_[from] || is_host_[to];  // what the host itself needs is no matter of the wire
    const BitsPerSecond rate = fabric_.trunk_port_rate[trunk];
    wires.push_back({.id = id.index(),
                     .from = from,
                     .to = to,
                     .rate = taken.empty() ? rate : rate - taken[id.index()],
                     .nominal = rate,
                     .delay = fabric_.trunk_delay[trunk] - (host_end ? fabric_.host_latency : Picoseconds::zero()),
                     .cable = fabric_.trunk_cable[trunk],
                     .by_credits = has_credits(NodeId(from), NodeId(to))});
  }
  return wires;
}

/// A reducer is joined to its switch by a link as fast as all others of the switch together.
void Network::add_reducers(std::vector<Wire>& wires) {
  std::vector<BitsPerSecond> rate(nodes());
  for (const Wire& wire : wires) rate[wire.from] += wire.rate;
  auto id = static_cast<std::uint32_t>(fabric_.port_from.size());
  reducer_ports_.assign(nodes(), kNone);
  for (std::uint32_t node = 0; node < rate.size(); node++) {
    if (is_host_[node] || rate[node] == BitsPerSecond::zero()) continue;
    const std::uint32_t reducer = nodes();
    is_host_.push_back(true);
    reducer_ports_[node] = id;
    const bool by_credits = net.p.credit_step != 0;
    wires.push_back({id++, node, reducer, rate[node], rate[node], Picoseconds::zero(), kReducerStep, by_credits});
    wires.push_back({id++, reducer, node, rate[node], rate[node], kReducerStep, kReducerStep, by_credits});
  }
}

std::uint32_t Network::reverse(std::uint32_t id) const {
  const auto ports = static_cast<std::uint32_t>(fabric_.port_from.size());
  return id < ports ? reverse_of(fabric_, PortId(id)).index() : ports + ((id - ports) ^ 1);
}

/// Ports by sender and links by receiver, both in the order of their ids.
void Network::add_ports(const std::vector<Wire>& wires) {
  first_port_.assign(nodes() + 1, 0);
  first_link_.assign(nodes() + 1, 0);
  index_of_.assign(std::max<std::size_t>(fabric_.port_from.size(), wires.empty() ? 0 : wires.back().id + 1), kNone);
  for (const Wire& wire : wires) {
    first_port_[wire.from + 1]++;
    first_link_[wire.to + 1]++;
  }
  for (std::uint32_t node = 0; node < nodes(); node++) {
    first_port_[node + 1] += first_port_[node];
    first_link_[node + 1] += first_link_[node];
  }
  fresh_ports_.resize(wires.size());
  links_.resize(wires.size());
  port_id_.resize(wires.size());
  std::vector<std::uint32_t> next_port(first_port_.begin(), first_port_.end() - 1);
  std::vector<std::uint32_t> next_link(first_link_.begin(), first_link_.end() - 1);
  for (const Wire& wire : wires) {
    const std::uint32_t index = next_port[wire.from]++, link = next_link[wire.to]++;
    for (std::uint32_t i = 0; i < wire.ports; i++) index_of_[wire.id + i] = index;
    port_id_[index] = wire.id;
    Port& port = fresh_ports_[index];
    port.rate = wire.rate.count();
    RY_CHECK(port.rate > 0, "something is left of every port");
    port.per_byte = picoseconds_per_byte(port.rate);
    port.delay = wire.delay.count();
    port.node = wire.from;
    port.slot = static_cast<std::uint16_t>(index - first_port_[wire.from]);
    port.link = link;
    port.to = wire.to;
    port.to_host = is_host_[wire.to];
    port.cuts_through = net.p.cut_through && !port.to_host;
    port.by_credits = wire.by_credits;
    links_[link].port = index;
    links_[link].cable = wire.cable.count();
    links_[link].response = pause_response(plan_, wire.nominal).count();
  }
  for (const Port& port : fresh_ports_) net.p.mixed_rates = net.p.mixed_rates || port.rate != fresh_ports_.front().rate;
  for (Link& link : links_) link.back = index_of_[reverse(port_id_[link.port])];
}

/// PCIe holds back what NICs take in as it does what they send, each port of a host for itself.
void Network::limit_hosts() {
  for (std::uint32_t node = 0; node < nodes(); node++) {
    Host& host = fresh_hosts_[node];
    if (!is_host_[node] || host.is_reducer || host.stuck) continue;
    const std::int64_t limit = net.p.host_rate * (first_port_[node + 1] - first_port_[node]);
    std::int64_t links = 0;
    for (std::uint32_t port = first_port_[node]; port < first_port_[node + 1]; port++) links += fresh_ports_[port].rate;
    if (limit < links && (host.take_rate == 0 || limit < host.take_rate)) host.take_rate = limit;
  }
}

/// The set of all hosts first, then those of hosts that have another.
void Network::add_dcqcn() {
  RY_CHECK(plan_.dcqcn_sets.size() < 0xFFFF, "a row has room for the number of its set");
  dcqcn_sets_ = {dcqcn_of(plan_.dcqcn)};
  for (const DcqcnPlan& other : plan_.dcqcn_sets) dcqcn_sets_.push_back(dcqcn_of(other));
  for (const QosPlan::OwnDcqcn& own : plan_.qos.own_dcqcn)
    fresh_hosts_[own.host / fabric_.per_interface].dcqcn = static_cast<std::uint16_t>(own.set + 1);
}

void Network::add_nodes() {
  headroom_.assign(links_.size() * kClasses, Ingress{}.headroom_size);
  net.link_count = static_cast<std::uint32_t>(links_.size());
  shared_size_.assign(nodes(), 0);
  fresh_hosts_.assign(nodes(), Host{});
  for (std::uint32_t node = 0; node < nodes(); node++) {
    fresh_hosts_[node].is_reducer = is_reducer(node);
    fresh_hosts_[node].latency = is_reducer(node) ? 0 : fabric_.host_latency.count();
  }
  add_dcqcn();
  for (const QosPlan::OwnMark& mark : plan_.qos.own_marks) {
    fresh_hosts_[mark.host / fabric_.per_interface].data_class = mark.traffic_class;
    net.data_classes |= 1U << mark.traffic_class;
  }
  for (const QosPlan::OwnMark& mark : plan_.qos.own_cnp_marks) {
    fresh_hosts_[mark.host / fabric_.per_interface].cnp_class = mark.traffic_class;
    net.classes |= 1U << mark.traffic_class;
  }
  if (!plan_.qos.own_mtus.empty()) host_mtu_.assign(nodes(), kNone);
  for (const QosPlan::OwnMtu& own : plan_.qos.own_mtus) {
    std::uint32_t& mtu = host_mtu_[own.host / fabric_.per_interface];
    mtu = std::min(mtu, static_cast<std::uint32_t>(own.mtu.count()));
  }
  if (net.p.by_profile) stopped_.resize(fresh_ports_.size());
  for (const SlowReceiver& slow : plan_.slow) {
    Host& host = fresh_hosts_[slow.host / fabric_.per_interface];  // hosts that share a NIC are one node
    host.take_rate = slow.rate.count();
    host.stuck = slow.rate == BitsPerSecond::zero();
  }
  if (net.p.host_rate > 0) limit_hosts();
  timer_queue_ports_.resize(nodes());
  timer_queue_leaves_.resize(nodes());
  std::size_t keys = 0;
  for (std::uint32_t node = 0; node < nodes(); node++) {
    const std::uint32_t ports = first_port_[node + 1] - first_port_[node];
    RY_CHECK(ports <= kMostPacketPorts + 1, "a node has no more ports than can be numbered");  // and one to its reducer
    timer_queue_ports_[node] = is_host_[node] ? 2 : 2 * ports + 2;
    timer_queue_leaves_[node] = net.p.scheduled                    ? std::bit_ceil(3 * ports + 2)
                                : is_host_[node] || net.p.watchdog ? std::bit_ceil(2 * ports + 2)
                                                                   : 1;
    keys += timer_queue_ports_[node] + 2 * std::size_t{timer_queue_leaves_[node]};
    if (!is_host_[node]) set_aside(node);
  }
  timer_keys_.resize(keys);
  pools_.resize(nodes());
  pool_size_.resize(nodes());
  waiting_.resize(fresh_ports_.size());
  alarms_.resize(fresh_ports_.size());
}

/// What the plan says of the port that a link comes in by; none: nothing but what holds for all.
const DeviceQos* Network::qos_of(std::uint32_t link) const {
  if (qos_of_.empty() || is_for_cells(links_[link].port)) return nullptr;
  const std::uint32_t node = fresh_ports_[links_[link].port].to;
  const bool own = !port_profiles_.empty() && !is_host_[node];  // of switches, plan and engine count alike
  return &plan_.qos.profiles[own ? port_profiles_[links_[link].back] : qos_of_[node]];
}

const Profile& Network::profile_of_link(std::uint32_t link) const {
  if (!port_profiles_.empty()) return profiles_[port_profiles_[links_[link].back]];
  return profiles_[profile_of_[fresh_ports_[links_[link].port].to]];
}

/// Ports that do otherwise than their switch; all others as theirs.
void Network::add_port_profiles() {
  if (plan_.qos.own_ports.empty()) return;
  for (const Port& port : fresh_ports_) port_profiles_.push_back(profile_of_[port.node]);
  const std::vector<std::uint32_t> by_port = profiles_by_port(plan_.qos, fabric_);
  for (std::uint32_t port = 0; port < fresh_ports_.size(); port++)
    if (id_of(port).valid() && !is_host_[fresh_ports_[port].node]) port_profiles_[port] = by_port[port_id_[port]];
  for (const std::uint32_t one : port_profiles_) {
    net.p.pfc = net.p.pfc || profiles_[one].pfc;
    net.p.watchdog = net.p.watchdog || profiles_[one].watchdog;
  }
}

/// Profiles of the plan, for switches and for NICs; else one for all, by the parameters. Where all nodes do the same and
/// classes have queues of their own, parameters say it, too.
void Network::add_profiles() {
  const std::vector<DeviceQos>& all = plan_.qos.profiles;
  if (all.empty()) {
    profiles_ = {profile_of(net.p)};
    profile_of_.assign(nodes(), 0);
    return;
  }
  qos_of_ = profiles_by_node(plan_.qos, fabric_);
  qos_of_.resize(nodes(), plan_.qos.of_tier[static_cast<std::size_t>(DeviceTier::nic)]);  // reducers
  for (const bool is_host : {false, true})
    for (const DeviceQos& device : all) profiles_.push_back(profile_of(device, is_host));
  profile_of_.resize(nodes());
  for (std::uint32_t node = 0; node < nodes(); node++)
    profile_of_[node] = qos_of_[node] + (is_host_[node] ? static_cast<std::uint32_t>(all.size()) : 0);
  const bool alike = std::all_of(qos_of_.begin(), qos_of_.end(), [&](std::uint32_t one) { return one == qos_of_.front(); });
  net.p.by_profile = !(alike && plan_.qos.own_marks.empty() && plan_.qos.own_cnp_marks.empty() && plan_.qos.own_ports.empty() &&
                       adopt(profiles_[qos_of_.front()], net.p));
  net.p.pfc = net.p.watchdog = false;
  for (const std::uint32_t one : profile_of_) {
    net.p.pfc = net.p.pfc || profiles_[one].pfc;
    net.p.watchdog = net.p.watchdog || profiles_[one].watchdog;
  }
}

/// Headroom of one lossless group for what comes in over a link.
Bytes Network::headroom_before(std::uint32_t link, std::uint32_t group) const {
  const Port& from = fresh_ports_[links_[link].port];
  const DeviceQos* const qos = qos_of(link);
  const std::optional<Bytes> given = qos ? qos->groups[qos->classes[group].group].headroom : std::nullopt;
  const Picoseconds cable = qos && qos->cable ? *qos->cable : Picoseconds(links_[link].cable);
  return given ? *given : headroom_of(plan_, BitsPerSecond(from.rate), cable);
}

/// What a switch keeps for each of its links; the rest is shared. What comes from its reducer is in memory of that.
void Network::set_aside(std::uint32_t node) {
  std::uint64_t kept = 0;
  for (std::uint32_t link = first_link_[node]; link < first_link_[node + 1]; link++) {
    const Port& from = fresh_ports_[links_[link].port];
    if (is_for_cells(links_[link].port)) continue;
    const BitsPerSecond rate(from.rate);
    const Profile& profile = profile_of_link(link);
    if (const DeviceQos* qos = qos_of(link); qos != nullptr && !is_reducer(from.node))
      kept += static_cast<std::uint64_t>(kept_for_link(*qos, plan_, rate, Picoseconds(links_[link].cable)).count());
    else if (net.p.pfc && !from.by_credits && !is_reducer(from.node))
      kept += plan_.buffer.idle_lossless * static_cast<std::uint64_t>(headroom_before(link, kDataClass).count());
    for (std::uint8_t c = 0; c < kClasses; c++) {
      if (!profile.counted[c] || profile.group[c] != c) continue;
      std::uint32_t& set_aside = headroom_[net.ingress_index(link, c)];
      if (is_reducer(from.node)) {
        set_aside = kNone;
        continue;
      }
      if (qos_of_.empty()) kept += net.p.reserve;
      if (!profile.lossless[c] || !profile.pfc || from.by_credits) continue;
      const Bytes headroom = headroom_before(link, c);
      // Packets are counted once the switch has looked at them: those it is looking at have a place already, in the pipeline.
      const Bytes looked_at = bytes_in(Picoseconds(from.delay - links_[link].cable), rate) + largest_packet_;
      set_aside = static_cast<std::uint32_t>((headroom + looked_at).count());
      if (qos_of_.empty()) kept += static_cast<std::uint64_t>(headroom.count());
    }
  }
  const auto size = static_cast<std::uint64_t>(plan_.buffer.size.count());
  shared_size_[node] = size > kept ? size - kept : 0;
}

/// Hosts under one leaf are a group: switches send what goes to them alike, but at that leaf. To reducers packets take the
/// paths of their flows.
void Network::add_choices() {
  last_first_.assign(nodes() + 1, 0);
  for (std::uint32_t host = 0; host < nodes(); host++) {
    last_first_[host] = static_cast<std::uint32_t>(lasts_.size());
    if (!is_host_[host]) continue;
    for (std::uint32_t link = first_link_[host]; link < first_link_[host + 1]; link++)
      lasts_.push_back({fresh_ports_[links_[link].port].node, links_[link].port});
  }
  last_first_[nodes()] = static_cast<std::uint32_t>(lasts_.size());
  choose_among(LivePorts(fabric_));
  if (net.p.choice == Choice::flowlet) flowlets_.resize(std::size_t{nodes()} * Net::kFlowlets);
}

/// Hosts that have lost a link of their own are alike to no others.
void Network::find_groups(const LivePorts& live) {
  group_of_.assign(nodes(), 0);
  stands_for_.clear();
  const auto has_lost_link = [&](std::uint32_t host) {
    for (std::uint32_t link = first_link_[host]; link < first_link_[host + 1]; link++)
      if (!live.is_live(id_of(links_[link].port))) return true;
    return false;
  };
  std::vector<std::uint32_t> alone;
  for (std::uint32_t host = 0; host < nodes(); host++) {
    if (!is_host_[host]) continue;
    if (is_reducer(host)) {
      group_of_[host] = kNone;
      continue;
    }
    if (has_lost_link(host)) {
      alone.push_back(host);
      continue;
    }
    const std::uint32_t group =
        fabric_.drawn ? static_cast<std::uint32_t>(stands_for_.size()) : fabric_.leaf[InterfaceId(host)].index();
    if (group >= stands_for_.size()) stands_for_.resize(group + 1, kNone);
    if (stands_for_[group] == kNone) stands_for_[group] = host;
    group_of_[host] = group;
  }
  for (const std::uint32_t host : alone) {
    group_of_[host] = static_cast<std::uint32_t>(stands_for_.size());
    stands_for_.push_back(host);
  }
}

/// Where every switch may send what goes to a group. Where nothing leads on any more it goes on as before, and is lost.
void Network::choose_among(const LivePorts& live) {
  find_groups(live);
  const bool whole = live.all_live() && live.none_withdrawn();
  net.groups = static_cast<std::uint32_t>(stands_for_.size());
  next_hops_.clear();
  next_hop_first_.clear();
  next_hop_first_.reserve(std::size_t{nodes()} * net.groups + 1);
  for (std::uint32_t node = 0; node < nodes(); node++)
    for (std::uint32_t group = 0; group < net.groups; group++) {
      next_hop_first_.push_back(static_cast<std::uint32_t>(next_hops_.size()));
      if (is_host_[node] || first_port_[node] == first_port_[node + 1] || stands_for_[group] == kNone) continue;
      const EndpointId to(stands_for_[group] * fabric_.per_interface);
      if (!whole)
        for (const PortId port : live.hops(NodeId(node), to)) next_hops_.push_back(index_of_[port.index()]);
      if (next_hops_.size() > next_hop_first_.back()) continue;
      const Hops hops = next_hops(fabric_, NodeId(node), to);
      for (std::uint32_t i = 0; i < hops.size(); i++) next_hops_.push_back(index_of_[hops[i].index()]);
    }
  next_hop_first_.push_back(static_cast<std::uint32_t>(next_hops_.size()));
  refresh();
}

/// Rows that change, as they are at first.
void Network::begin_rows() {
  ports_.make_room(fresh_ports_.size());
  pause_counters_.make_room(fresh_ports_.size() * kClasses);
  nics_.make_room(fresh_ports_.size());
  ingress_.make_room(headroom_.size());
  for (std::size_t i = 0; i < fresh_ports_.size(); i++) {
    const Port& port = fresh_ports_[i];
    if (is_here(port)) ports_.begin(i, port);
    for (std::uint32_t c = 0; c < kClasses && is_own(port.node); c++) pause_counters_.begin(i * kClasses + c, {});
    if (is_own(port.node)) nics_.begin(i, {});
    for (std::uint32_t c = 0; c < kClasses && is_own(port.to); c++) {
      const std::size_t ingress = net.ingress_index(port.link, c);
      ingress_.begin(ingress, {.headroom_size = headroom_[ingress]});
    }
  }
  switches_.make_room(nodes());
  for (std::uint32_t node = 0; node < nodes(); node++)
    if (is_own(node)) switches_.begin(node, {.shared_size = shared_size_[node]});
  hosts_ = fresh_hosts_;
}

std::vector<std::uint32_t> Network::workers_by_node(std::uint32_t workers) const {
  std::vector<std::uint32_t> found(nodes(), 0);
  if (workers == 1) return found;
  const auto switches = static_cast<std::uint32_t>(fabric_.kind.size());
  for (std::uint32_t first = 0; first < switches;) {  // those of one kind are neighbours
    const NodeKind kind = fabric_.kind[NodeId(first)];
    std::uint32_t past = first;
    while (past < switches && fabric_.kind[NodeId(past)] == kind) past++;
    for (std::uint32_t node = first; node < past; node++)
      found[node] = static_cast<std::uint32_t>(std::uint64_t{node - first} * workers / (past - first));
    first = past;
  }
  for (std::uint32_t node = 0; node < nodes(); node++)
    if (is_host_[node])
      found[node] = first_port_[node] == first_port_[node + 1] ? 0 : found[fresh_ports_[first_port_[node]].to];
  return found;
}

}  // namespace railyard::packet
