#include "scenario/check/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace railyard {

namespace {

std::string either(std::uint32_t below, std::uint32_t above) {
  if (below == 0 && above == 0) return {};
  if (above == 0) return std::to_string(below);
  return below == 0 ? std::to_string(above) : fmt::format("{} or {}", below, above);
}

}  // namespace

std::string numbers_near(std::uint32_t wanted, std::uint32_t most, const std::function<bool(std::uint32_t)>& fits) {
  std::uint32_t below = std::min(wanted, most + 1), above = wanted;
  do below--;
  while (below > 0 && !fits(below));
  do above++;
  while (above <= most && !fits(above));
  return either(below, above > most ? 0 : above);
}

std::string divisors_near(std::uint32_t whole, std::uint32_t wanted) {
  std::uint32_t below = 0, above = 0;
  for (std::uint32_t d = 1; std::uint64_t{d} * d <= whole; d++) {
    if (whole % d != 0) continue;
    for (const std::uint32_t divisor : {d, whole / d}) {
      if (divisor < wanted) below = std::max(below, divisor);
      if (divisor > wanted) above = above == 0 ? divisor : std::min(above, divisor);
    }
  }
  return either(below, above);
}

std::uint64_t gpus_from(std::uint64_t at_least, std::uint64_t per_node, std::uint64_t per_replica) {
  const std::uint64_t whole = std::lcm(per_node, per_replica);
  return (at_least + whole - 1) / whole * whole;
}

}  // namespace railyard
