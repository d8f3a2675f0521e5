#include "engine/packet/device/device_rows.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/out.h"

namespace railyard::packet::device {

namespace {

constexpr std::size_t kLeastArena = std::size_t{32} << 20;

template<class T>
std::span<const T> rows(const T* first, std::size_t count) {
  return {first, count};
}

}  // namespace

DeviceRows::DeviceRows(Network& network, Time span, Backend& backend)
    : control(backend),
      delivered(backend),
      acknowledged(backend),
      pauses(backend),
      looks(backend),
      rates(backend),
      network_(network),
      backend_(backend) {
  state.net = network.net;
  state.net.kept = nullptr;
  state.span = span;
  state.nodes = network.nodes();
  lay_out_nodes();
  lay_out_ports();
  lay_out_choices();
  lay_out_scratch();
  add_events();
  refill();
}

void DeviceRows::lay_out_nodes() {
  const Net& net = network_.net;
  const std::uint32_t nodes = network_.nodes();
  const Network::RowCounts counts = network_.row_counts();
  dcqcn_sets_.assign(rows(net.dcqcn_sets, counts.dcqcn_sets));
  profiles_.assign(rows(net.profiles, counts.profiles));
  profile_of_.assign(rows(net.profile_of, nodes));
  switches_.assign(rows<Switch>(net.switches, nodes));
  hosts_.assign(rows<Host>(net.hosts, nodes));
  first_port_.assign(rows(net.first_port, nodes + 1));
  first_link_.assign(rows(net.first_link, nodes + 1));
  std::vector<std::uint8_t> is_host(nodes);
  std::vector<std::uint32_t> switch_nodes, host_nodes;
  std::size_t keys = 0;
  for (std::uint32_t node = 0; node < nodes; node++) {
    is_host[node] = network_.is_host(node);
    if (net.first_port[node] != net.first_port[node + 1]) (is_host[node] ? host_nodes : switch_nodes).push_back(node);
    keys += 2 * std::size_t{network_.timer_leaves(node)};
  }
  // Those with most ports first: whoever is done takes the next.
  const auto ports_of = [&](std::uint32_t node) { return net.first_port[node + 1] - net.first_port[node]; };
  std::stable_sort(switch_nodes.begin(), switch_nodes.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return ports_of(a) > ports_of(b); });
  is_host_.assign(is_host);
  switch_nodes_.assign(switch_nodes);
  host_nodes_.assign(host_nodes);
  timer_keys_.assign(std::vector<std::uint64_t>(keys, kIdle));
  std::vector<TimerQueue> queues(nodes);
  std::uint64_t* at = timer_keys_.data();
  for (std::uint32_t node = 0; node < nodes; node++) {
    queues[node].others = EarliestTree::over(at, network_.timer_leaves(node));
    at += 2 * std::size_t{network_.timer_leaves(node)};
  }
  timer_queues_.assign(queues);
  marks_even_.reserve(nodes);
  marks_odd_.reserve(nodes);
  state.net.dcqcn_sets = dcqcn_sets_.data();
  state.net.profiles = profiles_.data();
  state.net.profile_of = profile_of_.data();
  state.net.switches = switches_.data();
  state.net.hosts = hosts_.data();
  state.net.first_port = first_port_.data();
  state.net.first_link = first_link_.data();
  state.net.timer_queues = timer_queues_.data();
  state.is_host = is_host_.data();
  state.switches = switch_nodes_.data();
  state.hosts = host_nodes_.data();
  state.switch_count = static_cast<std::uint32_t>(switch_nodes.size());
  state.host_count = static_cast<std::uint32_t>(host_nodes.size());
  visited_.reserve(nodes);
  state.visited = visited_.data();
  state.marks[0] = marks_even_.data();
  state.marks[1] = marks_odd_.data();
}

