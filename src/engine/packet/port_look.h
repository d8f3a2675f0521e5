// What samples are made of: a port as it is at one instant. Compiled for GPUs, too.
#pragma once

#include <cstdint>

#include "engine/packet/net.h"
#include "telemetry/port_series.h"

namespace railyard::packet {

struct PortLook {
  std::uint64_t bytes = 0, marked = 0;
  Time paused = 0;  // sum over classes
  std::uint32_t backlog = 0;
  bool goes_on = false;     // it will have something to show in the next sample, too
  bool has_events = false;  // they may be other than zero
  PortEvents events;        // so far, in numbers that may wrap around
};

/// All that happened at a port so far: only differences count. What a host counts is counted at its first port.
inline PortEvents events_until_now(const Net& net, bool is_host, std::uint32_t index) {
  const Port& port = net.ports[index];
  PortEvents events;
  events.port = PortId(index);
  if (port.has_past) events.dropped = static_cast<std::uint32_t>(port.dropped);
  if (port.has_past && !port.by_credits)
    for (std::uint32_t c = 0; c < kClasses; c++) {
      const PauseCounter& counter = net.pause_counters[std::size_t{index} * kClasses + c];
      events.pauses += static_cast<std::uint32_t>(counter.count);
      events.pauses_sent += static_cast<std::uint32_t>(counter.sent);
    }
  if (!is_host || port.slot != 0) return events;
  const Host& host = net.hosts[port.node];
  events.cnp_sent = static_cast<std::uint32_t>(host.cnp_sent);
  events.cnp_handled = static_cast<std::uint32_t>(host.cnp_handled);
  events.marked_in = static_cast<std::uint32_t>(host.marked_in);
  events.out_of_sequence = static_cast<std::uint32_t>(host.out_of_sequence);
  return events;
}

inline PortLook look_at_port(const Net& net, bool is_host, std::uint32_t index, Time now) {
  const Port& port = net.ports[index];
  PortLook look;
  look.bytes = port.bytes;
  look.backlog = port.backlog;
  if (port.has_past) {  // on a line of its row that is seldom touched
    look.marked = port.marked;
    look.paused = port.paused_sum;
    for (std::uint32_t c = 0; c < kClasses; c++)
      if (port.paused >> c & 1) look.paused += now - net.pause_counters[std::size_t{index} * kClasses + c].changed;
  }
  look.has_events = port.has_past || is_host;
  if (look.has_events) look.events = events_until_now(net, is_host, index);
  const bool counts = port.slot == 0 && is_host;  // what a NIC counts it may count without sending
  look.goes_on = port.busy || port.backlog != 0 || port.paused != 0 || counts;
  return look;
}

}  // namespace railyard::packet
