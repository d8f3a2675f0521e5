// A switch of a scheduled fabric: what hosts send waits in virtual output queues for credit of the switch it leaves by.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/credit_scheduler.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet {

/// SwitchModel, but for what happens between a packet's arrival from its host and its place at the port it leaves by. Links
/// above leaves are one wide link each (Network::wires_of_fabric), since cells take all of them alike, and nothing on them is
/// counted, paused or dropped (Network::add_fabric_profile): how much is on them is up to credits.
template<class Out>
class ScheduledSwitch : public SwitchModel<Out> {
  using Model = SwitchModel<Out>;
  using Base = typename Model::Base;
  using Model::net_, Model::out_;

 public:
  using typename Model::Here;

  ScheduledSwitch(Net& net, Out& out) : Model(net, out), scheduler_(net, out) {}

  template<bool kCalm>
  void arrive(const Here& here, std::uint32_t link, const Packet& packet, std::uint32_t index, Time now) {
    if (net_.ports[net_.links[link].back].to_host) return wait(here, link, packet, index, now);
    if (net_.ports[index].to_host) note_arrival(here, index, packet, now);
    Model::template arrive<false>(here, link, packet, index, now);
  }
  void arrive(const Here& here, std::uint32_t link, const Packet& packet, Time now) {
    here.s.hops++;
    here.s.data_hops += packet.is_data();
    arrive<false>(here, link, packet, Model::expect_soon(here.node, packet, Model::expect(packet)), now);
  }

  template<bool kCalm = false>
  void timer(const Here& here, std::uint32_t slot, Time now) {
    const std::uint32_t count = Base::ports_of(net_, here.node);
    if (slot >= 2 * count) return scheduler_.timer(here.node, slot, now, taker(here, now));
    Model::timer(here, slot, now);
    const std::uint32_t index = here.first_port + (slot < count ? slot : slot - count);
    note_departure(here, index, now);
    for (std::uint32_t nth = 0; nth < kClasses && !net_.ports[index].to_host; nth++) send_on(here, nth, now);
  }

  void pause(const Here& here, std::uint32_t index, std::uint32_t traffic_class, bool xoff, Time now) {
    Model::pause(here, index, traffic_class, xoff, now);
    note_departure(here, index, now);
  }

  /// At the last switch, whose port `index` is: the virtual queue at `other`, a switch, asks for credit. At that switch: it
  /// gets some, for `other`, a port.
  void hear_of_credit(const Here& here, std::uint32_t index, std::uint32_t other, std::uint32_t nth, std::uint32_t bytes,
                      bool asks, Time now) {
    if (asks)
      scheduler_.ask(index, other, nth, bytes, now, taker(here, now));
    else
      take(here, other, nth, bytes, now);
  }

 private:
  [[nodiscard]] auto taker(const Here& here, Time now) {
    return
        [this, &here, now](std::uint32_t port, std::uint32_t nth, std::uint32_t bytes) { take(here, port, nth, bytes, now); };
  }

  /// A packet from a host waits for credit.
  void wait(const Here& here, std::uint32_t link, const Packet& packet, std::uint32_t index, Time now) {
    VirtualQueue& queue = queue_for(here, packet, packet.traffic_class());
    if (net_.p.queue_limit == 0 || !packet.is_data() || queue.queue.bytes + packet.size <= net_.p.queue_limit)
      return line_up_for_credit(here, link, packet, packet.bits, queue, index, now);
    if (net_.p.trim_size == 0) return Model::drop(here.s, &net_.ports[index], packet.traffic_class(), DropReason::queue);
    const Packet rest = Model::trimmed(packet);
    out_.count(here.s.trimmed);
    line_up_for_credit(here, link, rest, rest.bits, queue_for(here, rest, kControlClass), index, now);
  }

  void line_up_for_credit(const Here& here, std::uint32_t link, const Packet& packet, std::uint16_t bits, VirtualQueue& queue,
                          std::uint32_t index, Time now) {
    const std::uint32_t c = packet.traffic_class();
    if (Model::is_counted(Model::by_link(here, link), c) && !this->template admit<false>(here, index, link, packet, now))
      return;
    if (packet.is_data()) out_.count(here.s.depth[std::bit_width(queue.queue.bytes)]);
    const std::uint32_t slot = here.pool.take(packet);
    Packet& waiting = here.pool.slots[slot];
    waiting.at = now;
    waiting.in = link;
    waiting.bits = static_cast<std::uint16_t>(bits + Packet::kOneHop);
    queue.queue.push(here.pool, slot);
    queue.deepest = std::max(queue.deepest, queue.queue.bytes);
    const Port& last = net_.ports[queue.port];
    if (last.node == here.node)
      scheduler_.ask(queue.port, here.node, queue.nth, packet.size, now, taker(here, now));
    else
      out_.word_of_credit(queue.port, here.node, queue.nth, packet.size, true, now + queue.way);
  }

  /// Credit has come for a virtual queue.
  void take(const Here& here, std::uint32_t port, std::uint32_t nth, std::uint32_t bytes, Time now) {
    VirtualQueue& queue = queue_at(here, port, nth);
    queue.credit += bytes;
    if (net_.ports[port].node == here.node) {
      while (may_send_on(here, queue)) send_first(here, queue, now);
    } else if (!queue.is_ready && may_send_on(here, queue)) {
      line_up_ready(here, queue);
      send_on(here, nth, now);
    }
    RY_CHECK(!queue.queue.empty() || queue.credit == 0, "credit is given for what waits");
  }

