// The sending end of a link in the plain model: a wire that takes one packet at a time, and pauses by PFC.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "base/units.h"
#include "plain_clock.h"

namespace railyard {

struct PlainPacket {
  enum class Kind : std::uint8_t { data, bare, ack, nak, cnp };  // bare: headers of data that a switch has trimmed
  Kind kind = Kind::data;
  std::uint32_t flow = 0;
  std::uint32_t psn = 0;   // of data; of answers the one that is expected next
  std::uint32_t seen = 0;  // of a NAK of selective repeat: the one that came early; of windows: how many have
  Picoseconds sent;        // of windows: when its sender sent it; of answers, when it sent what they answer
  bool asks = false;       // of windows: for an answer
  Bytes size;              // on the wire
  bool ends_message = false;
  bool marked = false;   // congestion experienced
  bool control = false;  // travels in the class of control
  std::uint32_t to = 0;  // host
  std::uint32_t in = 0;  // at a switch: the port it came by
};

struct PlainPortCount {
  std::uint64_t packets = 0, marked = 0, dropped = 0, pauses = 0;
  Bytes bytes;
  Picoseconds paused;
};

/// One direction of a link. Its owner says what leaves next (`serve`), and what is to be done once a packet has (`left`).
class PlainPort {
 public:
  struct Link {
    BitsPerSecond rate;
    Picoseconds cable;  // propagation
    Picoseconds look;   // that the far end takes before it knows of a packet: a switch's latency
    Bytes frame;        // of a pause; zero: it takes no time on the wire
    Picoseconds response;
  };

  PlainPort(PlainClock& clock, std::uint32_t index, const Link& link) : clock_(clock), index_(index), link_(link) {}

  std::function<void()> serve = [] {};
  std::function<void(const PlainPacket&)> left = [](const PlainPacket&) {};
  std::function<void(PlainPacket)> arrive;  // at the far end
  PlainPort* back = nullptr;                // the other direction of the link
  PlainPortCount count;

  [[nodiscard]] bool is_free() const { return !busy_; }
  [[nodiscard]] bool is_paused() const { return paused_; }
  [[nodiscard]] BitsPerSecond rate() const { return link_.rate; }

  /// p / R on the wire, then the cable (docs/models.md, wire: store and forward). REQUIRES: the wire is free.
  void send(const PlainPacket& packet) {
    count.packets++;
    const Picoseconds end = occupy(packet.size);
    clock_.at(end + link_.cable + link_.look, PlainOrder::arrival, index_, [this, packet] { arrive(packet); });
    clock_.at(end, PlainOrder::timer, index_, [this, packet] {
      busy_ = false;
      left(packet);
      go_on();
    });
  }

  /// Tells the far end to stop or go on: IEEE 802.1Qbb, clause 36, a MAC control frame that is sent between two
  /// packets, ahead of all that wait, and is obeyed a response time after it has arrived.
  void tell(bool stop) {
    if (link_.frame == Bytes::zero()) return obey_at(clock_.now() + link_.cable, stop);
    frames_.push_back(stop);
    if (!busy_) go_on();
  }

 private:
  Picoseconds occupy(Bytes size) {
    busy_ = true;
    count.bytes += size;
    return clock_.now() + transmit_time(size, link_.rate);
  }

  void go_on() {
    if (frames_.empty()) return serve();
    const bool stop = frames_.front();
    frames_.pop_front();
    const Picoseconds end = occupy(link_.frame);
    obey_at(end + link_.cable, stop);
    clock_.at(end, PlainOrder::timer, index_, [this] {
      busy_ = false;
      go_on();
    });
  }

  void obey_at(Picoseconds arrival, bool stop) {
    clock_.at(arrival + link_.response, PlainOrder::pause, index_, [this, stop] { back->obey(stop); });
  }

  void obey(bool stop) {
    if (stop == paused_) return;
    paused_ = stop;
    if (stop) {
      count.pauses++;
      paused_since_ = clock_.now();
    } else {
      count.paused += clock_.now() - paused_since_;
      if (!busy_) serve();
    }
  }

  PlainClock& clock_;
  std::uint32_t index_;
  Link link_;
  bool busy_ = false, paused_ = false;
  Picoseconds paused_since_;
  std::deque<bool> frames_;
};

}  // namespace railyard
