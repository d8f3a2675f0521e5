// One output-queued switch with a shared buffer, as plainly as the standards and docs/models.md describe it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "plain_port.h"
#include "plan/packet_plan.h"

namespace railyard {

struct PlainSwitchCount {
  std::uint64_t dropped_in_buffer = 0, dropped_in_headroom = 0, pauses = 0, resumes = 0, trimmed = 0;
  std::vector<std::pair<Picoseconds, std::uint32_t>> pause_log;  // when, and the port whose sender is to stop
};

/// Port i leads to host i; what comes from host i comes by port i. Two classes: control, strictly first and never counted
/// (docs/models.md, queues), and data.
class PlainSwitch {
 public:
  PlainSwitch(PlainClock& clock, const PacketPlan& plan, std::uint32_t hosts)
      : clock_(clock), plan_(plan), egress_(hosts), ingress_(hosts) {}

  /// `aside`: of the buffer, what is not shared. `headroom`: of every port.
  void share(Bytes aside, const std::vector<Bytes>& headroom) {
    shared_size_ = plan_.buffer.size - aside;
    for (std::size_t i = 0; i < headroom.size(); i++) ingress_[i].headroom_size = headroom[i];
  }

  void own(std::uint32_t index, PlainPort& port) {
    egress_[index].port = &port;
    port.serve = [this, index] { serve(index); };
    port.left = [this](const PlainPacket& packet) {
      if (!packet.control && !plan_.buffer.release_at_start) release(packet);
    };
  }

  void arrive(std::uint32_t in, PlainPacket packet) {
    packet.in = in;
    Egress& out = egress_[packet.to];
    if (is_full(out, packet)) trim(packet);
    if (!packet.control && !admit(packet)) {
      out.port->count.dropped++;
      return;
    }
    out.queue[packet.control ? 0 : 1].push_back(packet);
    if (!packet.control) pause_if_due(in);
    if (out.port->is_free()) serve(packet.to);
  }

  PlainSwitchCount count;

  [[nodiscard]] Bytes held_most(std::uint32_t in) const { return ingress_[in].held_most; }
  [[nodiscard]] Bytes headroom_most(std::uint32_t in) const { return ingress_[in].headroom_most; }

 private:
  struct Egress {
    PlainPort* port = nullptr;
    std::array<std::deque<PlainPacket>, 2> queue;  // control, data
    Bytes headers;                                 // of control that has left since data last had its turn
  };
  struct Ingress {
    Bytes held;      // reserve and shared buffer
    Bytes headroom;  // in use
    Bytes headroom_size;
    Bytes held_most, headroom_most;
    bool paused = false;
  };

  [[nodiscard]] bool is_lossless() const { return plan_.pfc.enabled && plan_.classes[kDataClass].lossless; }
  [[nodiscard]] Bytes in_shared_buffer(Bytes held) const { return std::max(Bytes::zero(), held - plan_.buffer.reserve); }

  /// Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (1998), which is
  /// T = alpha (B - Q). Alpha is a power of two here, as in switches, so that T is a shift. Or a fixed one.
  [[nodiscard]] Bytes threshold() const {
    if (plan_.buffer.xoff) return *plan_.buffer.xoff;
    const Bytes free = shared_size_ - shared_used_;
    return plan_.buffer.alpha >= 1 ? free * static_cast<std::int64_t>(plan_.buffer.alpha)
                                   : free / static_cast<std::int64_t>(1 / plan_.buffer.alpha);
  }

  /// docs/models.md, buffer: reserve first, then the shared part up to the threshold, then headroom; a packet is in one of
  /// them.
  bool admit(const PlainPacket& packet) {
    Ingress& in = ingress_[packet.in];
    const Bytes before = in_shared_buffer(in.held), after = in_shared_buffer(in.held + packet.size);
    if (after <= threshold() && after - before <= shared_size_ - shared_used_) {
      in.held += packet.size;
      shared_used_ += after - before;
      in.held_most = std::max(in.held_most, in.held);
      return true;
    }
    if (is_lossless() && in.headroom + packet.size <= in.headroom_size) {
      in.headroom += packet.size;
      in.headroom_most = std::max(in.headroom_most, in.headroom);
      return true;
    }
    (is_lossless() ? count.dropped_in_headroom : count.dropped_in_buffer)++;
    return false;
  }

