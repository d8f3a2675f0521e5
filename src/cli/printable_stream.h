// What the program prints: nothing in it steers a terminal, whoever wrote it.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace railyard {

/// While it lives, everything that goes to `stream` is printable_lines.
class PrintableStream : private std::streambuf {
 public:
  explicit PrintableStream(std::ostream& stream);
  ~PrintableStream() override;
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  bool pass_on(std::string_view text);

  std::ostream& stream_;
  std::streambuf* const below_;
  std::string rest_;  // the beginning of a character
};

}  // namespace railyard
