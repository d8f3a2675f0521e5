// What vendors' names of counters mean: ethtool, sysfs and rdma of mlx5, bnxt and ionic, SAI, node_exporter, rdma_exporter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "measured/measured.h"

namespace railyard {

struct CounterMeaning {
  CounterKind kind = CounterKind::other;
  std::optional<std::uint32_t> priority;  // or queue, where the name has one
  double unit = 1;                        // bytes, seconds or counts of one that is counted
};

/// What a counter of this name counts; CounterKind::other where nobody knows.
[[nodiscard]] CounterMeaning counter_meaning(std::string_view name);

/// Adds a sample whose kind, priority and unit its name tells. Snapshots are numbered later.
void add_counter(Measurements& all, const std::string& device, const std::string& port, std::string_view name, double value,
                 const SourceSpan& where);

}  // namespace railyard
