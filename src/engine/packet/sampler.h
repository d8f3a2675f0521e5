// Looks at ports every now and then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "engine/packet/marks.h"
#include "engine/packet/network.h"
#include "engine/packet/port_look.h"
#include "telemetry/port_series.h"

namespace railyard::packet {

/// Keeps what ports did between samples, of those that did anything. When there is no room for more, neighbours are joined and
/// the interval doubles, so that memory stays bounded and nothing is lost but detail.
class Sampler {
 public:
  explicit Sampler(const Network& network);

  /// When the next sample is due.
  [[nodiscard]] Time due() const { return due_; }
  /// The one after that, if that is taken at `now`.
  [[nodiscard]] Time due_after(Time now) const { return now + (at_.size() == most_ ? 2 * interval_ : interval_); }

  /// A port sends, is told to stop or to go on, or has something planned; it may have something to show. One that is busy,
  /// paused or has packets waiting need not be named again. Safe to call from several threads.
  void look_at(std::uint32_t port) { looked_at_.set(port); }

  /// Everything before `now` is done.
  void take(Time now);
  /// The same of all ports as a GPU sees them, and of the rates of flows; negative: it has nothing to send.
  void take(Time now, std::span<const PortLook> ports, std::span<const std::int64_t> rates);

  /// The same for what is left after the last sample, if anything is.
  void take_last(Time now) {
    if (now > 0 && (at_.empty() || now > at_.back())) take(now);
  }

  // Where several processes have a part of the ports each, all take samples at the same instants -----------------------

  /// Hands over what was seen here.
  void tell(std::string& out);
  /// Adds what others have told.
  void adopt(std::span<const std::string_view> others);

  /// What was seen so far, ports by the fabric's ids.
  [[nodiscard]] PortSeries series(std::size_t ports) const;

 private:
  struct Before {
    std::uint64_t bytes = 0, marked = 0;
    Time paused = 0;
    PortEvents events;
  };

  /// What queue pairs may send: sums are whole numbers, so that it does not matter who adds them up.
  struct Rates {
    std::uint64_t active = 0, sum = 0;
    double least = 0;  // of those that are active

    void add(const Rates& other) {
      least = active == 0 ? other.least : other.active == 0 ? least : std::min(least, other.least);
      active += other.active;
      sum += other.sum;
    }
  };
  /// Of what others tell.
  struct Told;

  [[nodiscard]] Rates rates_now() const;
  template<class RateOf>
  static Rates sum_rates(std::uint32_t flows, const RateOf& rate_of);
  void begin(const Rates& rates, Time now);
  void take(std::uint32_t port, const PortLook& look);
  void expect(std::uint32_t word) const;
  void add(std::uint32_t port, const PortSample& sample) {
    ports_.push_back(port);
    samples_.push_back(sample);
  }
  void join();
  void join_events();
  void make_room();

  const Network& network_;
  std::size_t most_;  // samples
  Time interval_, due_;
  std::vector<Before> before_;  // by port
  std::vector<Time> at_;
  std::vector<Rates> rates_;
  Marks looked_at_;                  // ports that may have something to show in the next sample
  std::vector<std::size_t> first_;   // by sample, into these
  LargeArray<std::uint32_t> ports_;  // in order
  LargeArray<PortSample> samples_;
  std::vector<std::size_t> first_event_;  // by sample, into these
  std::vector<PortEvents> events_;        // ports as the network counts them, in order
};

}  // namespace railyard::packet
