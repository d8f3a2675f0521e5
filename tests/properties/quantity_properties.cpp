// Text and quantities are two forms of one thing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/quantity_text.h"

namespace railyard {
namespace {

RC_GTEST_PROP(QuantityText, exact_text_parses_back, ()) {
  const auto count = *rc::gen::arbitrary<std::uint64_t>() >> 1;
  const Bytes size(static_cast<std::int64_t>(count));
  RC_ASSERT(parse_quantity<Bytes>(format_exact(size)) == size);
  const Picoseconds span(static_cast<std::int64_t>(count));
  RC_ASSERT(parse_quantity<Picoseconds>(format_exact(span)) == span);
  const Milliseconds weeks(static_cast<std::int64_t>(count));
  RC_ASSERT(parse_quantity<Milliseconds>(format_exact(weeks)) == weeks);
  const BitsPerSecond rate(static_cast<std::int64_t>(count));
  RC_ASSERT(parse_quantity<BitsPerSecond>(format_exact(rate)) == rate);
}

RC_GTEST_PROP(QuantityText, rounded_text_is_within_a_twentieth_of_a_per_cent, ()) {
  const auto count = static_cast<std::int64_t>(*rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 62));
  const Picoseconds span(count);
  const Parsed<Picoseconds> back = parse_quantity<Picoseconds>(format(span));
  RC_ASSERT(back.has_value());
  RC_ASSERT(std::abs(static_cast<double>(back->count() - count)) <= 0.0005 * static_cast<double>(count) + 0.5);
}

RC_GTEST_PROP(QuantityText, any_text_is_read_or_refused, (const std::string& text)) {
  const Parsed<BitsPerSecond> parsed = parse_quantity<BitsPerSecond>(text);
  RC_ASSERT(parsed.has_value() || !parsed.error().empty());
}

RC_GTEST_PROP(Units, a_wire_never_runs_fast, ()) {
  const Bytes size(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40));
  const BitsPerSecond rate(*rc::gen::inRange<std::int64_t>(1'000'000, 10'000'000'000'000));
  const Picoseconds time = transmit_time(size, rate);
  RC_ASSERT(Int128(time.count()) * rate.count() >= Int128(size.count()) * 8 * kPicosecondsPerSecond);
  RC_ASSERT(bytes_in(time, rate) >= size);
}

}  // namespace
}  // namespace railyard
