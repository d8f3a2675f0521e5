// The last switch of a scheduled fabric: who may send to each of its hosts, and when.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "engine/packet/port_model.h"
#include "engine/packet/voq.h"

namespace railyard::packet {

/// Grants every port's rate in shares of a packet, turn by turn, to the virtual queues that have asked; all ports together no
/// more than the links of the fabric bring. What a queue cannot use (its own links are busy) others get: no more than a round
/// trip's worth is under way to one.
///
/// `Take` is called where the queue is at this very switch and needs no time: take(port, nth, bytes).
template<class Out>
class CreditScheduler {
 public:
  CreditScheduler(Net& net, Out& out) : net_(net), out_(out) {}

  /// A virtual queue at `from` has so many bytes more.
  template<class Take>
  void ask(std::uint32_t index, std::uint32_t from, std::uint32_t nth, std::uint32_t bytes, Time now, const Take& take) {
    VoqSwitch& here = switch_of(index);
    const std::uint32_t id = demand_at(here, index, from, nth);
    here.demands[id].wanted += bytes;
    list(here, index, nth, id);
    serve(index, now, take);
  }

  /// A packet of that queue has come.
  template<class Take>
  void note_arrival(std::uint32_t index, std::uint32_t from, std::uint32_t nth, std::uint32_t bytes, Time now,
                    const Take& take) {
    VoqSwitch& here = switch_of(index);
    const std::uint32_t id = demand_at(here, index, from, nth);
    CreditDemand& demand = here.demands[id];
    demand.under_way -= bytes;
    RY_CHECK(demand.under_way >= 0, "nothing comes without credit");
    if (demand.wanted == 0 || demand.is_listed) return;
    list(here, index, nth, id);
    serve(index, now, take);
  }

  /// Something has left by the port.
  template<class Take>
  void note_departure(std::uint32_t index, Time now, const Take& take) {
    if (CreditPort& port = port_at(index); port.is_full) serve(index, now, take);
  }

  /// A timer of a switch that is neither a port's nor a watchdog's.
  template<class Take>
  void timer(std::uint32_t node, std::uint32_t slot, Time now, const Take& take) {
    const std::uint32_t first = net_.first_port[node], count = net_.first_port[node + 1] - first;
    out_.timer(node, slot, kNever);
    if (slot < 3 * count) return serve(first + slot - 2 * count, now, take);
    VoqSwitch& here = net_.voqs[node];
    for (auto left = here.fabric_waiting.size(); left > 0 && has_fabric(here, now); left--) {
      const std::uint32_t index = here.fabric_waiting.front();
      here.fabric_waiting.pop_front();
      port_at(index).is_waiting = false;
      port_at(index).has_turn = true;  // it may have to wait for its own wire, and keeps it till then
      pay_fabric(here, quantum(), now);
      serve(index, now, take);
    }
    plan_fabric(here, node);
  }

 private:
  static constexpr std::uint32_t kAhead = 2;  // packets that are granted before the wire is free for them
  static constexpr std::uint32_t kFull = 8;   // packets in a port's queue that stop it from granting

  [[nodiscard]] VoqSwitch& switch_of(std::uint32_t index) const { return net_.voqs[net_.ports[index].node]; }
  [[nodiscard]] CreditPort& port_at(std::uint32_t index) const { return switch_of(index).ports[net_.ports[index].slot]; }
  [[nodiscard]] std::uint32_t quantum() const { return net_.p.most_packet; }
  [[nodiscard]] Time ahead(const Port& port) const { return port.wire_time(kAhead * quantum()); }
  [[nodiscard]] Time fabric_time(const VoqSwitch& here, std::uint32_t bytes) const {
    return static_cast<Time>(std::uint64_t{bytes} * 8'000'000'000'000 / static_cast<std::uint64_t>(here.fabric_rate));
  }
  [[nodiscard]] bool has_fabric(const VoqSwitch& here, Time now) const {
    return here.fabric_rate == 0 || here.fabric_paid_until <= now + fabric_time(here, kAhead * quantum());
  }

  void pay_fabric(VoqSwitch& here, std::uint32_t bytes, Time now) const {
    here.fabric_paid_until = std::max(here.fabric_paid_until, now) + fabric_time(here, bytes);
  }

  std::uint32_t demand_at(VoqSwitch& here, std::uint32_t index, std::uint32_t from, std::uint32_t nth) const {
    const auto [found, is_new] =
        here.demand_of.try_emplace(VoqSwitch::key_of(from, index, nth), static_cast<std::uint32_t>(here.demands.size()));
    if (!is_new) return found->second;
    const Port& port = net_.ports[index];
    CreditDemand demand;
    demand.from = from;
    demand.way = credit_way(net_, port.node, from);
    const Time round = demand.way + credit_way(net_, from, port.node) + net_.p.credit_delay;
    demand.most = bytes_in_flight(round, port.rate) + std::int64_t{2 * kAhead} * quantum();
    here.demands.push_back(demand);
    if (from == port.node) port_at(index).queue[nth].own = found->second;
    return found->second;
  }

  /// A queue that has something to get is in line once.
  void list(VoqSwitch& here, std::uint32_t index, std::uint32_t nth, std::uint32_t id) const {
    CreditDemand& demand = here.demands[id];
    if (demand.is_listed || demand.wanted == 0 || demand.under_way >= demand.most) return;
    demand.is_listed = true;
    CreditLine& line = here.ports[net_.ports[index].slot].queue[nth];
    if (line.own == id) return;
    demand.behind = kNone;
    (line.size++ == 0 ? line.first : here.demands[line.last].behind) = id;
    line.last = id;
  }

