// The bytes of a trace, a part at a time: from disk, as they are or gzipped, or from memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace railyard {

/// Reads forward only, and holds a small part at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills `room` as far as there are bytes; less than asked for is the end. What cannot be read on, or cannot be unpacked,
  /// ends too, and is_broken() tells.
  virtual std::size_t read(char* room, std::size_t size) = 0;
  [[nodiscard]] virtual bool is_broken() const = 0;
};

/// A file, unpacked if it is gzipped; RY-TRC-001 if it cannot be opened.
Result<std::unique_ptr<ByteSource>> open_bytes(const std::filesystem::path& path);

/// Text that must outlive the source.
std::unique_ptr<ByteSource> bytes_of_text(std::string_view text);

/// Bytes that can be looked at before they are taken.
class BufferedBytes {
 public:
  explicit BufferedBytes(ByteSource& source) : source_(source) {}

  /// As many of the next `size` bytes as there are, which stay next; valid until the next call.
  std::string_view peek(std::size_t size);
  /// REQUIRES: peek() has shown them.
  void skip(std::size_t size) { begin_ += size; }
  [[nodiscard]] bool is_broken() const { return source_.is_broken(); }

 private:
  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

/// Lines of a text, without their ends.
class TraceLines {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  explicit TraceLines(ByteSource& source) : bytes_(source) {}

  /// False at the end, and where a line is longer than kLongest: is_too_long() tells. The line is valid until the next call.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] bool is_too_long() const { return too_long_; }
  [[nodiscard]] bool is_broken() const { return bytes_.is_broken(); }

 private:
  BufferedBytes bytes_;
  std::size_t taken_ = 0;
  std::uint32_t number_ = 0;
  bool too_long_ = false;
};

}  // namespace railyard
