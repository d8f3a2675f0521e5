#include "base/nine_digits.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/rng.h"

namespace railyard {
namespace {

std::string as_printf(double value) {
  std::array<char, 64> text;
  const int size = std::snprintf(text.data(), text.size(), "%.9g", value);
  return {text.data(), static_cast<std::size_t>(size)};
}
std::string nine(double value) {
  std::string out;
  append_nine_digits(out, value);
  return out;
}

TEST(NineDigits, numbers_of_note_are_as_printf_has_them) {
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             0.5,
                             0.1,
                             0.0001,
                             0.00009999,
                             0.000100000000049,
                             123456789.0,
                             123456789.5,
                             123456788.5,
                             999999998.5,
                             999999999.0,
                             999999999.5,
                             1e9,
                             1e12,
                             9.9999999949,
                             9.9999999951,
                             99999.99995,
                             1.5e-7,
                             0.00012345678949999,
                             2.00000000049,
                             23.3505618,
                             400.0,
                             307.9288537680313,
                             -1.25,
                             -400.0})
    EXPECT_EQ(nine(value), as_printf(value));
  EXPECT_EQ(nine(std::numeric_limits<double>::infinity()), "inf");
}

TEST(NineDigits, ties_go_to_the_even_digit) {
  EXPECT_EQ(nine(12345678.25 + 0.0), as_printf(12345678.25));
  EXPECT_EQ(nine(12345678.75), as_printf(12345678.75));
  EXPECT_EQ(nine(1234567.125), as_printf(1234567.125));
  EXPECT_EQ(nine(12345678.5), "12345678.5");
  EXPECT_EQ(nine(123456788.5), "123456788");
  EXPECT_EQ(nine(123456789.5), "123456790");
}

TEST(NineDigits, chance_numbers_of_every_size_are_as_printf_has_them) {
  Rng rng(7, "digits", 0);
  for (int i = 0; i < 200'000; i++) {
    const double digits = 1 + static_cast<double>(rng.below(1'000'000'000)) / 1e9 + static_cast<double>(rng.below(1000)) / 1e12;
    const double value = std::ldexp(digits, static_cast<int>(rng.below(48)) - 16);
    ASSERT_EQ(nine(value), as_printf(value));
    const double short_one = static_cast<double>(rng.below(2'000'000)) / std::pow(10, rng.below(9));
    ASSERT_EQ(nine(short_one), as_printf(short_one));
  }
}

}  // namespace
}  // namespace railyard
