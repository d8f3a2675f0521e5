#include "trace/byte_source.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace railyard {

namespace {

constexpr std::size_t kPart = std::size_t{1} << 16;

/// zlib hands on what is not gzipped as it is.
class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(gzFile file) : file_(file) { gzbuffer(file_, 1U << 17); }
  ~FileBytes() override { gzclose(file_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::size_t read(char* room, std::size_t size) override {
    if (broken_) return 0;
    const int got = gzread(file_, room, static_cast<unsigned>(std::min(size, kPart)));
    int error = Z_OK;
    if (got <= 0) gzerror(file_, &error);
    broken_ = got < 0 || error != Z_OK;
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  [[nodiscard]] bool is_broken() const override { return broken_; }

 private:
  gzFile file_;
  bool broken_ = false;
};

class TextBytes final : public ByteSource {
 public:
  explicit TextBytes(std::string_view text) : text_(text) {}

  std::size_t read(char* room, std::size_t size) override {
    const std::size_t got = std::min({size, text_.size(), kPart});
    if (got > 0) std::memcpy(room, text_.data(), got);
    text_.remove_prefix(got);
    return got;
  }
  [[nodiscard]] bool is_broken() const override { return false; }

 private:
  std::string_view text_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (gzFile file = is_file ? gzopen(path.c_str(), "rb") : nullptr) return std::make_unique<FileBytes>(file);
  return Diagnostic{Severity::error,
                    "RY-TRC-001",
                    "cannot read this trace",
                    "check that the file exists and is readable",
                    {path.string(), 0, 0}};
}

std::unique_ptr<ByteSource> bytes_of_text(std::string_view text) { return std::make_unique<TextBytes>(text); }

std::string_view BufferedBytes::peek(std::size_t size) {
  if (end_ - begin_ < size) {
    if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);  // an empty buffer has no data
    end_ -= begin_;
    begin_ = 0;
    while (end_ < size) {
      if (buffer_.size() < end_ + kPart) buffer_.resize(end_ + kPart);
      const std::size_t got = source_.read(buffer_.data() + end_, buffer_.size() - end_);
      if (got == 0) break;
      end_ += got;
    }
  }
  return {buffer_.data() + begin_, std::min(size, end_ - begin_)};
}

bool TraceLines::next(std::string_view& line) {
  bytes_.skip(taken_);
  taken_ = 0;
  for (std::size_t look = 256;; look *= 2) {
    const std::string_view text = bytes_.peek(std::min(look, kLongest));
    const std::size_t end = text.find('\n');
    const bool is_last = text.size() < look;
    if (end == std::string_view::npos && !is_last && look < kLongest) continue;
    too_long_ = end == std::string_view::npos && text.size() == kLongest;
    if (text.empty() || too_long_) return false;
    line = text.substr(0, end);
    taken_ = end == std::string_view::npos ? text.size() : end + 1;
    number_++;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }
}

}  // namespace railyard
