// Physical quantities as types: whole numbers of one unit each, which do not mix.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "base/check.h"

namespace railyard {

/// A whole number of one physical unit. Quantities with different tags never mix.
template<class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t count) : count_(count) {}

  static constexpr Quantity zero() { return Quantity(0); }
  static constexpr Quantity max() { return Quantity(std::numeric_limits<std::int64_t>::max()); }

  [[nodiscard]] constexpr std::int64_t count() const { return count_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.count_ + b.count_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.count_ - b.count_); }
  friend constexpr Quantity operator*(Quantity a, std::int64_t k) { return Quantity(a.count_ * k); }
  friend constexpr Quantity operator*(std::int64_t k, Quantity a) { return Quantity(a.count_ * k); }
  friend constexpr Quantity operator/(Quantity a, std::int64_t k) { return Quantity(a.count_ / k); }
  friend constexpr std::int64_t operator/(Quantity a, Quantity b) { return a.count_ / b.count_; }
  constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
  constexpr Quantity& operator-=(Quantity b) { return *this = *this - b; }

 private:
  std::int64_t count_ = 0;
};

using Bytes = Quantity<struct BytesTag>;
using Picoseconds = Quantity<struct PicosecondsTag>;    // int64 ps spans 106 days
using Milliseconds = Quantity<struct MillisecondsTag>;  // of weeks and years: between failures, of repairs
using BitsPerSecond = Quantity<struct BitsPerSecondTag>;
using Millimetres = Quantity<struct MillimetresTag>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;
using Milliwatts = Quantity<struct MilliwattsTag>;
using Dollars = Quantity<struct DollarsTag>;

__extension__ using Int128 = __int128;

inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

/// Time to put `size` on a wire of `rate`, rounded up so that a link never runs fast. REQUIRES: rate > 0.
constexpr Picoseconds transmit_time(Bytes size, BitsPerSecond rate) {
  if (size.count() >= 0 && size.count() <= 1'000'000 && rate.count() <= 1'000'000'000'000'000'000)  // fits 64 bits: faster
    return Picoseconds((size.count() * 8 * kPicosecondsPerSecond + rate.count() - 1) / rate.count());
  const Int128 bit_picoseconds = Int128(size.count()) * 8 * kPicosecondsPerSecond;
  const Int128 time = (bit_picoseconds + rate.count() - 1) / rate.count();
  RY_CHECK(time <= Picoseconds::max().count(), "a transmission ends within the 106 days that time can count");
  return Picoseconds(static_cast<std::int64_t>(time));
}

/// Bytes a wire of `rate` carries in `span`, rounded down.
constexpr Bytes bytes_in(Picoseconds span, BitsPerSecond rate) {
  return Bytes(static_cast<std::int64_t>(Int128(span.count()) * rate.count() / (8 * kPicosecondsPerSecond)));
}

/// Time light takes in fibre or copper: 198,000 km/s, that is 5.05 ns a metre, rounded up (docs/models.md, propagation).
constexpr Picoseconds propagation_time(Millimetres length) { return Picoseconds((length.count() * 500 + 98) / 99); }

/// Times that models compute in floating point, rounded up. What is longer than a day counts as a day: steps that long are
/// refused before their parts are summed.
inline Picoseconds from_seconds(double span) {
  constexpr double kDay = 86'400;
  return Picoseconds(static_cast<std::int64_t>(std::ceil(std::min(span, kDay) * 1e12)));
}

/// For statistics and people; never to compute further times with.
constexpr double seconds(Picoseconds span) { return static_cast<double>(span.count()) / 1e12; }
constexpr double seconds(Milliseconds span) { return static_cast<double>(span.count()) / 1e3; }
constexpr double microseconds(Picoseconds span) { return static_cast<double>(span.count()) / 1e6; }

inline namespace literals {
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 10); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 20); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n) << 30); }
constexpr BitsPerSecond operator""_bps(unsigned long long n) { return BitsPerSecond(static_cast<std::int64_t>(n)); }
constexpr BitsPerSecond operator""_Mbps(unsigned long long n) {
  return BitsPerSecond(static_cast<std::int64_t>(n) * 1'000'000);
}
constexpr BitsPerSecond operator""_Gbps(unsigned long long n) {
  return BitsPerSecond(static_cast<std::int64_t>(n) * 1'000'000'000);
}
constexpr Picoseconds operator""_ps(unsigned long long n) { return Picoseconds(static_cast<std::int64_t>(n)); }
constexpr Picoseconds operator""_ns(unsigned long long n) { return Picoseconds(static_cast<std::int64_t>(n) * 1'000); }
constexpr Picoseconds operator""_us(unsigned long long n) { return Picoseconds(static_cast<std::int64_t>(n) * 1'000'000); }
constexpr Milliseconds operator""_s(unsigned long long n) { return Milliseconds(static_cast<std::int64_t>(n) * 1'000); }
constexpr Milliseconds operator""_min(unsigned long long n) { return Milliseconds(static_cast<std::int64_t>(n) * 60'000); }
constexpr Milliseconds operator""_h(unsigned long long n) { return Milliseconds(static_cast<std::int64_t>(n) * 3'600'000); }
constexpr Millimetres operator""_m(unsigned long long n) { return Millimetres(static_cast<std::int64_t>(n) * 1'000); }
}  // namespace literals

static_assert(transmit_time(4096_B, 400_Gbps) == 81'920_ps);
static_assert(transmit_time(1_B, 3200_Gbps) == 3_ps);  // 2.5 ps, rounded up
static_assert(bytes_in(81'920_ps, 400_Gbps) == 4096_B);
static_assert(propagation_time(99_m) == 500_ns);

}  // namespace railyard