void DeviceRows::lay_out_ports() {
  const Net& net = network_.net;
  const std::uint32_t ports = network_.port_count();
  std::vector<Port> fresh(net.ports, net.ports + ports);
  for (Port& port : fresh) {
    port.ring = nullptr;
    port.ring_mask = port.ring_tail = port.ring_head_seen = port.ring_published = 0;
  }
  ports_.assign(fresh);
  if (net.port_profiles != nullptr) port_profiles_.assign(rows(net.port_profiles, ports));
  if (net.p.by_profile) stopped_.assign(rows<std::uint8_t>(net.stopped, ports));
  links_.assign(rows<Link>(net.links, ports));
  pause_counters_.assign(rows<PauseCounter>(net.pause_counters, std::size_t{ports} * kClasses));
  ingress_.assign(rows<Ingress>(net.ingress, std::size_t{ports} * kClasses));
  nics_.assign(std::vector<NicPort>(ports));
  pools_.assign(std::vector<Pool>(std::size_t{ports} * kClasses, {.slots = nullptr, .free = 0, .room = 0}));
  rings_.reserve(ports);
  frames_.reserve(ports);
  frame_writers_.reserve(ports);
  port_timers_.assign(std::vector<Time>(ports, kNever));
  for (std::uint32_t index = 0; index < ports; index++)
    if (network_.is_host(net.ports[index].node) && net.ports[index].to_host) state.hosts_meet = 1;
  state.net.ports = ports_.data();
  state.net.port_profiles = port_profiles_.data();
  state.net.stopped = stopped_.data();
  state.net.links = links_.data();
  state.net.faults = nullptr;
  state.net.pause_counters = pause_counters_.data();
  state.net.ingress = ingress_.data();
  state.net.nics = nics_.data();
  state.net.pools = pools_.data();
  state.rings = rings_.data();
  state.frames = frames_.data();
  state.frame_writers = frame_writers_.data();
  state.port_timers = port_timers_.data();
}

void DeviceRows::lay_out_choices() {
  const Net& net = network_.net;
  const Network::RowCounts counts = network_.row_counts();
  if (net.p.choice == Choice::path) return;
  const std::uint32_t nodes = network_.nodes();
  group_of_.assign(rows(net.group_of, nodes));
  next_hop_first_.assign(rows(net.next_hop_first, std::size_t{nodes} * net.groups + 1));
  next_hops_.assign(rows(net.next_hops, counts.next_hops));
  last_first_.assign(rows(net.last_first, nodes + 1));
  lasts_.assign(rows(net.lasts, counts.lasts));
  flowlets_.assign(rows<Net::Flowlet>(net.flowlets, counts.flowlets));
  state.net.group_of = group_of_.data();
  state.net.next_hop_first = next_hop_first_.data();
  state.net.next_hops = next_hops_.data();
  state.net.last_first = last_first_.data();
  state.net.lasts = lasts_.data();
  state.net.flowlets = flowlets_.data();
}

/// For every block of threads, room for the switch with the most ports. In a window no more packets leave a port than its wire
/// has time for.
void DeviceRows::lay_out_scratch() {
  const Net& net = network_.net;
  std::uint32_t most_ports = 1;
  std::size_t most_departures = 1, most_of_port = 1;
  const std::uint32_t smallest = std::max(1U, std::min({net.p.ack_size, net.p.cnp_size, net.p.header}));
  for (std::uint32_t node = 0; node < network_.nodes(); node++) {
    if (network_.is_host(node)) continue;
    std::size_t departures = 0;
    for (std::uint32_t port = net.first_port[node]; port < net.first_port[node + 1]; port++) {
      const auto of_port = static_cast<std::size_t>(state.span / std::max<Time>(1, net.ports[port].wire_time(smallest))) + 2;
      departures += of_port;
      most_of_port = std::max(most_of_port, of_port);
    }
    most_departures = std::max(most_departures, departures);
    most_ports = std::max(
        {most_ports, net.first_port[node + 1] - net.first_port[node], net.first_link[node + 1] - net.first_link[node]});
  }
  const std::uint32_t leaves = std::bit_ceil(most_ports);
  const auto in_lines = [](std::size_t bytes) { return (bytes + 127) / 128 * 128; };
  const std::size_t rows_bytes = most_ports * SwitchRows::kBytes;
  const std::size_t ingress_bytes = std::size_t{most_ports} * kClasses * sizeof(Ingress);
  const std::size_t all = in_lines(most_departures * sizeof(Departure)) + in_lines(rows_bytes) + in_lines(ingress_bytes) +
                          in_lines(2 * std::size_t{leaves} * sizeof(std::uint64_t));
  const std::uint32_t blocks = backend_.choose_blocks(state.switch_count);
  scratch_memory_.reserve(all * blocks);
  std::vector<Scratch> scratch(blocks);
  std::byte* at = scratch_memory_.data();
  const auto take = [&]<class T>(T*& pointer, std::size_t bytes) {
    pointer = reinterpret_cast<T*>(at);
    at += in_lines(bytes);
  };
  for (Scratch& one : scratch) {
    take(one.departures, most_departures * sizeof(Departure));
    take(one.rows, rows_bytes);
    take(one.ingress, ingress_bytes);
    one.departure_room = static_cast<std::uint32_t>(most_departures);
    one.most_of_port = static_cast<std::uint32_t>(most_of_port);
    take(one.timers, 2 * std::size_t{leaves} * sizeof(std::uint64_t));
    one.timer_leaves = leaves;
  }
  scratch_.assign(scratch);
  state.scratch = scratch_.data();
}

