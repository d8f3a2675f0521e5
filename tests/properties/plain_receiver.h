// The responder of a reliable connection and DCQCN's notification point, as plainly as the standards describe them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "plain_case.h"
#include "plain_port.h"

namespace railyard {

struct PlainReceiverCount {
  std::uint64_t acks = 0, naks = 0, cnps = 0, thrown_away = 0;
};

/// `answer` sends a packet back to the requester, `delivered` hears of the end of every message.
class PlainReceiver {
 public:
  PlainReceiver(PlainClock& clock, const PlainCase& c, std::uint32_t flow)
      : clock_(clock), plan_(c.plan), flow_(flow), requester_(c.flows[flow].from) {}

  std::function<void(const PlainPacket&)> answer;
  std::function<void()> delivered;
  PlainReceiverCount count;

  void arrive(const PlainPacket& packet) {
    if (packet.marked) notify();
    if (packet.psn == expected_)
      take(packet);
    else if (packet.psn > expected_)
      repeats() ? keep(packet) : complain();
    else
      acknowledge();  // InfiniBand, 9.7.5: a duplicate is acknowledged once more, and not executed again
  }

 private:
  [[nodiscard]] bool repeats() const { return plan_.nic.recovery == LossRecovery::selective_repeat; }

  /// InfiniBand, 9.7.5: one ACK may answer several requests; here every n packets, at the end of a message, and (selective
  /// repeat) when a gap closes: what was kept behind it counts as arrived now.
  void take(const PlainPacket& packet) {
    expected_++;
    has_complained_ = false;
    since_ack_++;
    bool now = packet.ends_message;
    if (packet.ends_message) delivered();
    for (auto next = kept_.find(expected_); next != kept_.end(); next = kept_.find(expected_)) {
      now = true;
      if (next->second) delivered();
      kept_.erase(next);
      expected_++;
    }
    if (now || since_ack_ == plan_.nic.ack_every) acknowledge();
  }

  /// Mittal et al. (SIGCOMM 2018), 3.1: what comes early is kept, and a NAK tells both what is expected and what came; here
  /// only where that is more than `reorder` ahead.
  void keep(const PlainPacket& packet) {
    kept_[packet.psn] = packet.ends_message;
    if (packet.psn - expected_ <= plan_.nic.reorder) return;
    since_ack_ = 0;
    count.naks++;
    send(PlainPacket::Kind::nak, plan_.nic.ack, !plan_.nic.ack_with_data, packet.psn);
  }

  void acknowledge() {
    since_ack_ = 0;
    count.acks++;
    send(PlainPacket::Kind::ack, plan_.nic.ack, !plan_.nic.ack_with_data);
  }

  /// InfiniBand, 9.7.5: a PSN beyond the expected one gets a NAK (sequence error) once; what follows is
  /// thrown away without a word until the expected one arrives.
  void complain() {
    count.thrown_away++;
    if (has_complained_) return;
    has_complained_ = true;
    since_ack_ = 0;
    count.naks++;
    send(PlainPacket::Kind::nak, plan_.nic.ack, !plan_.nic.ack_with_data);
  }

  /// Zhu et al. 2015, 3.1, NP algorithm: at most one CNP per flow and interval.
  void notify() {
    if (!plan_.dcqcn.enabled) return;
    if (last_cnp_ && clock_.now() - *last_cnp_ < plan_.dcqcn.min_time_between_cnps) return;
    last_cnp_ = clock_.now();
    count.cnps++;
    send(PlainPacket::Kind::cnp, plan_.nic.cnp, true);
  }

  void send(PlainPacket::Kind kind, Bytes size, bool control, std::uint32_t seen = 0) {
    PlainPacket packet;
    packet.kind = kind;
    packet.flow = flow_;
    packet.psn = expected_;
    packet.seen = seen;
    packet.size = size;
    packet.control = control;
    packet.to = requester_;
    answer(packet);
  }

  PlainClock& clock_;
  const PacketPlan& plan_;
  std::uint32_t flow_, requester_;
  std::uint32_t expected_ = 0, since_ack_ = 0;
  bool has_complained_ = false;
  std::map<std::uint32_t, bool> kept_;  // by PSN: whether a message ends with it
  std::optional<Picoseconds> last_cnp_;
};

}  // namespace railyard
