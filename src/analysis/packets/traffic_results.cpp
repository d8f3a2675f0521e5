#include "analysis/packets/traffic_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "base/stats.h"
#include "fabric/routes.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

bool arrived(const TrafficRun& run, std::size_t message) { return run.delivered[message] != Picoseconds::max(); }

/// From the first start to the last delivery of messages for which `counts` holds.
template<class Counts>
TimeWindow window_of(const TrafficRun& run, const Counts& counts) {
  if (run.sums) return {run.sums->begin(), run.sums->end()};
  Picoseconds first = Picoseconds::max(), last;
  for (std::size_t i = 0; i < run.messages.size(); i++) {
    if (!counts(run.messages[i])) continue;
    first = std::min(first, run.messages[i].start);
    if (arrived(run, i)) last = std::max(last, run.delivered[i]);
  }
  return {std::min(first, last), last};
}

/// Of messages for which `counts` holds, given their number.
template<class Counts>
FlowTimes times_of(const TrafficRun& run, const Counts& counts) {
  FlowTimes times;
  std::vector<double> fct, delivery, slowdown;
  for (std::size_t i = 0; i < run.messages.size(); i++) {
    const PlannedMessage& message = run.messages[i];
    if (!counts(i)) continue;
    times.messages++;
    if (!arrived(run, i)) {
      times.undelivered++;
      continue;
    }
    times.delivered += message.size;
    const Picoseconds taken = run.delivered[i] - message.start;
    fct.push_back(microseconds(run.acknowledged[i] - message.start));
    delivery.push_back(microseconds(taken));
    slowdown.push_back(seconds(taken) / seconds(run.ideal[i]));
  }
  times.fct_cdf = cdf_of(fct);
  times.slowdown_cdf = cdf_of(slowdown);
  times.fct_us = spread_of(std::move(fct));
  times.delivery_us = spread_of(std::move(delivery));
  times.slowdown = spread_of(std::move(slowdown));
  return times;
}

TimeSpread summed_spread(const Moments& moments, const FineHistogram& values, double unit) {
  if (values.count() == 0) return {};
  return {.mean = moments.mean(), .p50 = values.at(0.5) * unit, .p99 = values.at(0.99) * unit, .max = values.at(1) * unit};
}

/// Of messages that were summed up: all have arrived.
FlowTimes times_of(const MessageSums::Times& sums) {
  constexpr double kMicroseconds = 1e-6, kMillionths = 1e-6;
  FlowTimes times;
  times.messages = sums.taken.count();
  times.delivered = sums.payload;
  times.delivery_us = times.fct_us = summed_spread(sums.delivery_us, sums.taken, kMicroseconds);
  times.slowdown = summed_spread(sums.slowdown, sums.slowdown_millionths, kMillionths);
  times.fct_cdf = cdf_of(sums.taken, kMicroseconds);
  times.slowdown_cdf = cdf_of(sums.slowdown_millionths, kMillionths);
  return times;
}

FlowTimes times_of_class(const TrafficRun& run, std::uint8_t traffic_class) {
  return times_of(run, [&](std::size_t i) { return run.messages[i].traffic_class == traffic_class; });
}

/// How many switches a message crosses; pairs are looked at once.
class SwitchCounter {
 public:
  explicit SwitchCounter(const Fabric& fabric) : fabric_(fabric) {}
  std::uint32_t operator()(const PlannedMessage& message) {
    const std::uint64_t pair = std::uint64_t{message.from.index()} << 32 | message.to.index();
    const auto [entry, is_new] = known_.try_emplace(pair, 0U);
    if (is_new) {
      const TrunkPath path = path_of(fabric_, message.from, message.to);
      entry->second = path.empty() ? 0 : path.back().hop;
    }
    return entry->second;
  }

 private:
  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // never iterated
};

std::vector<Distance> distances_of(const Fabric& fabric, const TrafficRun& run) {
  std::vector<Distance> distances;
  if (run.sums) {
    for (const auto& [switches, times] : run.sums->by_switches()) distances.push_back({switches, times_of(times)});
    return distances;
  }
  SwitchCounter count(fabric);
  std::vector<std::uint32_t> switches;
  std::set<std::uint32_t> found;
  for (const PlannedMessage& message : run.messages) {
    switches.push_back(count(message));
    if (message.traffic_class == kDataClass) found.insert(switches.back());
  }
  for (const std::uint32_t number : found)
    distances.push_back({number, times_of(run, [&](std::size_t i) {
                           return run.messages[i].traffic_class == kDataClass && switches[i] == number;
                         })});
  return distances;
}

