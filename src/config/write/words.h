// Small things that every writer says: lists of numbers, times, shares, ports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qos/device.h"

namespace railyard {

/// "0-25,27-47"
[[nodiscard]] std::string ranges(const std::vector<std::uint32_t>& ascending);

/// Indices of `map` that lead to `value`, in ascending order.
template<class Map>
std::vector<std::uint32_t> leading_to(const Map& map, std::uint8_t value) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < map.size(); i++)
    if (map[i] == value) found.push_back(i);
  return found;
}

/// The values that `map` leads to, each once, in ascending order.
template<class Map>
std::vector<std::uint8_t> values_of(const Map& map) {
  std::vector<std::uint8_t> values;
  for (std::uint8_t v = 0; v < kPriorities; v++)
    if (!leading_to(map, v).empty()) values.push_back(v);
  return values;
}

template<class Map>
bool is_identity(const Map& map) {
  for (std::size_t i = 0; i < map.size(); i++)
    if (map[i] != i) return false;
  return true;
}

/// Numbers of the bits that are set.
[[nodiscard]] std::vector<std::uint32_t> bits_of(std::uint8_t bits);

/// "3,4"
[[nodiscard]] std::string bit_list(std::uint8_t bits);

/// "0,0,0,1,0,0,0,0"
[[nodiscard]] std::string bit_row(std::uint8_t bits);

[[nodiscard]] std::int64_t milliseconds_in(Picoseconds span);

/// "0.2"
[[nodiscard]] std::string seconds_text(Picoseconds span);

/// Per cent, to the nearest whole number.
[[nodiscard]] std::int64_t whole_percent(double share);

/// "011010": a DSCP as Junos writes it, and "011" for a priority.
[[nodiscard]] std::string binary(std::uint32_t value, std::uint32_t digits);

/// Whether a size or a threshold of the group is said.
[[nodiscard]] bool has_sizes(const GroupPolicy& group);

/// The ports of a device that have this policy.
[[nodiscard]] std::vector<const PortConfig*> ports_with(const Device& device, std::uint32_t policy);

/// "roce", or "roce-2" for the second policy of a device: a name for profiles where a policy has none of its own.
[[nodiscard]] std::string profile_name(const Device& device, std::uint32_t policy);

/// The type of a device that SONiC gives this seed to: "LeafRouter" for 10. Empty where there is none.
[[nodiscard]] std::string_view sonic_type_of_seed(std::uint64_t seed);

}  // namespace railyard
