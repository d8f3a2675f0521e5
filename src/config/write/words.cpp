#include "config/write/words.h"

#include <fmt/format.h>

#include <cmath>

namespace railyard {

std::string ranges(const std::vector<std::uint32_t>& ascending) {
  std::string text;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) last++;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ascending[i]);
    if (last > i) text += fmt::format("-{}", ascending[last]);
    i = last + 1;
  }
  return text;
}

std::vector<std::uint32_t> bits_of(std::uint8_t bits) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < kPriorities; i++)
    if ((bits >> i & 1) != 0) found.push_back(i);
  return found;
}

std::string bit_list(std::uint8_t bits) {
  std::string text;
  for (const std::uint32_t bit : bits_of(bits)) text += fmt::format("{}{}", text.empty() ? "" : ",", bit);
  return text;
}

std::string bit_row(std::uint8_t bits) {
  std::string text;
  for (std::uint32_t i = 0; i < kPriorities; i++) text += fmt::format("{}{}", i == 0 ? "" : ",", bits >> i & 1);
  return text;
}

std::int64_t milliseconds_in(Picoseconds span) { return span.count() / (kPicosecondsPerSecond / 1000); }

std::string seconds_text(Picoseconds span) { return fmt::format("{}", seconds(span)); }

std::int64_t whole_percent(double share) { return std::llround(share * 100); }

std::string binary(std::uint32_t value, std::uint32_t digits) {
  std::string text;
  for (std::uint32_t i = digits; i-- > 0;) text += (value >> i & 1) != 0 ? '1' : '0';
  return text;
}

bool has_sizes(const GroupPolicy& group) {
  return group.reserve || group.headroom || group.xon || group.xon_offset || group.alpha || group.xoff;
}

std::vector<const PortConfig*> ports_with(const Device& device, std::uint32_t policy) {
  std::vector<const PortConfig*> found;
  for (const PortConfig& port : device.ports)
    if (port.policy == policy) found.push_back(&port);
  return found;
}

std::string profile_name(const Device& device, std::uint32_t policy) {
  return device.policies.size() == 1 ? "ROCE" : fmt::format("ROCE-{}", policy + 1);
}

std::string_view sonic_type_of_seed(std::uint64_t seed) {
  switch (seed) {
    case 0:
      return "ToRRouter";
    case 10:
      return "LeafRouter";
    case 25:
      return "SpineRouter";
    case 40:
      return "FabricSpineRouter";
    case 50:
      return "UpperSpineRouter";
    default:
      return {};
  }
}

}  // namespace railyard
