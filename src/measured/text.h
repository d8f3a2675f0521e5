// What all readers of measurements need: numbers as tools print them, and notes of what was skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "base/printed_text.h"
#include "measured/read.h"

namespace railyard::measured_text {

using printed::NumberedLine;
using printed::without_blanks;
using printed::words_of;

/// Fast in texts of any length.
[[nodiscard]] bool contains(std::string_view text, std::string_view part);

/// Digits that all of the text is.
[[nodiscard]] std::optional<std::uint64_t> digits(std::string_view text);
/// The same where it fits 32 bits.
[[nodiscard]] std::optional<std::uint32_t> small_number(std::string_view text);
/// The digits that a text begins with.
[[nodiscard]] std::optional<std::uint32_t> leading_number(std::string_view text);

/// A finite number that all of the text is, with a point or, of a machine that writes so, a comma before its fraction.
[[nodiscard]] std::optional<double> decimal(std::string_view text);
/// The same with commas between thousands: "1,200".
[[nodiscard]] std::optional<double> grouped_number(std::string_view text);

/// What stands behind `key` up to the end of the text; none if the key is not there.
[[nodiscard]] std::optional<std::string_view> behind(std::string_view text, std::string_view key);
/// The first word of it.
[[nodiscard]] std::string_view word_behind(std::string_view text, std::string_view key);
/// "b" of "a/b".
[[nodiscard]] std::string_view last_part(std::string_view path);

/// Text that others wrote, safe to show and not longer than a line.
[[nodiscard]] std::string short_text(std::string_view text);

/// Notes that lines which look like a reader's own could not be read; one note per kind and file.
void add_skipped(Measurements& all, std::string_view what, const SourceSpan& where);

/// JSON of a file. What is cut off at its end is read as far as its last whole value, and noted as skipped; none where it is
/// no JSON at all. `what` names the format.
[[nodiscard]] std::optional<Document> json_of(const MeasuredText& text, std::string_view what, Measurements& all);
/// The same of one line that is in no need of repair.
[[nodiscard]] std::optional<Document> json_value(std::string_view text);

/// A number that a member of an object is, also where it is written as text.
[[nodiscard]] std::optional<double> number_in(const Document& object, std::string_view key);
/// A whole one from 0 to 2^32 - 1.
[[nodiscard]] std::optional<std::uint32_t> small_number_in(const Document& object, std::string_view key);
/// The text that a member is, or "".
[[nodiscard]] std::string text_in(const Document& object, std::string_view key);

/// Whole bytes, where a number is a size that the program can hold.
[[nodiscard]] std::optional<Bytes> size_of(double bytes);

}  // namespace railyard::measured_text
