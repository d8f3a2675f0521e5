// What the program prints: nothing in it steers a terminal, whoever wrote it.
#pragma once

#include <optional>
#include <ostream>
#include <streambuf>
#include <string>

#include "cli/highlight.h"

namespace railyard {

/// While it lives, everything that goes to `stream` is printable_lines, coloured line by line if a highlighter is given, and no
/// wider than `width` unless that is 0. Lines wait for their end then, unless the stream is flushed.
class PrintableStream : private std::streambuf {
 public:
  explicit PrintableStream(std::ostream& stream, std::optional<Highlighter> highlighter = std::nullopt, std::size_t width = 0);
  ~PrintableStream() override;
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  bool pass_on(std::string_view text);
  bool write(std::string_view text);
  bool write_lines(std::string_view text);
  std::string shown(std::string_view line);
  bool write_waiting();

  std::ostream& stream_;
  std::streambuf* const below_;
  std::optional<Highlighter> highlighter_;
  const std::size_t width_;
  const std::ios::fmtflags flags_;
  std::string rest_;     // the beginning of a character
  std::string waiting_;  // the beginning of a line
};

}  // namespace railyard
