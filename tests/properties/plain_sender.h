// The requester of a reliable connection with go-back-N, as plainly as the InfiniBand specification describes it, or with
// selective repeat, as Mittal et al. (SIGCOMM 2018) do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "plain_case.h"
#include "plain_port.h"
#include "plain_rate.h"

namespace railyard {

struct PlainSenderCount {
  std::uint64_t retransmissions = 0, timeouts = 0, cnps = 0;
  bool broken = false;
};

/// A queue pair. `wake`: it may have something to send now. `acknowledged` hears of every message.
class PlainSender {
 public:
  PlainSender(PlainClock& clock, const PlainCase& c, std::uint32_t flow)
      : clock_(clock), plan_(c.plan), flow_(flow), rate_(clock, c.plan.dcqcn, c.hosts[c.flows[flow].from].rate) {
    rate_.changed = [this] { wait_for_rate(); };
  }

  std::function<void()> wake, acknowledged;
  PlainSenderCount count;

  /// A work request: cut into packets of at most the MTU (InfiniBand, 9.7), of which an empty message has one too; the
  /// first has the RETH.
  void post(Bytes payload, Bytes mtu, Bytes header, Bytes message_header, std::uint32_t to) {
    Bytes rest = payload, extra = message_header;
    do {
      PlainPacket packet;
      packet.flow = flow_;
      packet.psn = static_cast<std::uint32_t>(packets_.size());
      packet.size = std::min(rest, mtu) + header + extra;
      packet.to = to;
      rest -= std::min(rest, mtu);
      packet.ends_message = rest == Bytes::zero();
      packets_.push_back(packet);
      extra = Bytes::zero();
    } while (rest > Bytes::zero());
    wake();
  }

  /// Whether a packet may leave at an instant, as things stand.
  [[nodiscard]] bool is_ready_by(Picoseconds when) {
    if (count.broken || (!skip_what_arrived() && next_ == packets_.size())) return false;
    return !plan_.dcqcn.enabled || rate_.paid_at() <= when;
  }

  /// REQUIRES: is ready.
  PlainPacket take() {
    const PlainPacket packet = packets_[skip_what_arrived() ? again_++ : next_++];
    if (packet.psn < sent_most_) count.retransmissions++;
    if (!timer_runs_) start_timer();
    sent_most_ = std::max(sent_most_, next_);
    if (plan_.dcqcn.enabled) {
      rate_.charge(packet.size);
      wait_for_rate();
    }
    return packet;
  }

  void arrive(const PlainPacket& answer) {
    if (answer.kind == PlainPacket::Kind::cnp) {
      count.cnps++;
      rate_.notify();
      return;
    }
    if (count.broken || answer.psn < acknowledged_) return;  // InfiniBand, 9.7.6: an old answer is ignored
    progress_to(answer.psn);
    if (answer.kind == PlainPacket::Kind::nak) repeats() ? repeat(answer.psn, answer.seen) : go_back(answer.psn);
    wake();
  }

 private:
  [[nodiscard]] bool repeats() const { return plan_.nic.recovery == LossRecovery::selective_repeat; }

  /// Everything from that PSN on, once more.
  void go_back(std::uint32_t psn) { next_ = psn; }

  /// Mittal et al., 3.1: what is missing before a packet that has arrived, each once; what is lost again waits for the timer.
  void repeat(std::uint32_t from, std::uint32_t seen) {
    arrived_.insert(seen);
    again_ = std::max(again_, from);
    again_to_ = std::max(again_to_, seen);
  }

  /// Moves on to the next packet to repeat that is not known to have arrived. Returns whether there is one.
  bool skip_what_arrived() {
    while (again_ < again_to_ && (again_ < acknowledged_ || arrived_.count(again_) > 0)) again_++;
    return again_ < again_to_;
  }

  /// InfiniBand, 9.7.6: an ACK, or a NAK for what precedes it, acknowledges all packets before its PSN.
  void progress_to(std::uint32_t psn) {
    if (psn == acknowledged_) return;
    for (; acknowledged_ < psn; acknowledged_++)
      if (packets_[acknowledged_].ends_message) acknowledged();
    next_ = std::max(next_, acknowledged_);
    timeouts_in_a_row_ = 0;
    timer_runs_ = false;
    if (acknowledged_ < sent_most_) start_timer();
  }

  /// InfiniBand, 9.7.6: the transport timer runs while something is not acknowledged, and starts anew with progress.
  void start_timer() {
    timer_runs_ = true;
    const std::uint64_t mine = ++timer_;
    clock_.at(clock_.now() + plan_.nic.timeout, PlainOrder::timer, flow_, [this, mine] {
      if (timer_runs_ && mine == timer_) give_up();
    });
  }

  void give_up() {
    count.timeouts++;
    if (plan_.nic.retries > 0 && ++timeouts_in_a_row_ > plan_.nic.retries) {
      count.broken = true;
      return;
    }
    if (repeats())
      again_ = acknowledged_, again_to_ = sent_most_;
    else
      next_ = acknowledged_;
    start_timer();
    wake();
  }

  void wait_for_rate() {
    const std::uint64_t mine = ++wait_;
    clock_.at(rate_.paid_at(), PlainOrder::timer, flow_, [this, mine] {
      if (mine == wait_) wake();
    });
  }

  PlainClock& clock_;
  const PacketPlan& plan_;
  std::uint32_t flow_;
  PlainRate rate_;
  std::vector<PlainPacket> packets_;
  std::uint32_t next_ = 0, acknowledged_ = 0, sent_most_ = 0, timeouts_in_a_row_ = 0;
  std::uint32_t again_ = 0, again_to_ = 0;  // of selective repeat: from here to before there, once more
  std::set<std::uint32_t> arrived_;         // beyond what is acknowledged
  bool timer_runs_ = false;
  std::uint64_t timer_ = 0, wait_ = 0;
};

}  // namespace railyard