void DeviceRows::add_events() {
  state.event_room = std::max(1U << 16, 64 * state.host_count);
  state.pause_room = std::max(1U << 16, 16 * network_.port_count());
  delivered.reserve(state.event_room);
  acknowledged.reserve(state.event_room);
  pauses.reserve(state.pause_room);
  control.assign(std::vector<Control>(1));
  state.delivered = delivered.data();
  state.acknowledged = acknowledged.data();
  state.pauses = pauses.data();
  state.port_count = network_.port_count();
  looks.reserve(state.port_count);
  state.looks = looks.data();
  state.control = control.data();
}

bool DeviceRows::refill() {
  Arena arena;
  if (!memory_.empty()) {
    arena_.read({&arena, 1});
    if (arena.used < arena.size / 2) return false;
  }
  const std::size_t size = std::max(kLeastArena, std::size_t{network_.port_count()} * (std::size_t{8} << 10));
  memory_.push_back(std::make_unique<Array<std::byte>>(backend_));
  memory_.back()->reserve(size);
  arena = {memory_.back()->data(), size, 0};
  arena_.assign({&arena, 1});
  state.arena = arena_.data();
  return true;
}

bool DeviceRows::update(std::size_t messages) {
  const Net& net = network_.net;
  bool moved = messages_.reserve(messages);
  state.net.messages = messages_.data();
  const std::uint32_t flows = network_.flow_count();
  if (flows == flows_) return moved;
  const auto add = [&]<class T>(Array<T>& to, const T* from) {
    to.reserve(flows);
    to.write(flows_, rows(from + flows_, flows - flows_));
  };
  add(ends_, net.ends);
  std::vector<Sender> senders(net.senders, net.senders + flows);
  for (Sender& s : senders) s.message = s.oldest = s.newest = kNone;  // it is yet to be told of messages
  add(senders_, static_cast<const Sender*>(senders.data()));
  add(receivers_, static_cast<const Receiver*>(net.receivers));
  paths_.assign(rows(net.paths, (std::size_t{flows} * 2) << net.stride_shift));
  const Network::RowCounts counts = network_.row_counts();
  arrived_.reserve(counts.arrived);  // zeroed, and nothing has arrived of new flows
  told_.reserve(counts.told);
  state.net.ends = ends_.data();
  state.net.senders = senders_.data();
  state.net.receivers = receivers_.data();
  state.net.paths = paths_.data();
  state.net.stride_shift = net.stride_shift;
  state.net.classes = net.classes;
  state.net.arrived = arrived_.data();
  rates.reserve(flows);
  state.rates = rates.data();
  state.net.told = told_.data();
  state.flow_count = flows_ = flows;
  return true;
}

bool DeviceRows::set_offers(std::span<const Offer> offers, std::span<const std::uint32_t> first) {
  const bool moved = offers_.reserve(offers.size());
  const bool first_moved = offer_first_.reserve(first.size());
  offers_.write(0, offers);
  offer_first_.write(0, first);
  state.offers = offers_.data();
  state.offer_first = offer_first_.data();
  return moved || first_moved;
}

void DeviceRows::bring_all() {
  Net& net = network_.net;
  ports_.read({net.ports, network_.port_count()});
  pause_counters_.read({net.pause_counters, std::size_t{network_.port_count()} * kClasses});
  hosts_.read({net.hosts, network_.nodes()});
  senders_.read({net.senders, flows_});
  ingress_.read({net.ingress, std::size_t{network_.port_count()} * kClasses});
  switches_.read({net.switches, network_.nodes()});
  receivers_.read({net.receivers, flows_});
  bring_queues();
}

/// What waits in queues, into pools of nodes.
void DeviceRows::bring_queues() {
  Net& net = network_.net;
  std::vector<Pool> pools(std::size_t{network_.port_count()} * kClasses);
  pools_.read(pools);
  for (std::uint32_t node = 0; node < network_.nodes(); node++) network_.clear_pool(node);
  std::vector<Packet> slots;
  for (std::uint32_t index = 0; index < network_.port_count(); index++) {
    Port& port = net.ports[index];
    for (std::uint32_t c = 0; c < kClasses; c++) {
      Queue& queue = port.queue[c];
      const Pool& pool = pools[std::size_t{index} * kClasses + c];
      const std::uint32_t first = queue.head, count = Out::length(queue);
      queue.head = queue.tail = kNone;
      queue.bytes = 0;
      if (count == 0) continue;
      slots.resize(pool.room);
      backend_.to_host(slots.data(), pool.slots, slots.size() * sizeof(Packet));
      network_.reserve(port.node, count);
      for (std::uint32_t i = 0; i < count; i++)
        queue.push(net.pools[port.node], net.pools[port.node].take(slots[(first + i) & (pool.room - 1)]));
    }
  }
}

}  // namespace railyard::packet::device
