// Both ends of a connection with a congestion window that takes packets in any order, as docs/models.md (windows) tells it:
// what NSCC is held against. Shares no code with the engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "plain_nscc.h"
#include "plain_receiver.h"
#include "plain_sender.h"

namespace railyard {

/// Times of sending are told in steps of 8.192 ns.
inline constexpr std::int64_t kPlainStamp = 8192;

/// Counts packets and tells how many it has; names those of which only the headers came.
class PlainWindowReceiver {
 public:
  PlainWindowReceiver(PlainClock&, const PlainCase& c, std::uint32_t flow)
      : plan_(c.plan), flow_(flow), requester_(c.flows[flow].from) {}

  std::function<void(const PlainPacket&)> answer;
  std::function<void()> delivered;
  PlainReceiverCount count;

  void arrive(const PlainPacket& packet) {
    if (packet.kind == PlainPacket::Kind::bare) return name(packet);
    if (unanswered_ > 0 && packet.marked != was_marked_) acknowledge(packet);  // an ACK is for marked ones or for others
    was_marked_ = packet.marked;
    const bool had_gap = has_gap();
    bool now = packet.asks || has_named_;
    if (arrived_.insert(packet.psn).second)
      now = move_on(packet) || now;
    else
      now = true;
    if (!has_gap()) {
      has_named_ = false;
      now = now || (had_gap && packet.psn < expected_);
    }
    if (++unanswered_ == plan_.nic.ack_every || now) acknowledge(packet);
  }

 private:
  [[nodiscard]] bool has_gap() const { return beyond_ > expected_; }

  /// Whether a message has ended.
  bool move_on(const PlainPacket& packet) {
    beyond_ = std::max(beyond_, packet.psn + 1);
    if (packet.ends_message) ends_.insert(packet.psn);
    bool any = false;
    for (; arrived_.count(expected_) > 0; expected_++) {
      if (ends_.count(expected_) == 0) continue;
      any = true;
      delivered();
    }
    return any;
  }

  void name(const PlainPacket& bare) {
    if (unanswered_ > 0) acknowledge(bare);
    beyond_ = std::max(beyond_, bare.psn + 1);
    if (bare.psn < expected_) return;
    has_named_ = true;
    count.naks++;
    send(PlainPacket::Kind::nak, bare.psn, bare);
  }

  void acknowledge(const PlainPacket& packet) {
    unanswered_ = 0;
    count.acks++;
    if (was_marked_) count.cnps++;
    send(PlainPacket::Kind::ack, expected_, packet);
  }

  void send(PlainPacket::Kind kind, std::uint32_t psn, const PlainPacket& to) {
    PlainPacket packet;
    packet.kind = kind;
    packet.flow = flow_;
    packet.psn = psn;
    packet.seen = static_cast<std::uint32_t>(arrived_.size());
    packet.sent = to.sent;
    packet.marked = was_marked_;
    packet.size = plan_.nic.ack;
    packet.control = true;
    packet.to = requester_;
    answer(packet);
  }

  const PacketPlan& plan_;
  std::uint32_t flow_, requester_;
  std::set<std::uint32_t> arrived_, ends_;  // by PSN, all that ever came
  std::uint32_t expected_ = 0, beyond_ = 0, unanswered_ = 0;
  bool was_marked_ = false, has_named_ = false;
};

/// Has at most a window in flight, in whole packets, and always one.
class PlainWindowSender {
 public:
  PlainWindowSender(PlainClock& clock, const PlainCase& c, std::uint32_t flow)
      : clock_(clock),
        plan_(c.plan),
        flow_(flow),
        mtu_(static_cast<double>(c.mtu.count())),
        rule_(mtu_, round_trip(c, flow), static_cast<double>(c.hosts[c.flows[flow].from].rate.count()) / 8e12,
              c.plan.buffer.trim.has_value()) {}

  std::function<void()> wake, acknowledged;
  PlainSenderCount count;

  [[nodiscard]] const PlainNscc& rule() const { return rule_; }

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

