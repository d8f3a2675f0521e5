// The packet engine's models driven by one plain queue of events, to hold windows and threads against.
#pragma once

#include <map>
#include <queue>
#include <tuple>
#include <vector>

#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/network.h"
#include "engine/packet/nic_model.h"
#include "engine/packet/scheduled_switch.h"
#include "engine/packet/switch_model.h"
#include "engine/packet/window_nic.h"

namespace railyard::packet {

/// Every event by itself, in the order of time; at one instant pauses before timers before arrivals, each by their index.
class Reference : public OnProcessor {
 public:
  explicit Reference(Network& network)
      : network_(network),
        net_(network.net),
        switches_(net_, *this),
        scheduled_(net_, *this),
        nics_(net_, *this),
        window_nics_(net_, *this) {}

  void offer(std::uint32_t flow) {
    with_nics([&](auto& nics) { nics.offer(flow, now_); });
  }

  void run() {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      if (event.kind == Event::Kind::arrival)
        arrive(event);
      else if (event.kind == Event::Kind::timer)
        ring(event);
      else if (network_.is_host(net_.ports[event.who].node))
        with_nics([&](auto& nics) { read_control_frame(nics, event); });
      else if (net_.p.scheduled && event.slot != kNone)
        hear_of_credit(event);
      else
        with_switches([&](auto& switches) { read_control_frame(switches, event); });
    }
  }

  // What the models call.
  void send(std::uint32_t port, const Packet& packet, Time at, std::uint16_t bits) {
    Packet sent = packet;
    sent.bits = bits;
    push({at, Event::Kind::arrival, net_.ports[port].link, 0, 0, sent});
  }
  void tell(std::uint32_t port, std::uint8_t traffic_class, bool xoff, Time at) {
    Packet note;
    note.flow = traffic_class;
    note.number = xoff;
    push({at, Event::Kind::pause, port, kNone, 0, note});
  }
  void word_of_credit(std::uint32_t port, std::uint32_t other, std::uint32_t nth, std::uint32_t bytes, bool asks, Time at) {
    Packet note;
    note.flow = nth;
    note.seen = bytes;
    note.number = asks;
    push({at, Event::Kind::pause, port, other, nth, note});
  }
  void grant(std::uint32_t port, std::uint8_t traffic_class, std::uint32_t bytes, Time at) {
    Packet note;
    note.flow = traffic_class;
    note.seen = bytes;
    push({at, Event::Kind::pause, port, kNone, 0, note});
  }
  void port_timer(const Port& port, Time at) { timer(port.node, port.slot, at); }
  void timer(std::uint32_t node, std::uint32_t slot, Time at) {
    timers_[{node, slot}] = at;
    if (at < kNever) push({at, Event::Kind::timer, node, slot, 0, {}});
  }
  void log(const PauseRecord& record) { pauses.push_back(record); }
  void delivered(std::uint32_t flow, Time at) { deliveries.push_back({at, flow}); }
  void acknowledged(std::uint32_t flow, Time at) { acknowledgements.push_back({at, flow}); }
  void gave_up(std::uint32_t, bool, Time) {}  // nobody asks when

  std::vector<FlowEvent> deliveries, acknowledgements;
  std::vector<PauseRecord> pauses;

 private:
  struct Event {
    enum class Kind : std::uint8_t { pause, timer, arrival };
    Time at;
    Kind kind;
    std::uint32_t who, slot;  // port, node or link; and, of word of credit, who asks or for whom it is
    std::uint64_t number;     // of events, as they were made; of word of credit by queue first
    Packet packet;
    friend bool operator<(const Event& a, const Event& b) {
      return std::tuple(a.at, a.kind, a.who, a.slot, a.number) > std::tuple(b.at, b.kind, b.who, b.slot, b.number);
    }
  };

  template<class Use>
  void with_nics(const Use& use) {
    if (net_.p.has_windows())
      use(window_nics_);
    else
      use(nics_);
  }

  template<class Use>
  void with_switches(const Use& use) {
    if (net_.p.scheduled)
      use(scheduled_);
    else
      use(switches_);
  }

  void hear_of_credit(const Event& event) {
    const std::uint32_t node = net_.ports[event.who].node;
    const Packet& note = event.packet;
    scheduled_.hear_of_credit(scheduled_.at(node), event.who, event.slot, note.flow, note.seen, note.number != 0, now_);
  }

  template<class Model>
  void read_control_frame(Model& model, const Event& event) {
    const auto here = model.at(net_.ports[event.who].node);
    if (event.packet.seen != 0)
      model.credit(here, event.who, event.packet.flow, event.packet.seen, now_);
    else
      model.pause(here, event.who, event.packet.flow, event.packet.number != 0, now_);
  }

  void push(Event event) {
    event.number = event.number << 48 | made_++;
    events_.push(event);
  }

  void arrive(const Event& event) {
    const std::uint32_t node = net_.ports[net_.links[event.who].port].to;
    network_.reserve(node, kMostAnswers);
    Packet packet = event.packet;
    if (network_.is_host(node))
      with_nics([&](auto& nics) { nics.arrive(node, event.who, packet, now_); });
    else
      with_switches([&](auto& switches) { switches.arrive(switches.at(node), event.who, packet, now_); });
  }

  void ring(const Event& event) {
    Time& planned = timers_[{event.who, event.slot}];
    if (planned != event.at) return;  // it was planned anew
    planned = kNever;
    network_.reserve(event.who, kMostAnswers);
    if (network_.is_host(event.who))
      with_nics([&](auto& nics) { nics.timer(event.who, event.slot, now_); });
    else
      with_switches([&](auto& switches) { switches.timer(switches.at(event.who), event.slot, now_); });
  }

  Network& network_;
  Net& net_;
  SwitchModel<Reference> switches_;
  ScheduledSwitch<Reference> scheduled_;
  NicModel<Reference> nics_;
  WindowNic<Reference> window_nics_;
  std::priority_queue<Event> events_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Time> timers_;
  std::uint64_t made_ = 0;
  Time now_ = 0;
};

}  // namespace railyard::packet
