// What ways to play a port of a switch have in common.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/packet/device/out.h"
#include "engine/packet/port_model.h"

namespace railyard::packet::device {

/// How a thread plays a port of a switch: while the switch is calm; to see when packets leave, and nobody hears of it; or for
/// good, when it is known what the buffer makes of that.
enum class Play : std::uint8_t { calm, dry, last };

inline constexpr std::uint8_t kHeld = 1;  // of Scratch::notes

/// Which port of which switch, and when.
struct PortAt {
  std::uint32_t node, slot;
  Time begin, end;
  bool odd;
};

/// Whether a packet that leaves is marked, by what stays behind; as SwitchModel::is_marked. REQUIRES: that is more than kmin.
inline bool is_marked_at(const Net& net, const Packet& packet, std::uint32_t depth) {
  if (!net.p.ecn || !packet.is_data()) return false;
  if (depth > net.p.kmax) return true;
  const std::uint64_t chance = (depth - net.p.kmin) * net.p.mark_slope;
  const std::uint64_t where = std::uint64_t{packet.number} << 8 | (packet.bits >> Packet::kHopShift & Packet::kHops);
  return scramble(net.p.seed, packet.flow, where) < chance;
}

[[gnu::noinline]] inline void make_room_in_ring(const State& state, Port& row) { Out(state, false, false).make_room(row); }
[[gnu::noinline]] inline void grow_pool(const State& state, Pool& pool, std::uint32_t first, std::uint32_t past) {
  Out(state, false, false).grow(pool, first, past);
}

/// As PortModel::choose_class. REQUIRES: nothing is trimmed.
[[gnu::always_inline]] inline std::uint32_t choose_class(const Net& net, Queue* queues, std::uint32_t& turn,
                                                         std::uint32_t waiting) {
  if (const std::uint32_t first = waiting & net.p.shares.strict; first != 0) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(first));
    queues[c].credit = 0;
    return c;
  }
  if ((waiting & (waiting - 1)) == 0) {
    for (std::uint32_t c = 0; c < kClasses; c++) queues[c].credit = 0;
    return static_cast<std::uint32_t>(std::countr_zero(waiting));
  }
  while ((waiting >> turn & 1) == 0 || queues[turn].credit <= 0) {
    turn = turn + 1 == kClasses ? 0 : turn + 1;
    if (waiting >> turn & 1)
      queues[turn].credit += static_cast<std::int32_t>(net.p.shares.weight[turn] * PortModel<Out, false>::kBytesPerWeight);
  }
  return turn;
}

/// As PortModel::account_backlog.
[[gnu::always_inline]] inline void add_backlog(std::uint64_t& sum, Time& at, std::uint32_t backlog, Time now) {
  const auto span = static_cast<std::uint64_t>(now - at);
  sum += span >> 32 == 0 ? backlog * span >> 10 : backlog * (span >> 10);
  at = now;
}

/// A port is paused, or is not any more; as PortModel::set_paused.
[[gnu::always_inline]] inline void count_pause(const Net& net, Port& port, std::uint32_t index, const Frame& one) {
  PauseCounter& counter = net.pause_counters[std::size_t{index} * kClasses + one.traffic_class];
  if (one.xoff != 0) {
    port.pauses++;
    counter.count++;
  } else {
    port.paused_sum += one.at - counter.changed;
    counter.sum += one.at - counter.changed;
  }
  counter.changed = one.at;
}

}  // namespace railyard::packet::device
