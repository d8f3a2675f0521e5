// What a NIC with one link does most of the time, without an event for each packet: it takes in a flow that is in order, and
// puts one packet of a lone flow behind the other. Everything else is NicModel's; nothing here does what that would not.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/net.h"

namespace railyard::packet {

/// Plain functions over the rows of a Net; `Out` is that of PortModel.
template<class Out>
class NicRuns {
  using State = Sender::State;

 public:
  NicRuns(Net& net, Out& out) : net_(net), out_(out) {}

  [[nodiscard]] static bool is_usual(const Parameters& p) {
    return !p.fails && !p.by_profile && p.window == 0 && !p.selective && p.host_rate == 0 && !p.has_windows() &&
           p.credit_step == 0 && p.admission == 0;
  }

  /// Whether a host takes in packets as they come, and sends them as its wire allows.
  [[nodiscard]] static bool is_prompt(const Host& host) { return host.take_rate == 0 && !host.stuck && !host.is_reducer; }

  /// Takes in a packet that nobody has to be told of. That does not matter to what the host sends, so that it may be done
  /// before. Returns whether it was such a packet. REQUIRES: usual parameters and a prompt host.
  [[gnu::always_inline]] bool take_in(const Packet& packet) {
    if ((packet.bits & kPlain) != 0) return false;
    Receiver& r = net_.receivers[packet.flow];
    if (packet.number != r.expected || r.unacknowledged + 1 >= net_.p.ack_every) return false;
    if (packet.has(Packet::kMarked)) {
      Host& host = net_.hosts[net_.ends[packet.flow].to];
      const DcqcnParameters& dcqcn = net_.dcqcn(host);
      if (dcqcn.cnp_on_ack)
        r.mark_pending = true;
      else if (dcqcn.notifies && packet.at - r.last_cnp >= dcqcn.min_time_between_cnps)
        return false;
      host.marked_in++;
    }
    r.expected++;
    r.unacknowledged++;
    r.nak_sent = false;
    return true;
  }

  /// The timer of a port is due: sends packets of the only flow it has for as long as they begin no later than `until`, and
  /// plans what comes next. Returns whether it did anything; if not, nothing has changed. REQUIRES: usual parameters, and that
  /// nothing else happens at the host up to `until`.
  bool send(std::uint32_t index, Time now, Time until) {
    Port& port = net_.ports[index];
    NicPort& nic = net_.nics[index];
    const bool waits = nic.waiting.size == 1;
    if (port.filled != 0 || port.paused != 0 || port.frame_until > now || !has_one_flow(nic, waits)) return false;
    const std::uint32_t flow =
        waits ? nic.waiting.entries[0].flow : nic.ready_head[static_cast<std::uint32_t>(std::countr_zero(nic.ready))];
    Sender& s = net_.senders[flow];
    if (waits && nic.waiting.entries[0].at > now) {  // the wire is free, the flow may not send yet
      port.busy = false;
      out_.timer(port.node, port.slot, nic.waiting.entries[0].at);
      return true;
    }
    const std::uint32_t most = run_of(s);
    if (most == 0) return false;
    Run run{.at = now, .size = static_cast<std::uint16_t>(net_.messages[s.message].payload + net_.p.header), .waits = waits};
    for (std::uint32_t i = 0; i < most && step(port, index, flow, s, run, until); i++) {
    }
    commit_run(port, nic, flow, s, run);
    return true;
  }

 private:
  static constexpr std::uint16_t kPlain = 0xFF & ~(Packet::kClass | Packet::kMarked);  // bits of anything but plain data

  /// Where a flow stands.
  struct Run {
    Time at;             // of what happens next
    std::uint16_t size;  // of a packet
    bool waits;          // for its rate, until then; else it is ready and its port's wire is free then
    bool sent = false;   // anything
    bool busy = false;   // the wire is, until then
  };

  [[nodiscard]] static bool has_one_flow(const NicPort& nic, bool waits) {
    if (waits) return nic.ready == 0;
    if (nic.waiting.size != 0 || !std::has_single_bit(nic.ready)) return false;
    const auto c = static_cast<std::uint32_t>(std::countr_zero(nic.ready));
    return nic.ready_head[c] == nic.ready_tail[c];
  }

  /// How many packets of full size a flow may send that are new and neither begin nor end a message, if it is watched already.
  [[nodiscard]] std::uint32_t run_of(const Sender& s) const {
    if (s.broken || s.resend_from < s.resend_to || s.message == kNone || s.next_number != s.sent_most) return 0;
    if (!s.has_alarm && net_.p.timeout != kNever) return 0;
    const Outgoing& message = net_.messages[s.message];
    const std::uint32_t index_in_message = s.next_number - message.first;
    return index_in_message == 0 || index_in_message + 1 >= message.packets ? 0 : message.packets - 1 - index_in_message;
  }

  /// What happens next. Returns whether anything may happen after that.
  [[gnu::always_inline]] bool step(Port& port, std::uint32_t index, std::uint32_t flow, Sender& s, Run& run, Time until) {
    const Time now = run.at;
    if (run.waits) {  // a cut of its rate since may have moved it
      run.at = may_send_at(s, now);
      run.busy = false;
      if (run.at > now) return run.at <= until;
    }
    Packet packet;
    packet.flow = flow;
    packet.number = s.next_number++;
    packet.size = run.size;
    if (net_.p.reacts && s.rate.paced) {
      const DcqcnParameters& dcqcn = net_.dcqcn(s);
      catch_up(s.rate, dcqcn, now);
      charge(s.rate, dcqcn, packet.size);
      run.at = may_send_at(s, now);
    }
    if (s.deadline == kNever) s.deadline = now + net_.p.timeout;
    const Time end = now + port.wire_time(packet.size);
    port.packets++;
    port.bytes += packet.size;
    out_.send(index, packet, (port.cuts_through ? now : end) + port.delay, Packet::bits_of(Kind::data, s.traffic_class));
    port.busy_until = end;
    run.sent = run.busy = true;
    run.waits = run.at > end;
    if (!run.waits) run.at = end;
    return run.at <= until;
  }

  Time may_send_at(Sender& s, Time now) const {
    if (!net_.p.reacts || !s.rate.paced) return now;
    const DcqcnParameters& dcqcn = net_.dcqcn(s);
    catch_up(s.rate, dcqcn, std::max(now, s.rate.at));
    return std::max(now, paid_at(s.rate, dcqcn));
  }

  /// Lines the flow up as NicModel would have.
  void commit_run(Port& port, NicPort& nic, std::uint32_t flow, Sender& s, const Run& run) {
    const std::uint32_t c = s.traffic_class;
    s.sent_most = s.next_number;
    s.state = run.waits ? State::waiting : State::ready;
    nic.waiting.size = 0;
    if (run.waits) {
      out_.make_room(nic.waiting);
      nic.waiting.push({run.at, flow});
    }
    nic.ready = run.waits ? 0 : 1U << c;
    nic.ready_head[c] = run.waits ? kNone : flow;
    nic.ready_tail[c] = flow;
    s.behind = kNone;
    if (run.sent) {
      if ((net_.p.shares.strict >> c & 1) == 0)
        for (Queue& queue : port.queue) queue.credit = 0;
      port.queue[c].credit = -static_cast<std::int32_t>(run.size);
    }
    port.busy = run.busy;
    out_.timer(port.node, port.slot, run.busy ? port.busy_until : run.at);
  }

  Net& net_;
  Out& out_;
};

}  // namespace railyard::packet
