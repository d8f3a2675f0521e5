#include "engine/packet/network.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/packet/parameters.h"
#include "engine/packet/receiver_credits.h"
#include "fabric/routes.h"
#include "plan/headroom.h"

namespace railyard::packet {

namespace {

constexpr std::uint32_t kLeastRoom = 32;  // packets that a pool is made larger by
constexpr std::int64_t kNoLimit = std::int64_t{1} << 48;
constexpr std::uint32_t kSelectiveWindow = 4096;  // packets that selective repeat can tell apart

}  // namespace

Network::Network(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, const PacketPlan& plan,
                 const PacketOptions& options, NetworkShare share)
    : fabric_(fabric), plan_(plan), routing_(routing), taken_(options.taken), share_(share) {
  net.p = parameters_of(fabric, wire, routing, plan);
  if (net.p.has_windows()) {
    net.bitmap = kSelectiveWindow;
  } else if (net.p.selective) {
    net.bitmap = kSelectiveWindow;
    net.p.window = net.p.window == 0 ? kSelectiveWindow / 2 : std::min(net.p.window, kSelectiveWindow / 2);
  }
  is_host_.resize(fabric.kind.size());
  for (const NodeId node : ids(fabric.kind)) is_host_[node.index()] = fabric.kind[node] == NodeKind::host;
  std::vector<Wire> wires = wires_of_fabric(options.taken);
  net.p.reduces = options.reduces;
  net.p.fails = !options.failures.empty() || !plan.host_faults.empty();
  net.p.mixed = options.beside.has_value();
  net.p.marks_beside = options.beside && options.beside->reads_marks;
  largest_packet_ = wire.mtu + wire.header;
  if (options.beside) largest_packet_ = std::max(largest_packet_, options.beside->wire.mtu + options.beside->wire.header);
  if (options.reduces) add_reducers(wires);
  add_profiles();
  if (options.beside) mark_beside(*options.beside);
  add_ports(wires);
  add_port_profiles();
  if (net.p.scheduled) add_fabric_profile(), add_credit_places();
  add_nodes();
  if (net.p.choice != Choice::path || net.p.fails) add_choices();
  if (net.p.fails) faults_.resize(links_.size());
  if (net.p.credit_step > 0) {
    freed_.resize(links_.size() * kClasses);
    credits_.resize(fresh_ports_.size() * kClasses);
  }
  if (net.p.tells_load) loads_.resize(fresh_ports_.size());
  if (options.beside) add_beside(*options.beside);
  if (share_.processes > 1) process_of_ = workers_by_node(share_.processes);
  restart();
}

/// Where devices have no QoS of their own, the queue of the second transport marks as that wants it; what devices do with a
/// class is up to each of them from here on.
void Network::mark_beside(const TransportBeside& second) {
  net.p.by_profile = true;
  if (!plan_.qos.profiles.empty()) return;
  Profile& all = profiles_.front();
  for (std::uint8_t c = 0; c < kClasses; c++) {
    all.priority[c] = c;
    all.stops[c] = static_cast<std::uint8_t>(1U << c);
  }
  if (second.marked_class) all.marking[*second.marked_class] = marking_of(second.ecn);
}

/// Queue pairs of both transports take turns on the same ports, so that all but what NICs do is the same.
void Network::add_beside(const TransportBeside& second) {
  RY_CHECK(!net.p.has_windows() && net.p.credit_step == 0, "the first of two transports has rates, and no credits");
  beside.p = parameters_beside(net.p, fabric_, routing_, plan_, second);
  beside.bitmap = kSelectiveWindow;
}

void Network::restart() {
  begin_rows();
  std::fill(faults_.begin(), faults_.end(), LinkFault{});
  std::fill(stopped_.begin(), stopped_.end(), 0);
  if (!plan_.host_faults.empty()) kept_.assign(nodes(), {});
  std::size_t at = 0;
  timer_queues_.resize(nodes());
  for (std::uint32_t node = 0; node < nodes(); node++) {
    timer_queues_[node].ports = SortedRun(timer_keys_.data() + at, timer_queue_ports_[node]);
    at += timer_queue_ports_[node];
    timer_queues_[node].others = EarliestTree(timer_keys_.data() + at, timer_queue_leaves_[node]);
    at += 2 * std::size_t{timer_queue_leaves_[node]};
    if (pool_size_[node] > 0)
      slots_.give_back(pools_[node].slots, static_cast<std::uint32_t>(std::countr_zero(pool_size_[node])));
    pool_size_[node] = 0;
    pools_[node] = Pool{};
  }
  messages_.clear();
  kept_rows_.clear();
  free_messages_.clear();
  std::fill(flowlets_.begin(), flowlets_.end(), Net::Flowlet{-kNever, kNone, 0});
  std::fill(arrived_.begin(), arrived_.end(), 0);
  std::fill(told_.begin(), told_.end(), 0);
  std::fill(receivers_.begin(), receivers_.end(), Receiver{});
  std::fill(freed_.begin(), freed_.end(), 0);
  std::fill(credits_.begin(), credits_.end(), plan_.credits.room.count());
  for (std::size_t i = 0; i < credits_.size(); i++)
    if (!id_of(static_cast<std::uint32_t>(i / kClasses)).valid()) credits_[i] = kNoLimit;
  std::fill(loads_.begin(), loads_.end(), Net::Load{});
  if (net.p.scheduled) begin_virtual_queues();
  for (std::uint32_t flow = 0; flow < flow_count(); flow++) {
    Sender& s = senders_[flow];
    const Sender old = s;
    s = Sender{};
    s.port = old.port;
    s.host_from = old.host_from;
    s.host_to = old.host_to;
    s.traffic_class = old.traffic_class;
    s.beside = old.beside;
    begin_flow(flow);
  }
  refresh();
}

/// A flow's congestion control at the start.
void Network::begin_flow(std::uint32_t flow) {
  Sender& s = senders_[flow];
  if (is_reducer(s.host_from)) s.pace = paths_[std::size_t{flow} * 2 * stride_ + 1];  // what its switch can pass on
  const std::uint32_t slowest = s.pace == kNone ? s.port : s.pace;
  const std::int64_t line = (is_here(fresh_ports_[slowest]) ? ports_[slowest] : fresh_ports_[slowest]).rate;
  s.dcqcn = fresh_hosts_[s.host_from].dcqcn;
  const Parameters& p = net_of(s).p;
  if (!p.has_windows()) return reset(s.rate, dcqcn_sets_[s.dcqcn], line);
  s.window = Window{};
  s.window.round_trip = round_trip_of(flow);
  begin(s.window, p.control, line);
  if (!net.p.receiver_credits) return;
  const std::int64_t given = net.p.control.limits.first;
  const std::int64_t first = given > 0 ? given : bytes_in_flight(s.window.round_trip, line);
  const auto packets = static_cast<std::uint32_t>(std::clamp<std::int64_t>(first / net.p.mtu, 1, kMostInFlight));
  allowances_[flow] = {.first = packets};
  demands_[flow] = {.first = packets};
}

/// Credits that a host may give in a time, at most.
std::uint32_t Network::most_grants(Time span) const {
  if (!net.p.receiver_credits) return 0;
  std::int64_t rate = 0;
  for (std::uint32_t node = 0; node < nodes(); node++)
    if (is_host_[node] && is_own(node)) rate = std::max(rate, rate_of(net, node));
  return rate > 0 ? static_cast<std::uint32_t>(span / grant_time(net, rate, 1)) + 2 : 0;
}

/// Of a full packet and its ACK that meet no others. To a neighbour the way is so short that waiting for as many packets as an
/// ACK answers counts, too.
Time Network::round_trip_of(std::uint32_t flow) const {
  Time sum = 0, slowest = 0;
  const Parameters& p = net_of(senders_[flow]).p;
  for (const bool back : {false, true}) {
    const std::uint32_t size = back ? p.ack_size : p.most_packet;
    const std::uint32_t* const path = paths_.data() + (std::size_t{flow} * 2 + back) * stride_;
    for (std::uint32_t hop = 0; hop < stride_ && path[hop] != kNone; hop++) {
      const Port& port = fresh_ports_[path[hop]];
      sum += port.delay + (port.cuts_through ? 0 : port.wire_time(size));
      slowest = std::max(slowest, port.wire_time(p.most_packet));
    }
  }
  if (is_reducer(ends_[flow].from) || is_reducer(ends_[flow].to)) sum += p.ack_every * slowest;
  return sum;
}

/// Rows may have moved.
void Network::refresh() {
  net.dcqcn_sets = dcqcn_sets_.data();
  net.profiles = profiles_.data();
  net.profile_of = profile_of_.data();
  net.port_profiles = port_profiles_.empty() ? nullptr : port_profiles_.data();
  net.stopped = stopped_.data();
  net.ports = ports_.data();
  net.links = links_.data();
  net.faults = faults_.data();
  net.pause_counters = pause_counters_.data();
  net.ingress = ingress_.data();
  net.switches = switches_.data();
  net.hosts = hosts_.data();
  net.kept = kept_.empty() ? nullptr : kept_.data();
  net.nics = nics_.data();
  net.pools = pools_.data();
  net.timer_queues = timer_queues_.data();
  net.first_port = first_port_.data();
  net.first_link = first_link_.data();
  net.ends = ends_.data();
  net.senders = senders_.data();
  net.receivers = receivers_.data();
  net.messages = messages_.data();
  net.paths = paths_.data();
  net.stride_shift = static_cast<std::uint32_t>(std::countr_zero(stride_));
  net.group_of = group_of_.data();
  net.next_hop_first = next_hop_first_.data();
  net.next_hops = next_hops_.data();
  net.last_first = last_first_.data();
  net.lasts = lasts_.data();
  net.flowlets = flowlets_.data();
  net.arrived = arrived_.data();
  net.told = told_.data();
  net.credits = credits_.data();
  net.freed = freed_.data();
  net.loads = loads_.data();
  net.voqs = voqs_.data();
  net.credit_places = credit_places_.data();
  net.allowances = allowances_.data();
  net.demands = demands_.data();
  if (!net.p.mixed) return;
  const Parameters own = beside.p;
  const std::uint32_t bitmap = beside.bitmap;
  beside = net;
  beside.p = own;
  beside.bitmap = bitmap;
}

/// Paths have room for so many ports.
void Network::lay_out_paths(std::uint32_t longest) {
  if (longest <= stride_) return;
  const std::uint32_t wider = std::bit_ceil(longest);
  const std::size_t rows = std::size_t{flow_count()} * 2;
  LargeArray<std::uint32_t> moved(rows * wider, kNone);
  for (std::size_t row = 0; row < rows; row++)
    std::copy_n(paths_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_,
                moved.begin() + static_cast<std::ptrdiff_t>(row * wider));
  paths_ = std::move(moved);
  stride_ = wider;
}

/// A port of a host may have one more flow.
void Network::make_room_at(std::uint32_t port) {
  if (!is_own(fresh_ports_[port].node)) return;
  for (auto* heap : {&waiting_, &alarms_}) (*heap)[port].resize((*heap)[port].size() + 1);
  nics_[port].waiting.entries = waiting_[port].data();
  nics_[port].alarms.entries = alarms_[port].data();
  nics_[port].waiting.room = nics_[port].alarms.room = static_cast<std::uint32_t>(waiting_[port].size());
}

void Network::set_rate(std::uint32_t port, BitsPerSecond rate) {
  constexpr std::int64_t kLeastShare = 20;  // a twentieth, as slices leave of what has not failed
  if (!taken_.empty() && id_of(port).valid()) rate = std::max(rate - taken_[id_of(port).index()], rate / kLeastShare);
  ports_[port].rate = rate.count();
  ports_[port].per_byte = picoseconds_per_byte(rate.count());
}

void Network::recount_credits(std::uint32_t port, bool is_down) {
  const Port& p = ports_[port];
  for (std::uint32_t c = 0; c < kClasses && p.by_credits; c++) {
    const std::int64_t held = p.to_host ? 0 : ingress_[net.ingress_index(p.link, c)].held;
    credits_[std::size_t{port} * kClasses + c] = is_down ? kNoLimit : plan_.credits.room.count() - held;
    freed_[std::size_t{p.link} * kClasses + c] = 0;
  }
}

bool Network::set_path(std::uint32_t flow, std::span<const PortId> there, std::span<const PortId> back) {
  lay_out_paths(static_cast<std::uint32_t>(std::max(there.size(), back.size())));
  bool changed = false;
  std::uint32_t* row = paths_.data() + std::size_t{flow} * 2 * stride_;
  for (const std::span<const PortId> path : {there, back}) {
    for (std::uint32_t hop = 0; hop < stride_; hop++) {
      const std::uint32_t port = hop < path.size() ? index_of_[path[hop].index()] : kNone;
      changed = changed || row[hop] != port;
      row[hop] = port;
    }
    row += stride_;
  }
  const std::uint32_t first = index_of_[there.front().index()];
  if (first != senders_[flow].port) make_room_at(first);
  refresh();
  return changed;
}

std::uint32_t Network::add_flow(std::span<const PortId> there, std::span<const PortId> back, std::uint8_t traffic_class,
                                bool of_second) {
  const auto flow = static_cast<std::uint32_t>(senders_.size());
  lay_out_paths(static_cast<std::uint32_t>(std::max(there.size(), back.size())));
  for (const std::span<const PortId> path : {there, back}) {
    for (const PortId port : path) paths_.push_back(index_of_[port.index()]);
    paths_.resize(paths_.size() + stride_ - path.size(), kNone);
  }
  Sender sender;
  sender.port = index_of_[there.front().index()];
  sender.host_from = fresh_ports_[sender.port].node;
  sender.host_to = fresh_ports_[index_of_[back.front().index()]].node;
  sender.traffic_class = traffic_class;
  sender.beside = of_second;
  net.classes |= 1U << traffic_class | 1U << kControlClass;
  senders_.push_back(sender);
  ends_.push_back({sender.host_from, sender.host_to});
  receivers_.emplace_back();
  if (net.p.receiver_credits) allowances_.emplace_back(), demands_.emplace_back();
  begin_flow(flow);
  if (net.p.tells_load) net.p.control.load_period = std::max(net.p.control.load_period, round_trip_of(flow));
  make_room_at(sender.port);
  if (const std::uint32_t bitmap = std::max(net.bitmap, beside.bitmap); bitmap > 0) {
    arrived_.resize(arrived_.size() + 2 * bitmap / 64);
    told_.resize(told_.size() + bitmap / 64);
  }
  refresh();
  return flow;
}

/// What two ends agree on: the smaller of what their NICs take.
std::uint32_t Network::mtu_of(const Sender& s) const {
  const std::uint32_t own = net_of(s).p.mtu;
  return host_mtu_.empty() ? own : std::min({own, host_mtu_[s.host_from], host_mtu_[s.host_to]});
}

void Network::add_message(std::uint32_t flow, Bytes payload, Time from) {
  Sender& s = senders_[flow];
  const std::int64_t mtu = mtu_of(s);
  const std::int64_t packets = std::max<std::int64_t>(1, (payload.count() + mtu - 1) / mtu);
  Outgoing message;
  message.from = from;
  message.first = s.newest == kNone ? 0 : messages_[s.newest].first + messages_[s.newest].packets;
  RY_CHECK(packets < kNone - message.first, "a queue pair sends fewer than 2^32 packets");
  message.packets = static_cast<std::uint32_t>(packets);
  message.payload = static_cast<std::uint32_t>(mtu);
  message.last_payload = static_cast<std::uint32_t>(payload.count() - (packets - 1) * mtu);
  const std::uint32_t index = free_messages_.empty() ? static_cast<std::uint32_t>(messages_.size()) : free_messages_.back();
  if (free_messages_.empty()) {
    messages_.push_back(message);
  } else {
    free_messages_.pop_back();
    messages_[index] = message;
  }
  if (s.newest != kNone) messages_[s.newest].next = index;
  s.newest = index;
  if (s.oldest == kNone) s.oldest = index;
  if (kept_rows_.size() <= flow) kept_rows_.resize(flow + 1);
  if (kept_rows_[flow].first == kNone) kept_rows_[flow].first = index;
  if (s.message == kNone) s.message = index;
  if (net.p.receiver_credits) {
    if (allowances_[flow].untold == kNone) allowances_[flow].untold = index;
    if (demands_[flow].unknown == kNone) demands_[flow].unknown = index;
  }
  net.messages = beside.messages = messages_.data();
}

void Network::let_go_of_message(std::uint32_t flow) {
  if (net.p.receiver_credits) return;  // both ends look at rows
  KeptRows& kept = kept_rows_[flow];
  const Sender& s = senders_[flow];
  kept.acknowledged++;
  // What a sender looks at is the last message that was acknowledged, or one after it: where its row is elsewhere, that one is
  // kept, too.
  const auto is_in_use = [&](std::uint32_t row) {
    return rows_are_elsewhere_ ? kept.acknowledged < 2 : row == s.message || row == s.oldest;
  };
  while (kept.acknowledged > 0 && kept.first != s.newest && !is_in_use(kept.first)) {
    free_messages_.push_back(kept.first);
    kept.first = messages_[kept.first].next;
    kept.acknowledged--;
  }
}

void Network::reserve(std::uint32_t node, std::uint32_t packets) {
  Pool& pool = pools_[node];
  if (pool.room >= packets) return;
  const std::uint32_t before = pool_size_[node];
  const std::uint32_t after = std::bit_ceil(before + std::max(kLeastRoom, packets - pool.room));
  Packet* const slots = slots_.take(static_cast<std::uint32_t>(std::countr_zero(after)));
  std::copy_n(pool.slots, before, slots);
  if (before > 0) slots_.give_back(pool.slots, static_cast<std::uint32_t>(std::countr_zero(before)));
  pool.slots = slots;
  pool_size_[node] = after;
  for (std::uint32_t slot = after; slot-- > before;) pool.give_back(slot);
}

void Network::clear_pool(std::uint32_t node) {
  pools_[node] = {.slots = pools_[node].slots};
  for (std::uint32_t slot = pool_size_[node]; slot-- > 0;) pools_[node].give_back(slot);
}

void Network::adopt_pool(std::uint32_t node, std::span<const Packet> slots) {
  clear_pool(node);
  reserve(node, static_cast<std::uint32_t>(slots.size()));
  std::copy(slots.begin(), slots.end(), pools_[node].slots);
}

}  // namespace railyard::packet
