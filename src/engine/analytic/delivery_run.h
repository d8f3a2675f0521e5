// Messages that arrive within one span of time, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "engine/delivery_queue.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// Deliveries that are handed out span by span: those of a span are all there before its first is asked for, so that they are
/// sorted once.
class DeliveryRun {
 public:
  static constexpr Picoseconds kLongest = Picoseconds(std::int64_t{1} << 31);  // span

  /// REQUIRES: at is not before the end of the span at hand.
  void add(Picoseconds at, std::uint32_t thing) {
    later_.push_back({at, thing});
    first_later_ = std::min(first_later_, at);
  }

  /// Begins a span. REQUIRES: everything of the last was taken, nothing is due before `from`, and until - from is at most
  /// kLongest.
  void begin(Picoseconds from, Picoseconds until) {
    numbers_.clear();
    from_ = from;
    taken_ = 0;
    first_later_ = Picoseconds::max();
    std::size_t kept = 0;
    for (const Delivery& delivery : later_) {
      if (delivery.at < until) {
        numbers_.push_back(static_cast<std::uint64_t>((delivery.at - from).count()) << kBits | delivery.thing);
      } else {
        first_later_ = std::min(first_later_, delivery.at);
        later_[kept++] = delivery;
      }
    }
    later_.resize(kept);
    order_numbers(numbers_, room_, kBits);
    find_next();
  }

  /// The first instant of the span; Picoseconds::max() if nothing is left in it.
  [[nodiscard]] Picoseconds next() const { return next_; }

  /// Takes out everything that is due at next(), in no order that means anything. REQUIRES: there is something.
  void take(std::vector<std::uint32_t>& things) {
    const Picoseconds at = next_;
    while (next_ == at) {
      things.push_back(static_cast<std::uint32_t>(numbers_[taken_++]));
      find_next();
    }
  }

  /// The first instant after the span; Picoseconds::max() if there is none.
  [[nodiscard]] Picoseconds first_later() const { return first_later_; }

  /// Gives up everything that is there: job(at, thing).
  template<class Job>
  void release(Job job) {
    for (; next_ != Picoseconds::max(); find_next()) {
      job(next_, static_cast<std::uint32_t>(numbers_[taken_]));
      taken_++;
    }
    for (const Delivery& delivery : later_) job(delivery.at, delivery.thing);
    numbers_.clear(), later_.clear();
    first_later_ = Picoseconds::max();
  }

 private:
  static constexpr int kBits = 32;  // of things
  struct Delivery {
    Picoseconds at;
    std::uint32_t thing;
  };

  void find_next() {
    const bool none = taken_ == numbers_.size();
    next_ = none ? Picoseconds::max() : from_ + Picoseconds(static_cast<std::int64_t>(numbers_[taken_] >> kBits));
  }

  std::vector<std::uint64_t> numbers_, room_;  // of the span: time since from_, and thing
  std::size_t taken_ = 0;                      // of them
  Picoseconds from_, next_ = Picoseconds::max();
  std::vector<Delivery> later_;
  Picoseconds first_later_ = Picoseconds::max();
};

}  // namespace railyard