SlowMessage slow_message(const ArrivedMessage& arrived, Picoseconds acknowledged) {
  const PlannedMessage& message = arrived.message;
  return {.from = message.from.index(),
          .to = message.to.index(),
          .size = message.size,
          .start_us = microseconds(message.start),
          .fct_us = microseconds(acknowledged - message.start),
          .ideal_us = microseconds(arrived.ideal),
          .slowdown = arrived.slowdown()};
}

/// Ties are in the order of messages.
std::vector<SlowMessage> slowest_of(const TrafficRun& run) {
  constexpr std::size_t kMost = MessageSums::kSlowest;
  std::vector<SlowMessage> out;
  if (run.sums) {
    for (const ArrivedMessage& one : run.sums->slowest()) out.push_back(slow_message(one, one.delivered));
    return out;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.messages.size(); i++)
    if (run.messages[i].traffic_class == kDataClass && arrived(run, i)) order.push_back(i);
  const auto taken = [&](std::size_t i) { return run.acknowledged[i] - run.messages[i].start; };
  const std::size_t most = std::min(kMost, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](std::size_t a, std::size_t b) { return taken(a) != taken(b) ? taken(a) > taken(b) : a < b; });
  order.resize(most);
  for (const std::size_t i : order)
    out.push_back(slow_message({run.messages[i], run.delivered[i], run.ideal[i]}, run.acknowledged[i]));
  return out;
}

/// Queues that somebody waits in, and what became of packets there.
std::vector<QueueRow> queues_of(const Scenario& scenario, const PacketRecord& packets) {
  static constexpr std::string_view kNames[] = {"control", "data", "background", "storage"};
  static_assert(std::size(kNames) == kClasses);
  const TrafficSpec& traffic = *scenario.workload.traffic;
  const PacketPlan& plan = scenario.packet;
  const bool used[kClasses] = {true, true, traffic.background > 0, traffic.storage.has_value()};
  const auto is_own_mark = [](const std::vector<QosPlan::OwnMark>& marks, std::size_t c) {  // of hosts that mark otherwise
    return std::any_of(marks.begin(), marks.end(), [&](const QosPlan::OwnMark& mark) { return mark.traffic_class == c; });
  };
  std::vector<QueueRow> rows;
  for (std::size_t queue = 0; queue < kClasses; queue++) {
    QueueRow row{.priority = plan.classes[queue].priority, .is_lossless = plan.classes[queue].lossless};
    for (std::size_t c = 0; c < kClasses; c++)
      if (used[c] && plan.queue_of[c] == queue) row.carries.emplace_back(kNames[c]);
    const bool is_named = !row.carries.empty();
    const bool own = is_own_mark(plan.qos.own_marks, queue), own_cnps = is_own_mark(plan.qos.own_cnp_marks, queue);
    if (own) row.carries.emplace_back("data");
    if (own_cnps) row.carries.emplace_back("control");
    if (row.carries.empty()) continue;
    row.name = own || (own_cnps && !is_named) ? fmt::format("{}_dscp_{}", own ? "data" : "control", *plan.qos.marks[queue])
                                              : std::string(kNames[queue]);
    const ClassRecord& record = packets.classes[queue];
    row.marked = record.marked, row.dropped = record.dropped, row.pauses = record.pauses;
    row.paused_us = microseconds(record.paused);
    rows.push_back(std::move(row));
  }
  return rows;
}

double gigabits_per_second(Bytes payload, Picoseconds time) {
  return time == Picoseconds::zero() ? 0 : static_cast<double>(payload.count()) * 8 / seconds(time) / 1e9;
}

/// What the links into GPUs carry: of NICs, which several may share, and of scale-up domains.
class ReceivingRates {
 public:
  explicit ReceivingRates(const Fabric& fabric) : fabric_(fabric), nic_(fabric.kind.size()) {
    for (const PortId port : ids(fabric.port_from)) {
      const TrunkId trunk = fabric.port_trunk[port];
      if (fabric.drawn || fabric.trunk_tier[trunk] == Tier::host_down)
        nic_[fabric.port_to[port]] += fabric.trunk_port_rate[trunk];
    }
  }

  [[nodiscard]] double of_nic(EndpointId host) const { return gigabits(nic_[fabric_.node_of(host)]); }
  [[nodiscard]] double inside(EndpointId host) const {
    BitsPerSecond sum;
    if (!fabric_.drawn && fabric_.scale_up.domain > 1)
      for (const TrunkId trunk : scale_up_trunks(fabric_, host)) sum += fabric_.trunk_rate(trunk);
    return gigabits(sum);
  }

