// Division by one number again and again.
#pragma once

#include <cstdint>

#include "base/check.h"

namespace railyard {

/// Divides by a number that stays, with a multiplication: of 2^64 / d, rounded up, the product with any 32-bit number is too
/// large by less than what would lift it to the next whole quotient (Lemire, Kaser, Kurz, Faster remainder by direct
/// computation, Software: Practice and Experience 49, 2019).
class Divisor {
 public:
  /// REQUIRES: number >= 2.
  explicit Divisor(std::uint32_t number) : inverse_(UINT64_MAX / number + 1) {
    RY_CHECK(number >= 2, "what is divided by has an inverse below one");
  }
  /// The whole quotient.
  [[nodiscard]] std::uint32_t of(std::uint32_t dividend) const {
    return static_cast<std::uint32_t>(static_cast<Product>(inverse_) * dividend >> 64);
  }

 private:
  __extension__ using Product = unsigned __int128;
  std::uint64_t inverse_;  // 2^64 / number, rounded up
};

}  // namespace railyard
