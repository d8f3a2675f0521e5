// Names of hosts: Slurm's host lists, and the order in which people count.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// More hosts than any cluster has: an expression that stands for more is a mistake.
inline constexpr std::size_t kMostHosts = std::size_t{1} << 20;

/// Appends the names that "gpu[001-128,130],login1" stands for, in order. Several brackets in one name multiply, the last
/// counting fastest. Returns what is wrong, if anything.
[[nodiscard]] std::optional<std::string> expand_hosts(std::string_view text, std::vector<std::string>& names);

/// Numbers in names count as numbers: "gpu2" comes before "gpu10". A strict order: names that differ in leading zeros alone are
/// ordered by their text.
[[nodiscard]] bool is_before(std::string_view a, std::string_view b);

}  // namespace railyard
