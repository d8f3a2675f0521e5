#include "cli/printable_stream.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "cli/wrapped.h"

namespace railyard {

PrintableStream::PrintableStream(std::ostream& stream, std::optional<Highlighter> highlighter, std::size_t width)
    : stream_(stream), below_(stream.rdbuf()), highlighter_(highlighter), width_(width), flags_(stream.flags()) {
  if (highlighter_ || width_ > 0) stream_.unsetf(std::ios::unitbuf);  // else lines would go out in pieces
  const std::ios::iostate state = stream_.rdstate();
  stream_.rdbuf(this);
  stream_.clear(state);
}

PrintableStream::~PrintableStream() {
  write_waiting();
  if (!rest_.empty()) below_->sputc('?');
  stream_.flags(flags_);
  const std::ios::iostate state = stream_.rdstate();
  stream_.rdbuf(below_);
  stream_.clear(state);
}

bool PrintableStream::pass_on(std::string_view text) {
  rest_ += text;
  const std::size_t whole = rest_.size() - unfinished_bytes(rest_);
  const std::string safe = printable_lines(std::string_view(rest_).substr(0, whole));
  rest_.erase(0, whole);
  return highlighter_ || width_ > 0 ? write_lines(safe) : write(safe);
}

bool PrintableStream::write(std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  return below_->sputn(text.data(), size) == size;
}

std::string PrintableStream::shown(std::string_view line) {
  constexpr std::size_t kHang = 2;
  const std::string text = width_ > 0 ? wrapped(line, width_, kHang) : std::string(line);
  if (!highlighter_) return text;
  const std::size_t first = std::min(text.find('\n'), text.size());
  return highlighter_->line(std::string_view(text).substr(0, first)) + text.substr(first);
}

bool PrintableStream::write_lines(std::string_view text) {
  waiting_ += text;
  std::string out;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = waiting_.find('\n', begin)) != std::string::npos; begin = end + 1)
    out += shown(std::string_view(waiting_).substr(begin, end - begin)) + '\n';
  waiting_.erase(0, begin);
  return write(out);
}

bool PrintableStream::write_waiting() {
  const std::string text = std::exchange(waiting_, {});
  return write(text);
}

PrintableStream::int_type PrintableStream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return pass_on({&one, 1}) ? c : traits_type::eof();
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize size) {
  return pass_on({text, static_cast<std::size_t>(size)}) ? size : 0;
}

int PrintableStream::sync() { return write_waiting() ? below_->pubsync() : -1; }

}  // namespace railyard
