// Text that commands print: lines with their numbers, and tables under a row of dashes.
#pragma once

#include <cstdint>
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

/// Where the columns of a table begin, from its row of dashes ("----  ---"); empty if the line is not one.
std::vector<std::size_t> column_starts(std::string_view line);

/// What a line has in each column, without blanks around it.
std::vector<std::string_view> cells_of(std::string_view line, const std::vector<std::size_t>& starts);

}  // namespace railyard::printed
