// A short name for a set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace railyard {

/// Names a set: sums of two hashes of its members, so that members come and go in any order at the cost of an addition.
class SetKey {
 public:
  void add(std::uint64_t member) { a_ += mixed(member, 0x9E3779B97F4A7C15U), b_ += mixed(member, 0xC2B2AE3D27D4EB4FU); }
  void remove(std::uint64_t member) { a_ -= mixed(member, 0x9E3779B97F4A7C15U), b_ -= mixed(member, 0xC2B2AE3D27D4EB4FU); }

  friend bool operator==(const SetKey&, const SetKey&) = default;

  struct Hash {
    std::size_t operator()(const SetKey& key) const { return key.a_; }
  };

 private:
  static std::uint64_t mixed(std::uint64_t value, std::uint64_t salt) {
    std::uint64_t z = (value + 1) * salt;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  std::uint64_t a_ = 0, b_ = 0;
};

}  // namespace railyard
