// Random numbers that do not depend on when they are drawn.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/check.h"

namespace railyard {

/// A random stream named by what it is for and by an index, not by when it is drawn: adding a draw elsewhere changes nothing
/// here. Streams with different seeds, purposes or indices are independent for all practical ends.
class Rng {
 public:
  /// `purpose` is a fixed word of the caller's, such as "placement" or "ecmp-seed".
  constexpr Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index)
      : state_(mix(seed ^ mix(hash(purpose) ^ mix(index)))) {}

  constexpr std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

  /// Uniform in [0, bound), without bias (Lemire's rejection). REQUIRES: bound > 0.
  constexpr std::uint32_t below(std::uint32_t bound) {
    RY_CHECK(bound > 0, "a random draw has at least one outcome");
    const std::uint32_t rejected = static_cast<std::uint32_t>(-bound) % bound;
    for (;;) {
      const std::uint64_t product = (next() >> 32) * bound;
      if (static_cast<std::uint32_t>(product) >= rejected) return static_cast<std::uint32_t>(product >> 32);
    }
  }

  /// Uniform in [0, 1), in steps of 2^-53.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
  }
  static constexpr std::uint64_t hash(std::string_view text) {  // FNV-1a
    std::uint64_t value = 0xcbf29ce484222325ULL;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return value;
  }
  std::uint64_t state_;
};

}  // namespace railyard
