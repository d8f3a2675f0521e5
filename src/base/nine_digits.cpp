#include "base/nine_digits.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "base/units.h"

namespace railyard {

namespace {

constexpr int kSignificant = 9;
constexpr double kLeastPlain = 1e-4, kMostPlain = 999'999'999;  // what lies outside has an exponent, or may be rounded to one

/// Of 10^exponent, for the numbers that are written here.
constexpr std::array<double, 13> kTens = {1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

/// Digits behind the point, of nine.
int places_of(double value) {
  int exponent = -4;
  while (exponent < kSignificant - 1 && value >= kTens[static_cast<std::size_t>(exponent + 5)]) exponent++;
  return kSignificant - 1 - exponent;
}

constexpr std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; i++) power *= 10;
  return power;
}

/// value × 10^places, rounded half to even. Exact: 53 bits times 10^12 fit 128.
std::int64_t scaled(double value, int places) {
  constexpr int kFraction = 53;
  int exponent = 0;
  const auto fraction = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), kFraction));
  const int shift = kFraction - exponent;  // 23 to 66: below 2^30, not below 2^-14
  const Int128 product = Int128(fraction) * power_of_ten(places), half = Int128(1) << (shift - 1);
  const auto whole = static_cast<std::int64_t>(product >> shift);
  const Int128 rest = product - (Int128(whole) << shift);
  return whole + (rest > half || (rest == half && whole % 2 != 0) ? 1 : 0);
}

}  // namespace

void append_nine_digits(std::string& out, double value) {
  if (!(value >= kLeastPlain && value < kMostPlain)) {
    fmt::format_to(std::back_inserter(out), "{:.9g}", value);
    return;
  }
  const int places = places_of(value);
  const std::int64_t digits = scaled(value, places), unit = power_of_ten(places);
  std::array<char, 32> text;
  char* end = std::to_chars(text.data(), text.data() + text.size(), digits / unit).ptr;
  std::int64_t rest = digits % unit;
  if (rest > 0) {
    *end = '.';
    for (int i = places; i > 0; i--, rest /= 10) end[i] = static_cast<char>('0' + rest % 10);
    end += places + 1;
    while (end[-1] == '0') end--;
  }
  out.append(text.data(), end);
}

}  // namespace railyard