  [[nodiscard]] bool is_ready_by(Picoseconds) const {
    if (lost_.empty() && next_ == packets_.size()) return false;
    const double in_flight = static_cast<double>(in_flight_packets());
    if (in_flight == 0 || (in_flight + 1) * mtu_ <= rule_.cwnd()) return true;
    return in_flight_packets() < plan_.nic.ack_every && !waits_;  // nobody has been asked, and nobody answers by himself
  }

  PlainPacket take() {
    std::uint32_t psn = next_;
    if (lost_.empty()) {
      next_++;
    } else {
      psn = *lost_.begin();
      lost_.erase(lost_.begin());
      count.retransmissions++;
    }
    PlainPacket packet = packets_[psn];
    packet.sent = clock_.now();
    packet.asks = waits_ = static_cast<double>(in_flight_packets() + 1) * mtu_ > rule_.cwnd();
    if (waits_) asked_by_ = psn;
    if (!timer_runs_) start_timer();
    return packet;
  }

  void arrive(const PlainPacket& answer) {
    answer.kind == PlainPacket::Kind::nak ? hear_of_loss(answer.psn) : hear_of_arrival(answer);
    wake();
  }

 private:
  /// Of a full packet and its ACK that meet no others.
  static double round_trip(const PlainCase& c, std::uint32_t flow) {
    const PlainHost &from = c.hosts[c.flows[flow].from], &to = c.hosts[c.flows[flow].to];
    const Bytes full = c.mtu + c.header + c.message_header;
    Picoseconds sum = (from.cable + to.cable + c.switch_latency) * 2;
    for (const Bytes size : {full, c.plan.nic.ack}) sum += transmit_time(size, from.rate) + transmit_time(size, to.rate);
    return static_cast<double>(sum.count());
  }

  [[nodiscard]] std::uint32_t in_flight_packets() const { return next_ - received_ - static_cast<std::uint32_t>(lost_.size()); }
  [[nodiscard]] double in_flight() const { return static_cast<double>(in_flight_packets()) * mtu_; }
  [[nodiscard]] double now() const { return static_cast<double>(clock_.now().count()); }

  void hear_of_loss(std::uint32_t psn) {
    if (psn < acknowledged_ || !lost_.insert(psn).second) return;
    if (psn == asked_by_) waits_ = false;
    start_timer();
    rule_.on_trim(mtu_, in_flight(), now());
  }

  void hear_of_arrival(const PlainPacket& ack) {
    waits_ = false;
    if (ack.marked) count.cnps++;
    std::uint32_t news = 0;
    if (ack.seen > received_) {
      news = ack.seen - received_;
      received_ = ack.seen;
    }
    for (; acknowledged_ < ack.psn; acknowledged_++) {
      lost_.erase(acknowledged_);
      if (packets_[acknowledged_].ends_message) acknowledged();
    }
    if (news > 0) {
      timer_runs_ = false;
      if (acknowledged_ < next_) start_timer();
    }
    const std::int64_t steps = clock_.now().count() / kPlainStamp - ack.sent.count() / kPlainStamp;
    rule_.on_ack(news * mtu_, ack.marked, static_cast<double>(steps * kPlainStamp), in_flight(), now());
  }

  void start_timer() {
    timer_runs_ = true;
    const std::uint64_t mine = ++timer_;
    clock_.at(clock_.now() + plan_.nic.timeout, PlainOrder::timer, flow_, [this, mine] {
      if (!timer_runs_ || mine != timer_) return;
      count.timeouts++;
      for (std::uint32_t psn = acknowledged_; psn < next_; psn++) lost_.insert(psn);
      received_ = next_ - static_cast<std::uint32_t>(lost_.size());
      rule_.on_timeout();
      start_timer();
      wake();
    });
  }

  PlainClock& clock_;
  const PacketPlan& plan_;
  std::uint32_t flow_;
  double mtu_;
  PlainNscc rule_;
  std::vector<PlainPacket> packets_;
  std::set<std::uint32_t> lost_;
  std::uint32_t next_ = 0, acknowledged_ = 0, received_ = 0, asked_by_ = 0;
  bool waits_ = false, timer_runs_ = false;  // waits: the last packet has asked for an answer
  std::uint64_t timer_ = 0;
};

using PlainWindowNetwork = PlainNetworkOf<PlainWindowSender, PlainWindowReceiver>;

}  // namespace railyard
