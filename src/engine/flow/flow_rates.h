// The flows that are active, and their rates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/flow/phase_cache.h"
#include "engine/rates/incremental.h"
#include "engine/rates/max_min.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Finds max-min fair rates for a set that changes: remembers sets it has solved, follows few changes among many, or solves.
/// The rates are the same whichever it does.
class FlowRates {
 public:
  explicit FlowRates(bool cache) : cached_(cache) {}

  /// Paths and capacities from now on; single changes are followed only where paths are short. REQUIRES: they stay until the
  /// next bind(), and old flows keep their numbers.
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths, bool short_paths);

  /// REQUIRES: not there, or there.
  void add(FlowId flow);
  void remove(FlowId flow);
  /// Something else that rates depend on came or went: a port that does not run as built.
  void add_condition(std::uint64_t name) { key_.add(name); }
  void remove_condition(std::uint64_t name) { key_.remove(name); }
  void clear();

  [[nodiscard]] std::span<const std::uint32_t> active() const { return active_; }

  /// The rates of so many neighbouring flows if no others were active.
  std::vector<FlowRate> solve_alone(FlowId first, std::uint32_t count);

  /// Flows whose rate may have changed, all that were added among them. Valid until the next call.
  std::span<const FlowRate> update(Telemetry::Solving& solving);

 private:
  [[nodiscard]] bool is_active(std::uint32_t flow) const { return flow < slot_.size() && slot_[flow] != kAway; }
  [[nodiscard]] bool are_few() const;
  void solve();
  void follow_few();
  void fall_behind();

  static constexpr std::uint32_t kAway = 0xFFFFFFFF;
  const bool cached_;
  std::span<const std::int64_t> capacity_;
  FlowPaths paths_;
  LargeArray<std::uint32_t> active_;
  std::vector<std::uint32_t> slot_;  // by flow: in active_
  std::vector<std::uint32_t>
      touched_;  // came or went since few_ last looked, or since rates were last found if it is out of step
  SetKey key_;
  PhaseCache cache_;
  MaxMin solver_;
  IncrementalMaxMin few_;
  bool can_follow_ = false;
  bool in_step_ = false;        // few_ has the flows of today, but for those touched
  bool behind_ = false;         // rates were found without it since
  std::uint64_t followed_ = 0;  // changes since the beginning
  LargeArray<std::int64_t> rates_;
  std::vector<FlowRate> found_;
};

}  // namespace railyard
