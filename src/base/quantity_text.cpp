#include "base/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace railyard {

namespace {

/// A unit as a whole number of the type's own unit; the first spelling of a scale is the one that is printed.
struct Unit {
  std::string_view name;
  Int128 scale;
};

constexpr Int128 kTera = 1'000'000'000'000;

// clang-format off
constexpr Unit kSizeUnits[] = {
    {"TiB", Int128(1) << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
    {"TB", kTera}, {"GB", 1'000'000'000}, {"MB", 1'000'000}, {"kB", 1'000}, {"KB", 1'000}, {"B", 1}};
constexpr Unit kTimeUnits[] = {
    {"s", kTera}, {"ms", 1'000'000'000}, {"µs", 1'000'000}, {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1},
    {"min", 60 * kTera}, {"h", 3600 * kTera}};
constexpr Unit kLongTimeUnits[] = {
    {"h", 3'600'000}, {"min", 60'000}, {"s", 1'000}, {"ms", 1}, {"d", 24 * 3'600'000}, {"years", 8766LL * 3'600'000}};
constexpr Unit kRateUnits[] = {
    {"Tb/s", kTera}, {"Gb/s", 1'000'000'000}, {"Mb/s", 1'000'000}, {"kb/s", 1'000}, {"b/s", 1},
    {"Tbps", kTera}, {"Gbps", 1'000'000'000}, {"Mbps", 1'000'000},
    {"TB/s", 8 * kTera}, {"GB/s", 8'000'000'000}, {"MB/s", 8'000'000}, {"kB/s", 8'000}, {"B/s", 8}};
constexpr Unit kPortSpeeds[] = {  // as ports are sold; not offered, because "900G" of memory would be bytes
    {"G", 1'000'000'000}, {"T", kTera}, {"GbE", 1'000'000'000}, {"TbE", kTera}, {"GE", 1'000'000'000},
    {"Gbit/s", 1'000'000'000}, {"Tbit/s", kTera}, {"Mbit/s", 1'000'000}, {"kbps", 1'000}};
constexpr Unit kLengthUnits[] = {{"km", 1'000'000}, {"m", 1'000}, {"cm", 10}, {"mm", 1}};
constexpr Unit kSpeedUnits[] = {
    {"PFLOP/s", 1000 * kTera}, {"TFLOP/s", kTera}, {"GFLOP/s", 1'000'000'000}, {"FLOP/s", 1}};
constexpr Unit kPowerUnits[] = {{"MW", 1'000'000'000}, {"kW", 1'000'000}, {"W", 1'000}, {"mW", 1}};
constexpr Unit kMoneyUnits[] = {{"USD", 1}};
// clang-format on

/// A decimal number as written: digits * 10^exponent.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a decimal number off the front of `text`: digits, one point, an exponent of up to three digits.
Parsed<Decimal> take_decimal(std::string_view& text) {
  Decimal number;
  std::size_t i = 0, seen = 0;
  bool point = false;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); i++) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    seen++;
    const Int128 longer = Int128(number.digits) * 10 + (text[i] - '0');
    if (longer > std::numeric_limits<std::int64_t>::max())
      return tl::unexpected<std::string>("has more digits than can be kept");
    number.digits = static_cast<std::int64_t>(longer);
    number.exponent -= point ? 1 : 0;
  }
  if (seen == 0) return tl::unexpected<std::string>("does not start with a number");
  if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t j = i + 1;
    const bool negative = text[j] == '-';
    if (text[j] == '-' || text[j] == '+') j++;
    int exponent = 0;
    const std::size_t start = j;
    for (; j < text.size() && is_digit(text[j]) && j - start < 3; j++) exponent = exponent * 10 + (text[j] - '0');
    if (j > start) {
      number.exponent += negative ? -exponent : exponent;
      i = j;
    }
  }
  text.remove_prefix(i);
  return number;
}

std::string known_units(std::span<const Unit> units) {
  std::string names;
  for (const Unit& unit : units) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return names;
}

/// Units that a word would be if capitals did not count, in words: " (did you mean 'Gb/s' or 'GB/s'?)".
std::string near_units(std::string_view word, std::span<const Unit> units) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  std::string names;
  for (const Unit& unit : units)
    if (std::equal(word.begin(), word.end(), unit.name.begin(), unit.name.end(), same))
      names += fmt::format("{}'{}'", names.empty() ? "" : " or ", unit.name);
  return names;
}

/// number * scale as int64, rounded to nearest; nothing if it does not fit.
Parsed<std::int64_t> scaled(Decimal number, Int128 scale) {
  Int128 value = Int128(number.digits);
  constexpr Int128 kLimit = std::numeric_limits<std::int64_t>::max();
  if (value != 0) {
    value *= scale;  // below 2^63 * 2^53
    for (int e = number.exponent; e > 0; e--) {
      if (value > kLimit) return tl::unexpected<std::string>("is too large");
      value *= 10;
    }
    Int128 divisor = 1;
    for (int e = number.exponent; e < 0; e++) {
      if (divisor > value * 10) return tl::unexpected<std::string>("is too small to be told from zero");
      divisor *= 10;
    }
    if (value * 2 < divisor) return tl::unexpected<std::string>("is too small to be told from zero");
    value = (value * 2 + divisor) / (divisor * 2);
  }
  if (value > kLimit) return tl::unexpected<std::string>("is too large");
  return static_cast<std::int64_t>(value);
}

Parsed<std::int64_t> parse(std::string_view text, std::span<const Unit> units) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && text.front() == '-') return tl::unexpected<std::string>("is negative");
  const Parsed<Decimal> number = take_decimal(text);
  if (!number) return tl::unexpected(number.error());
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (text.empty() && number->digits == 0) return 0;
  for (const Unit& unit : units)
    if (text == unit.name || (unit.name == "µs" && text == "μs")) return scaled(*number, unit.scale);
  if (const std::string near = near_units(text, units); !near.empty())
    return tl::unexpected(fmt::format("has the unknown unit '{}' (did you mean {}?)", text, near));
  return tl::unexpected(text.empty() ? fmt::format("has no unit (known: {})", known_units(units))
                                     : fmt::format("has the unknown unit '{}' (known: {})", text, known_units(units)));
}

/// Rates are written as ports are sold, too.
Parsed<std::int64_t> parse_rate(std::string_view text) {
  Parsed<std::int64_t> rate = parse(text, kRateUnits);
  if (rate) return rate;
  const Parsed<std::int64_t> port = parse(text, kPortSpeeds);
  if (port || port.error().find("did you mean") != std::string::npos) return port;
  const std::size_t unit = text.find_last_not_of(' ');
  const bool has_prefix = unit != std::string_view::npos && unit > 0 && std::string_view("kMGT").find(text[unit - 1]) < 4;
  if (has_prefix && (text[unit] == 'b' || text[unit] == 'B'))
    return tl::unexpected(fmt::format("has the unit '{0}', which is no rate; write {1}b/s for bits or {1}B/s for bytes",
                                      text.substr(unit - 1, 2), text[unit - 1]));
  return rate;
}

/// The decimal expansion of count / scale; empty if it needs more than `places` digits after the point.
std::string exact_decimal(std::int64_t count, Int128 scale, int places) {
  Int128 rest = Int128(count) % scale;
  std::string text = fmt::format("{}", static_cast<std::int64_t>(Int128(count) / scale));
  if (rest != 0) text += '.';
  for (int i = 0; i < places && rest != 0; i++) {
    rest *= 10;
    text += static_cast<char>('0' + static_cast<int>(rest / scale));
    rest %= scale;
  }
  return rest == 0 ? text : std::string();
}

/// Four significant digits, no trailing zeros, no exponent.
std::string rounded_decimal(double value) {
  int places = 3;
  for (double bound = 9.9995; places > 0 && std::abs(value) >= bound; bound *= 10) places--;
  std::string text = fmt::format("{:.{}f}", value, places);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

/// The largest of `units` that is not above `count`; the smallest if all are.
const Unit& best_unit(std::int64_t count, std::span<const Unit> units) {
  for (const Unit& unit : units)
    if (Int128(count) >= unit.scale) return unit;
  return units.back();
}

std::string print(std::int64_t count, std::span<const Unit> units, bool exactly) {
  const Unit& unit = best_unit(count, units);
  std::string number = exact_decimal(count, unit.scale, exactly ? 18 : 3);
  if (number.empty() || (!exactly && number.size() > 5))
    number = rounded_decimal(static_cast<double>(count) / static_cast<double>(unit.scale));
  return fmt::format("{} {}", number, unit.name);
}

constexpr std::span<const Unit> kBinarySizes = std::span(kSizeUnits).first(4);
constexpr std::span<const Unit> kDecimalSizes = std::span(kSizeUnits).subspan(4);
constexpr std::span<const Unit> kPrintedTimes = std::span(kTimeUnits).first(6);
constexpr std::span<const Unit> kPrintedRates = std::span(kRateUnits).first(5);

/// Binary units where they name the size in at most two decimals, or where decimal ones do no better.
std::string print_size(std::int64_t count, bool exactly) {
  if (count < 1024) return print(count, std::span(kSizeUnits).last(1), exactly);
  if (!exact_decimal(count, best_unit(count, kBinarySizes).scale, 2).empty()) return print(count, kBinarySizes, exactly);
  if (count < 10'000 && count % 100 != 0) return print(count, std::span(kSizeUnits).last(1), exactly);
  if (exactly || !exact_decimal(count, best_unit(count, kDecimalSizes).scale, 2).empty())
    return print(count, kDecimalSizes, exactly);
  return print(count, kBinarySizes, exactly);
}

constexpr std::span<const Unit> kPrintedLongTimes = std::span(kLongTimeUnits).first(4);

/// The largest unit that takes few decimals: an hour and a minute are no decimal parts of each other.
std::string print_long_time(std::int64_t count, bool exactly) {
  for (const Unit& unit : kPrintedLongTimes)
    if (Int128(count) >= unit.scale)
      if (const std::string number = exact_decimal(count, unit.scale, 2); !number.empty() && (exactly || number.size() <= 6))
        return fmt::format("{} {}", number, unit.name);
  return exactly ? fmt::format("{} ms", count) : print(count, kPrintedLongTimes, false);
}

}  // namespace

std::string format(Bytes size) { return print_size(size.count(), false); }
std::string format(Picoseconds span) { return print(span.count(), kPrintedTimes, false); }
std::string format(Milliseconds span) { return print_long_time(span.count(), false); }
std::string format(BitsPerSecond rate) { return print(rate.count(), kPrintedRates, false); }
std::string format(Millimetres length) { return print(length.count(), kLengthUnits, false); }
std::string format(FlopsPerSecond speed) { return print(speed.count(), std::span(kSpeedUnits).subspan(1), false); }
std::string format(Milliwatts power) { return print(power.count(), kPowerUnits, false); }
std::string format(Dollars price) { return format_exact(price); }

std::string format_exact(Bytes size) { return print_size(size.count(), true); }
std::string format_exact(Picoseconds span) { return print(span.count(), kPrintedTimes, true); }
std::string format_exact(Milliseconds span) { return print_long_time(span.count(), true); }
std::string format_exact(BitsPerSecond rate) { return print(rate.count(), kPrintedRates, true); }
std::string format_exact(Millimetres length) { return print(length.count(), kLengthUnits, true); }
std::string format_exact(FlopsPerSecond speed) { return print(speed.count(), std::span(kSpeedUnits).subspan(1), true); }
std::string format_exact(Milliwatts power) { return print(power.count(), kPowerUnits, true); }
std::string format_exact(Dollars price) { return print(price.count(), kMoneyUnits, true); }

bool leaves_bits_or_bytes_open(std::string_view rate) {
  const std::size_t last = rate.find_last_not_of(' ');
  return last != std::string_view::npos && (rate[last] == 'G' || rate[last] == 'T');
}

std::string format_count(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

#define RY_DEFINE(Q, WORD, PARSED)                                    \
  template<>                                                          \
  Parsed<Q> parse_quantity<Q>(std::string_view text) {                \
    return (PARSED).map([](std::int64_t count) { return Q(count); }); \
  }                                                                   \
  template<>                                                          \
  std::string_view quantity_name<Q>() {                               \
    return WORD;                                                      \
  }
RY_DEFINE(Bytes, "size", parse(text, kSizeUnits))
RY_DEFINE(Picoseconds, "duration", parse(text, kTimeUnits))
RY_DEFINE(Milliseconds, "time span", parse(text, kLongTimeUnits))
RY_DEFINE(BitsPerSecond, "rate", parse_rate(text))
RY_DEFINE(Millimetres, "length", parse(text, kLengthUnits))
RY_DEFINE(FlopsPerSecond, "compute rate", parse(text, kSpeedUnits))
RY_DEFINE(Milliwatts, "power", parse(text, kPowerUnits))
RY_DEFINE(Dollars, "price", parse(text, kMoneyUnits))
#undef RY_DEFINE

}  // namespace railyard
