#include "cli/printable_stream.h"

#include <string_view>

#include "base/printable.h"

namespace railyard {

PrintableStream::PrintableStream(std::ostream& stream) : stream_(stream), below_(stream.rdbuf()) {
  const std::ios::iostate state = stream_.rdstate();
  stream_.rdbuf(this);
  stream_.clear(state);
}

PrintableStream::~PrintableStream() {
  if (!rest_.empty()) below_->sputc('?');
  const std::ios::iostate state = stream_.rdstate();
  stream_.rdbuf(below_);
  stream_.clear(state);
}

bool PrintableStream::pass_on(std::string_view text) {
  rest_ += text;
  const std::size_t whole = rest_.size() - unfinished_bytes(rest_);
  const std::string safe = printable_lines(std::string_view(rest_).substr(0, whole));
  rest_.erase(0, whole);
  return below_->sputn(safe.data(), static_cast<std::streamsize>(safe.size())) == static_cast<std::streamsize>(safe.size());
}

PrintableStream::int_type PrintableStream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return pass_on({&one, 1}) ? c : traits_type::eof();
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize size) {
  return pass_on({text, static_cast<std::size_t>(size)}) ? size : 0;
}

int PrintableStream::sync() { return below_->pubsync(); }

}  // namespace railyard
