// By how much merging completions may have moved them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/units.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// To first order (docs/models.md, quantised flows): a flow that ran at a wrong rate for a while is off by the bytes that
/// makes, and whatever starts later inherits what is known by then.
class MergeError {
 public:
  /// What is known of one flow.
  struct FlowError {
    double bits = 0;        // that it may be ahead or behind
    Picoseconds inherited;  // time by which its start may have moved
  };

  /// No completion has moved by more: a quarter on top covers what first order leaves out.
  [[nodiscard]] Picoseconds most() const { return most_ + most_ / 4; }
  [[nodiscard]] FlowError begin() const { return {0, most_}; }

  /// The flow gets a new rate (in the solver's units) that it should have had for `held`.
  void change(FlowError& flow_error, std::int64_t from, std::int64_t to, Picoseconds held) const {
    const Picoseconds moved = std::max(most_, flow_error.inherited + lateness(flow_error, from));  // others, or itself
    flow_error.bits += std::abs(static_cast<double>(to - from)) / kRateUnitsPerBit * seconds(held + moved);
  }
  /// The flow ends at `rate`, which for `held` was no longer its own.
  void end(const FlowError& flow_error, std::int64_t rate, Picoseconds held) {
    most_ = std::min(kNotKnown, std::max(most_, flow_error.inherited + held + lateness(flow_error, rate)));
  }

 private:
  static constexpr Picoseconds kNotKnown = 3'600'000'000_us;  // an hour: what may be off by more is not known at all

  static Picoseconds lateness(const FlowError& flow_error, std::int64_t rate) {
    return rate == 0 ? Picoseconds::zero() : from_seconds(flow_error.bits / (static_cast<double>(rate) / kRateUnitsPerBit));
  }

  Picoseconds most_;
};

}  // namespace railyard
