// A plain queue of events, for the plain model of the network that the packet engine is held against.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "base/units.h"

namespace railyard {

/// What comes first of what happens at one instant (docs/models.md, windows: pauses before timers before arrivals).
enum class PlainOrder : std::uint8_t { pause, control_timer, timer, arrival };

/// Calls things at their times; at one instant by order, then index, then as they were planned.
class PlainClock {
 public:
  [[nodiscard]] Picoseconds now() const { return now_; }

  void at(Picoseconds when, PlainOrder order, std::uint32_t index, std::function<void()> action) {
    if (order != PlainOrder::control_timer) lasting_++;
    RY_CHECK(when >= now_, "nothing is planned for the past");
    events_.emplace(std::tuple(when, order, index, planned_++), std::move(action));
  }

  /// Until nothing is left but timers of congestion control, which never end by themselves.
  void run() {
    while (lasting_ > 0) {
      auto event = events_.extract(events_.begin());
      now_ = std::get<0>(event.key());
      if (std::get<1>(event.key()) != PlainOrder::control_timer) lasting_--;
      event.mapped()();
    }
  }

 private:
  std::map<std::tuple<Picoseconds, PlainOrder, std::uint32_t, std::uint64_t>, std::function<void()>> events_;
  std::uint64_t planned_ = 0, lasting_ = 0;
  Picoseconds now_;
};

}  // namespace railyard
