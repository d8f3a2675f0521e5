// Quantities as people write them: "400 Gb/s", "2.5 MiB", "13.2 µs", in both directions.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/units.h"

namespace railyard {

/// Rounded to four significant digits, in the unit that reads best.
std::string format(Bytes size);            // "2.5 MiB", or "2 MB" where that is the rounder name
std::string format(Picoseconds span);      // "13.2 µs"
std::string format(Milliseconds span);     // "36 h"
std::string format(BitsPerSecond rate);    // "400 Gb/s"
std::string format(Millimetres length);    // "30 m"
std::string format(FlopsPerSecond speed);  // "989 TFLOP/s"
std::string format(Milliwatts power);      // "700 W"
std::string format(Dollars price);         // "310000 USD"

/// The same without rounding: parse_…(format_exact(x)) == x.
std::string format_exact(Bytes size);
std::string format_exact(Picoseconds span);
std::string format_exact(Milliseconds span);
std::string format_exact(BitsPerSecond rate);
std::string format_exact(Millimetres length);
std::string format_exact(FlopsPerSecond speed);
std::string format_exact(Milliwatts power);
std::string format_exact(Dollars price);

/// "16,384"
std::string format_count(std::uint64_t count);

/// A quantity, or a sentence fragment that says what is wrong and which units exist.
template<class Q>
using Parsed = tl::expected<Q, std::string>;

/// Reads a number, an optional blank and a unit. Exact: no floating point; what is finer than the type is rounded to nearest.
/// Negative, empty, unit-less (but 0) and overflowing texts are refused.
template<class Q>
Parsed<Q> parse_quantity(std::string_view text);

/// "900G" and "1.6T": whoever writes so of a port means bits, of memory or of links inside a server maybe bytes.
bool leaves_bits_or_bytes_open(std::string_view rate);

/// What a quantity is called in messages and tables: "size", "duration", "rate", …
template<class Q>
std::string_view quantity_name();

#define RY_FOR_EACH_QUANTITY(X) \
  X(Bytes) X(Picoseconds) X(Milliseconds) X(BitsPerSecond) X(Millimetres) X(FlopsPerSecond) X(Milliwatts) X(Dollars)
#define RY_DECLARE(Q)                            \
  template<>                                     \
  Parsed<Q> parse_quantity<Q>(std::string_view); \
  template<>                                     \
  std::string_view quantity_name<Q>();
RY_FOR_EACH_QUANTITY(RY_DECLARE)
#undef RY_DECLARE

}  // namespace railyard
