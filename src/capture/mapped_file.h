// A file as a span of bytes, without reading it: captures are larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>

#include "base/result.h"

namespace railyard {

class MappedFile {
 public:
  /// An error (RY-CAP-001) where there is no such file, or it is no file. What is packed with gzip is unpacked into a file
  /// without a name first, as far as it goes; RY-CAP-007 where that cannot be, or the stream is damaged.
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  static Result<MappedFile> map_and_close(int descriptor, const std::filesystem::path& path);

  std::span<const std::uint8_t> bytes_;
};

}  // namespace railyard
