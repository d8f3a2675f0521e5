// The flows that are active, and their rates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/flow/flow_table.h"
#include "engine/flow/phase_cache.h"
#include "engine/flow/set_key.h"
#include "engine/rates/followed_rates.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Finds max-min fair rates for a set that changes: remembers sets it has solved, follows few changes among many, or solves.
/// The rates are the same whichever it does.
class FlowRates {
 public:
  explicit FlowRates(bool cache) : cached_(cache) {}

  /// Paths and capacities from now on; single changes are followed only where paths are short. REQUIRES: they stay until the
  /// next bind(), and old flows keep their numbers.
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths, bool short_paths) {
    rates_.bind(capacity, paths, paths.priority.empty() && short_paths);
  }

  /// REQUIRES: not there, or there.
  void add(FlowId flow);
  void remove(FlowId flow);
  /// Something else that rates depend on came or went: a port that does not run as built.
  void add_condition(std::uint64_t name) { key_.add(name); }
  void remove_condition(std::uint64_t name) { key_.remove(name); }
  void clear();

  /// What update() looked at since clear() (FollowedRates::work).
  [[nodiscard]] std::uint64_t work() const { return rates_.work(); }
  [[nodiscard]] std::span<const std::uint32_t> active() { return rates_.active(); }
  [[nodiscard]] std::size_t size() const { return rates_.size(); }

  /// The rates of so many neighbouring flows if no others were active.
  std::vector<std::int64_t> solve_alone(FlowId first, std::uint32_t count);

  /// Flows whose rate may have changed, all that were added among them. Valid until the next call.
  FoundRates update(Telemetry::Solving& solving);

 private:
  const bool cached_;
  FollowedRates rates_;
  SetKey key_;
  PhaseCache cache_;
};

}  // namespace railyard