  [[nodiscard]] static bool may_send_on(const Here& here, const VirtualQueue& queue) {
    return !queue.queue.empty() && here.pool.slots[queue.queue.head].size <= queue.credit;
  }
  void line_up_ready(const Here& here, VirtualQueue& queue) {
    VoqSwitch& rows = net_.voqs[here.node];
    ReadyLine& line = rows.ready[queue.nth];
    const auto id = static_cast<std::uint32_t>(&queue - rows.queues.data());
    queue.is_ready = true;
    queue.behind = kNone;
    (line.first == kNone ? line.first : rows.queues[line.last].behind) = id;
    line.last = id;
  }

  /// Virtual queues take turns, a packet each, as far as nothing of theirs waits at the port to the fabric.
  void send_on(const Here& here, std::uint32_t nth, Time now) {
    VoqSwitch& rows = net_.voqs[here.node];
    ReadyLine& line = rows.ready[nth];
    while (line.first != kNone) {
      VirtualQueue& queue = rows.queues[line.first];
      const Packet& first = here.pool.slots[queue.queue.head];
      const std::uint32_t index = net_.path_port(first.flow, first.goes_back(), first.hop());
      if (!net_.ports[index].queue[Model::queue_of(Model::by_port(here, index), first.traffic_class())].empty()) return;
      line.first = queue.behind;
      queue.is_ready = false;
      send_first(here, queue, now);
      if (may_send_on(here, queue)) line_up_ready(here, queue);
    }
  }

  void send_first(const Here& here, VirtualQueue& queue, Time now) {
    const std::uint32_t slot = queue.queue.pop(here.pool);
    Packet packet = here.pool.slots[slot];
    here.pool.give_back(slot);
    queue.credit -= packet.size;
    const std::uint32_t index = net_.path_port(packet.flow, packet.goes_back(), packet.hop());
    const std::uint32_t own = Model::queue_of(here, packet.traffic_class());
    if (Model::is_marked(here, net_.ports[index], own, queue.queue.bytes, packet, packet.bits)) mark(here, packet, index);
    go_on(here, packet, index, now);
  }

  void mark(const Here& here, Packet& packet, std::uint32_t index) {
    packet.bits = static_cast<std::uint16_t>(packet.bits | Packet::kMarked);
    net_.ports[index].marked++;
    net_.ports[index].has_past = true;
    out_.count(here.s.marked[packet.traffic_class()]);
  }

  /// To the port that it leaves by. How long it waited is counted once, as it leaves.
  void go_on(const Here& at_switch, const Packet& packet, std::uint32_t index, Time now) {
    if (net_.ports[index].to_host) note_arrival(at_switch, index, packet, now);
    const auto here = Model::by_port(at_switch, index);
    Port& port = net_.ports[index];
    const std::uint32_t nth = Model::queue_of(here, packet.traffic_class());
    if (!port.busy && port.queue[nth].empty() && Base::may_send(port, nth)) {
      Model::count_wait(here.s, port, packet, now);
      return Model::leave(here, index, packet, packet.bits, packet.in, now);
    }
    Model::line_up(here, index, packet, packet.bits, packet.in, packet.at, now);
  }

  void note_arrival(const Here& here, std::uint32_t index, const Packet& packet, Time now) {
    const std::uint32_t from = net_.ports[net_.path_port(packet.flow, packet.goes_back(), 0)].to;
    const std::uint32_t nth = Model::queue_of(Model::by_port(here, index), packet.traffic_class());
    scheduler_.note_arrival(index, from, nth, packet.size, now, taker(here, now));
  }
  void note_departure(const Here& here, std::uint32_t index, Time now) {
    if (net_.ports[index].to_host) scheduler_.note_departure(index, now, taker(here, now));
  }

  /// That of the port at the end of a packet's path.
  [[nodiscard]] VirtualQueue& queue_for(const Here& here, const Packet& packet, std::uint32_t traffic_class) {
    const std::uint32_t* const path = net_.paths + net_.path_offset(packet.flow, packet.goes_back());
    std::uint32_t hop = packet.hop() + 1;
    while (hop + 1 < 1U << net_.stride_shift && path[hop + 1] != kNone) hop++;
    return queue_at(here, path[hop], Model::queue_of(Model::by_port(here, path[hop]), traffic_class));
  }
  [[nodiscard]] VirtualQueue& queue_at(const Here& here, std::uint32_t port, std::uint32_t nth) {
    VoqSwitch& rows = net_.voqs[here.node];
    const auto [found, is_new] =
        rows.queue_of.try_emplace(VoqSwitch::key_of(0, port, nth), static_cast<std::uint32_t>(rows.queues.size()));
    if (is_new)
      rows.queues.push_back(
          {.port = port, .nth = nth, .queue = {}, .credit = 0, .way = credit_way(net_, here.node, net_.ports[port].node)});
    return rows.queues[found->second];
  }

  CreditScheduler<Out> scheduler_;
};

}  // namespace railyard::packet
