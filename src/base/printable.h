// Text that others wrote, made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace railyard {

/// `text` with '?' for whatever could steer a terminal or hide what it says: control characters (C0, DEL and C1), line and
/// paragraph separators, marks that turn the direction of writing, and bytes that are not UTF-8.
std::string printable(std::string_view text);

/// The same for text of several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

/// The same characters as JSON can write them, \u009b, for the text between its quotes. Loses nothing.
/// REQUIRES: `json` is JSON on one line.
std::string escaped_in_json(std::string json);

/// How many bytes at the end of `text` may be the beginning of a character that goes on in what follows: 0 to 3.
std::size_t unfinished_bytes(std::string_view text);

/// A cell of comma-separated values: printable, in quotes where it has a comma or a quote.
std::string csv_cell(std::string_view text);

}  // namespace railyard