  [[nodiscard]] static bool has_own(const VoqSwitch& here, const CreditLine& line) {
    return line.own != kNone && here.demands[line.own].is_listed;
  }

  /// Queues that somebody waits for who may get credit now, as bits.
  [[nodiscard]] std::uint32_t wanted(const VoqSwitch& here, std::uint32_t index, CreditPort& port, bool fabric) const {
    std::uint32_t some = 0;
    port.is_full = false;
    for (std::uint32_t nth = 0; nth < kClasses; nth++) {
      const CreditLine& line = port.queue[nth];
      if (line.size == 0 && !has_own(here, line)) continue;
      if (net_.ports[index].queue[nth].bytes >= kFull * quantum())
        port.is_full = true;
      else if (fabric || has_own(here, line))
        some |= 1U << nth;
    }
    return some;
  }

  template<class Take>
  void serve(std::uint32_t index, Time now, const Take& take) {
    const Port& port = net_.ports[index];
    VoqSwitch& here = net_.voqs[port.node];
    const std::uint32_t count = net_.first_port[port.node + 1] - net_.first_port[port.node];
    for (;;) {
      CreditPort& row = here.ports[port.slot];
      const bool fabric = row.has_turn || has_fabric(here, now);
      const std::uint32_t some = wanted(here, index, row, fabric);
      if (!fabric) wait_for_fabric(here, index, row);
      if (some == 0) return;
      if (row.paid_until > now + ahead(port)) return out_.timer(port.node, 2 * count + port.slot, row.paid_until - ahead(port));
      const std::uint32_t nth = choose(row, some, net_.profile_at(index));
      grant(here, index, nth, take_turn(here, row.queue[nth], fabric), now, take);
    }
  }

  /// Strict queues first, then by shares where several wait (deficit round robin), as the port itself does.
  [[nodiscard]] static std::uint32_t choose(CreditPort& row, std::uint32_t some, const Profile& profile) {
    constexpr std::int32_t kBytesPerWeight = 256;
    if (const std::uint32_t first = some & profile.shares.strict; first != 0) return profile.first_strict(first);
    if ((some & (some - 1)) == 0) {
      for (CreditLine& line : row.queue) line.credit = 0;
      return static_cast<std::uint32_t>(std::countr_zero(some));
    }
    while ((some >> row.turn & 1) == 0 || row.queue[row.turn].credit <= 0) {
      row.turn = static_cast<std::uint16_t>((row.turn + 1) % kClasses);
      if (some >> row.turn & 1)
        row.queue[row.turn].credit += static_cast<std::int32_t>(profile.shares.weight[row.turn]) * kBytesPerWeight;
    }
    return row.turn;
  }

  /// Whose turn it is. REQUIRES: somebody may get credit.
  [[nodiscard]] static std::uint32_t take_turn(VoqSwitch& here, CreditLine& line, bool fabric) {
    if (has_own(here, line) && (line.size == 0 || !fabric || line.since_own >= line.size)) {
      line.since_own = 0;
      here.demands[line.own].is_listed = false;
      return line.own;
    }
    const std::uint32_t id = line.first;
    line.first = here.demands[id].behind;
    line.size--;
    line.since_own++;
    here.demands[id].is_listed = false;
    return id;
  }

  template<class Take>
  void grant(VoqSwitch& here, std::uint32_t index, std::uint32_t nth, std::uint32_t id, Time now, const Take& take) {
    const Port& port = net_.ports[index];
    CreditPort& row = here.ports[port.slot];
    CreditDemand& demand = here.demands[id];
    const auto bytes = static_cast<std::uint32_t>(std::min<std::int64_t>(demand.wanted, quantum()));
    demand.wanted -= bytes;
    demand.under_way += bytes;
    row.queue[nth].credit -= static_cast<std::int32_t>(bytes);
    row.paid_until = std::max(row.paid_until, now) + port.wire_time(bytes);
    here.grants++;
    const std::uint32_t from = demand.from;
    const Time at = now + demand.way + net_.p.credit_delay;
    if (from != port.node && here.fabric_rate > 0) {
      if (std::exchange(row.has_turn, false))
        here.fabric_paid_until -= fabric_time(here, quantum() - bytes);
      else
        pay_fabric(here, bytes, now);
    }
    list(here, index, nth, id);
    if (at == now)
      take(index, nth, bytes);
    else
      out_.word_of_credit(net_.first_port[from], index, nth, bytes, false, at);
  }

  void wait_for_fabric(VoqSwitch& here, std::uint32_t index, CreditPort& row) {
    const bool is_any = std::any_of(std::begin(row.queue), std::end(row.queue), [](const CreditLine& l) { return l.size > 0; });
    if (!is_any || row.is_waiting) return;
    row.is_waiting = true;
    here.fabric_waiting.push_back(index);
    if (here.fabric_waiting.size() == 1) plan_fabric(here, net_.ports[index].node);
  }
  void plan_fabric(const VoqSwitch& here, std::uint32_t node) {
    if (here.fabric_waiting.empty()) return;
    const std::uint32_t count = net_.first_port[node + 1] - net_.first_port[node];
    out_.timer(node, 3 * count, here.fabric_paid_until - fabric_time(here, kAhead * quantum()));
  }

  Net& net_;
  Out& out_;
};

}  // namespace railyard::packet
