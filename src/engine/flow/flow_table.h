// The paths of everything that was opened, as the solver wants them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/flow/flow_links.h"
#include "engine/rates/max_min.h"

namespace railyard {

using FlowId = Id<struct FlowTag>;

/// Rows of (link, fraction), one per flow, in the order they were added.
class FlowTable {
 public:
  FlowId add(const LinkFractions& sum, std::uint8_t priority);
  void clear();

  [[nodiscard]] std::size_t size() const { return first_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> links(FlowId flow) const;
  /// What of the flow's rate crosses the i-th of its links, in 2^-32.
  [[nodiscard]] std::uint64_t fraction(FlowId flow, std::size_t i) const { return fraction_at(first_[flow.index()] + i); }

  /// What the solver has to look at. The rates are the same without links that cannot become full, because even all flows
  /// together at the most each of them can ever reach leave room; of links that the same flows cross with the same fractions,
  /// as the NICs of a stage, the narrowest speaks for all; and where paths are long, as those of bundles are, links go that
  /// others dominate (dominated_links.h).
  /// No flow exceeds `cap`, nor its own of `caps`, where there are any.
  [[nodiscard]] FlowPaths paths(std::span<const std::int64_t> capacity, std::int64_t cap,
                                std::span<const std::int64_t> caps = {});

  /// Whether flows cross few links each that may become full: they are those of single messages. REQUIRES: paths() was called.
  [[nodiscard]] bool has_short_paths() const { return has_short_paths_; }

  /// The most a flow can ever reach. REQUIRES: paths() was called.
  [[nodiscard]] std::int64_t alone(FlowId flow) const { return cap_[flow.index()]; }

 private:
  [[nodiscard]] std::uint64_t fraction_at(std::size_t crossing) const {
    return fraction_.empty() ? kWholeFraction : fraction_[crossing];
  }
  void find_caps(std::span<const std::int64_t> capacity, std::int64_t cap, std::span<const std::int64_t> caps);
  template<class T, class Job>
  void for_each_crossing(LargeArray<T>& of_link, Job job) const;
  [[nodiscard]] std::vector<std::uint32_t> links_to_fill(std::span<const std::int64_t> capacity) const;
  [[nodiscard]] std::vector<bool> links_that_matter(std::span<const std::int64_t> capacity) const;
  [[nodiscard]] std::size_t count_crossings(const std::vector<bool>& matters) const;

  LargeArray<std::uint32_t> first_{0}, link_;
  LargeArray<std::uint64_t> fraction_;  // parallel to link_; empty while all are whole
  std::vector<std::uint8_t> priority_;
  // What paths() shows.
  LargeArray<std::uint32_t> kept_first_, kept_link_;
  LargeArray<std::uint64_t> kept_fraction_;
  LargeArray<std::int64_t> cap_;
  bool has_short_paths_ = true;
};

}  // namespace railyard