 private:
  static double gigabits(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 1e9; }

  const Fabric& fabric_;
  Table<NodeId, BitsPerSecond> nic_;
};

void add_lines(const Fabric& fabric, const std::map<EndpointId, Bytes>& received, TrafficResults& r) {
  const ReceivingRates rates(fabric);
  std::set<InterfaceId> counted;
  for (const auto& [host, payload] : received) {
    const double nic = rates.of_nic(host), inside = rates.inside(host);
    r.receiver_line_gbps = std::max(r.receiver_line_gbps, nic + inside);
    r.receivers_line_gbps += inside + (counted.insert(fabric.interface_of(host)).second ? nic : 0);
  }
}

/// What hosts received of the pattern; those that should have are there with nothing.
std::map<EndpointId, Bytes> received_by_host(const TrafficRun& run) {
  std::map<EndpointId, Bytes> received;
  if (run.sums)
    for (const MessageSums::Pair& pair : run.sums->pairs()) received[pair.to] += pair.payload;
  for (std::size_t i = 0; i < run.messages.size(); i++)
    if (run.messages[i].traffic_class == kDataClass)
      received[run.messages[i].to] += arrived(run, i) ? run.messages[i].size : Bytes::zero();
  return received;
}

/// No receiver can have all sooner than its links carry it: the share of the time that this took, at most.
double busiest_receiver(const Fabric& fabric, const TrafficRun& run, const std::map<EndpointId, Bytes>& received) {
  const double time = seconds(watched(run).length());
  if (time <= 0) return 0;
  const Telemetry& telemetry = run.telemetry;
  Table<NodeId, double> carried(fabric.kind.size()), possible(fabric.kind.size());  // bits
  for (const PortId port : ids(fabric.port_from)) {
    const TrunkId trunk = fabric.port_trunk[port];
    if (!fabric.drawn && fabric.trunk_tier[trunk] != Tier::host_down) continue;
    const double all = telemetry.packets                 ? static_cast<double>(telemetry.packets->ports[port].bytes.count())
                       : !telemetry.port_carried.empty() ? static_cast<double>(telemetry.port_carried[port].count())
                                                         : static_cast<double>(telemetry.trunk_carried[trunk].count()) /
                                                               static_cast<double>(fabric.trunk_ports[trunk].size());
    carried[fabric.port_to[port]] += 8 * all;
    possible[fabric.port_to[port]] += static_cast<double>(fabric.trunk_port_rate[trunk].count()) * time;
  }
  double most = 0;
  for (const auto& [host, payload] : received) {
    const NodeId node = fabric.node_of(host);
    if (possible[node] > 0) most = std::max(most, carried[node] / possible[node]);
  }
  return std::min(most, 1.0);
}

/// The set of DCQCN of every host; zero is that of the plan.
std::map<std::uint32_t, std::uint32_t> dcqcn_sets_of(const QosPlan& plan) {
  std::map<std::uint32_t, std::uint32_t> sets;
  for (const QosPlan::OwnDcqcn& own : plan.own_dcqcn) sets[own.host] = own.set + 1;
  return sets;
}

struct Sent {
  Picoseconds from = Picoseconds::max(), until;
  Bytes payload;
};

/// What every host has sent of the pattern, and when.
std::map<std::uint32_t, Sent> sent_by_host(const TrafficRun& run) {
  std::map<std::uint32_t, Sent> hosts;
  for (std::size_t i = 0; i < run.messages.size(); i++) {
    const PlannedMessage& message = run.messages[i];
    if (message.traffic_class != kDataClass || !arrived(run, i)) continue;
    Sent& sent = hosts[message.from.index()];
    sent.from = std::min(sent.from, message.start);
    sent.until = std::max(sent.until, run.delivered[i]);
    sent.payload += message.size;
  }
  return hosts;
}

/// How hosts with different settings of DCQCN fare beside each other.
void add_senders(const QosPlan& plan, const TrafficRun& run, TrafficResults& r) {
  const std::map<std::uint32_t, std::uint32_t> sets = dcqcn_sets_of(plan);
  if (sets.empty()) return;
  const auto set_of = [&](std::uint32_t host) {
    const auto found = sets.find(host);
    return found == sets.end() ? 0U : found->second;
  };
  std::map<std::uint32_t, SenderGroup> groups;
  double sum = 0, squares = 0;
  const std::map<std::uint32_t, Sent> hosts = sent_by_host(run);
  for (const auto& [host, sent] : hosts) {
    SenderGroup& group = groups[set_of(host)];
    if (group.hosts++ == 0) group.first = host;
    const double rate = gigabits_per_second(sent.payload, sent.until - sent.from);
    group.gbps += rate;
    sum += rate, squares += rate * rate;
  }
  if (squares > 0) r.fairness = sum * sum / (static_cast<double>(hosts.size()) * squares);
  for (auto& [set, group] : groups) {
    group.gbps /= group.hosts;
    group.flows = times_of(run, [&, one = set](std::size_t i) {
      return run.messages[i].traffic_class == kDataClass && set_of(run.messages[i].from.index()) == one;
    });
    r.senders.push_back(group);
  }
}