  [[nodiscard]] static Bytes bytes_of(const std::deque<PlainPacket>& queue) {
    Bytes sum;
    for (const PlainPacket& one : queue) sum += one.size;
    return sum;
  }

  /// Handley et al. (SIGCOMM 2017), 3.1: a data queue ends, and what finds it full goes on as headers, before data.
  [[nodiscard]] bool is_full(const Egress& out, const PlainPacket& packet) const {
    if (packet.kind != PlainPacket::Kind::data || !plan_.buffer.queue || !plan_.buffer.trim) return false;
    return bytes_of(out.queue[1]) + packet.size > *plan_.buffer.queue;
  }
  void trim(PlainPacket& packet) {
    count.trimmed++;
    packet.kind = PlainPacket::Kind::bare;
    packet.size = *plan_.buffer.trim;
    packet.control = true;
  }

  /// Control goes first. Where switches trim (Handley et al., 3.1), data has its turn after ten headers' worth of it.
  [[nodiscard]] bool is_turn_of_data(const Egress& out) const {
    if (out.queue[0].empty()) return true;
    if (out.queue[1].empty() || out.port->is_paused() || !plan_.buffer.trim) return false;
    return out.headers >= *plan_.buffer.trim * 10;
  }

  /// Headroom is freed first, the reserve last.
  void release(const PlainPacket& packet) {
    Ingress& in = ingress_[packet.in];
    const Bytes of_headroom = std::min(in.headroom, packet.size);
    const Bytes before = in_shared_buffer(in.held);
    in.headroom -= of_headroom;
    in.held -= packet.size - of_headroom;
    shared_used_ -= before - in_shared_buffer(in.held);
    resume_if_due(packet.in);
  }

  void pause_if_due(std::uint32_t index) {
    Ingress& in = ingress_[index];
    if (!is_lossless() || in.paused) return;
    const bool is_over = !plan_.buffer.xoff && in_shared_buffer(in.held) >= threshold();
    if (in.headroom == Bytes::zero() && !is_over) return;
    in.paused = true;
    count.pauses++;
    count.pause_log.emplace_back(clock_.now(), index);
    egress_[index].port->tell(true);
  }

  /// docs/models.md, buffer; and, as in HPCC's switch, when nothing is held, however far below the threshold that is.
  void resume_if_due(std::uint32_t index) {
    Ingress& in = ingress_[index];
    if (!in.paused || in.headroom > Bytes::zero()) return;
    const Bytes held = in_shared_buffer(in.held);
    const bool is_low = plan_.buffer.xoff ? held < *plan_.buffer.xon : held <= threshold() - plan_.buffer.xon_offset;
    if (held > Bytes::zero() && !is_low) return;
    in.paused = false;
    count.resumes++;
    egress_[index].port->tell(false);
  }

  void serve(std::uint32_t index) {
    Egress& out = egress_[index];
    const bool of_data = is_turn_of_data(out), alone = out.queue[1].empty();
    std::deque<PlainPacket>& queue = out.queue[of_data ? 1 : 0];
    if (queue.empty() || (of_data && out.port->is_paused())) return;
    PlainPacket packet = queue.front();
    queue.pop_front();
    out.headers = of_data ? Bytes::zero() : (alone ? Bytes::zero() : out.headers) + packet.size;
    if (packet.kind == PlainPacket::Kind::data) mark(packet, queue, *out.port);
    out.port->send(packet);
    if (!packet.control && plan_.buffer.release_at_start) release(packet);
  }

  /// DCQCN's congestion point (Zhu et al. 2015, 3.1, as RED in RFC 3168, 5) where kmin = kmax: never up to it, always above.
  void mark(PlainPacket& packet, const std::deque<PlainPacket>& behind, PlainPort& port) const {
    if (!plan_.ecn.enabled || bytes_of(behind) <= plan_.ecn.kmin) return;
    RY_CHECK(plan_.ecn.kmin == plan_.ecn.kmax, "marking is not random here");
    packet.marked = true;
    port.count.marked++;
  }

  PlainClock& clock_;
  const PacketPlan& plan_;
  std::vector<Egress> egress_;
  std::vector<Ingress> ingress_;
  Bytes shared_size_, shared_used_;
};

}  // namespace railyard
