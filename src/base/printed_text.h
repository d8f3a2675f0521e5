// Text that commands print: lines with their numbers, words, numbers, and tables under a row of dashes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard::printed {

struct NumberedLine {
  std::string_view text;  // without its end
  std::uint32_t number = 0;
};
std::vector<NumberedLine> numbered_lines(std::string_view text);

/// Words between blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// Without blanks around it.
std::string_view without_blanks(std::string_view text);

/// What stands between separators; one more part than there are separators.
std::vector<std::string_view> split_at(std::string_view text, char separator);

std::string lower_case(std::string_view text);

/// A whole number, decimal or 0x…, that all of the text is and that is at most `largest`.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t largest = UINT64_MAX);

/// Text without the escape sequences that a terminal colours it by.
std::string without_escapes(std::string_view text);

/// Where the columns of a table begin, from its row of dashes ("----  ---"); empty if the line is not one.
std::vector<std::size_t> column_starts(std::string_view line);

/// What a line has in each column, without blanks around it.
std::vector<std::string_view> cells_of(std::string_view line, const std::vector<std::size_t>& starts);

}  // namespace railyard::printed