void add_receivers(const Fabric& fabric, const TrafficRun& run, Picoseconds makespan, TrafficResults& r) {
  const std::map<EndpointId, Bytes> received = received_by_host(run);
  r.receiver_busy = busiest_receiver(fabric, run, received);
  std::vector<double> rates;
  for (const auto& [host, payload] : received) rates.push_back(gigabits_per_second(payload, makespan));
  r.receivers = static_cast<std::uint32_t>(rates.size());
  r.receiver_least_gbps = rates.empty() ? 0 : *std::min_element(rates.begin(), rates.end());
  r.receiver_gbps = spread_of(std::move(rates));
  add_lines(fabric, received, r);
}

}  // namespace

TimeSpread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  Moments moments;
  for (const double value : values) moments.add(value);
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
    const double rank = std::ceil(q * static_cast<double>(values.size()) - 1e-9);
    return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  };
  return {.mean = moments.mean(), .p50 = at(0.5), .p99 = at(0.99), .max = values.back()};
}

TimeWindow watched(const TrafficRun& run) {
  TimeWindow window = window_of(run, [](const PlannedMessage&) { return true; });
  const bool is_stuck = std::find(run.delivered.begin(), run.delivered.end(), Picoseconds::max()) != run.delivered.end();
  if (is_stuck && run.telemetry.packets && !run.telemetry.packets->series.at.empty())
    window.until = std::max(window.until, run.telemetry.packets->series.at.back());
  return window;
}

namespace {

/// What NICs of every rail sent. Packets are counted up to the last delivery, as tiers are: they go on after it.
std::vector<RailLoad> rails_of(const Fabric& fabric, const TrafficRun& traffic) {
  const TimeWindow window = watched(traffic);
  if (!traffic.telemetry.packets) return rail_loads(fabric, traffic.telemetry, window.length());
  return rail_loads(fabric, traffic.telemetry, window.length(), sent_until(fabric, *traffic.telemetry.packets, window.until));
}

}  // namespace

TrafficResults analyse_messages(const Fabric& fabric, const TrafficRun& traffic) {
  const auto is_data = [](const PlannedMessage& message) { return message.traffic_class == kDataClass; };
  const Picoseconds makespan = window_of(traffic, is_data).length();
  TrafficResults r;
  r.connections = traffic.connections;
  r.flows = traffic.sums ? times_of(traffic.sums->all()) : times_of_class(traffic, kDataClass);
  r.distances = distances_of(fabric, traffic);
  r.slowest = slowest_of(traffic);
  r.makespan_us = microseconds(makespan);
  r.goodput_gbps = gigabits_per_second(r.flows.delivered, makespan);
  add_receivers(fabric, traffic, makespan, r);
  r.memory_bytes = static_cast<double>(traffic.memory.total().count());
  r.members = member_loads(fabric, traffic.telemetry);
  r.rails = rails_of(fabric, traffic);
  if (traffic.telemetry.packets)
    r.packets = analyse_packets(fabric, *traffic.telemetry.packets, watched(traffic));
  else
    r.tiers = tier_loads(fabric, traffic.telemetry, watched(traffic).length());
  return r;
}

TrafficResults analyse_traffic(const Scenario& scenario, const Run& run) {
  const TrafficRun& traffic = *run.traffic;
  TrafficResults r = analyse_messages(run.fabric, traffic);
  r.pattern = std::string(name_of(scenario.workload.traffic->pattern));
  r.servers = scenario.workload.traffic->servers();
  r.hosts = static_cast<std::uint32_t>(run.placement.size()) - r.servers;
  if (scenario.workload.traffic->background > 0) r.background = times_of_class(traffic, kBackgroundClass);
  if (scenario.workload.traffic->storage) r.storage = times_of_class(traffic, kStorageClass);
  add_senders(scenario.packet.qos, traffic, r);
  if (r.packets) r.packets->queues = queues_of(scenario, *traffic.telemetry.packets);
  if (scenario.engine.fidelity == Fidelity::flow) r.solving = traffic.telemetry.solving;
  return r;
}

}  // namespace railyard
