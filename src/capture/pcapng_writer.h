// Writes frames as a pcapng file, the format of Wireshark.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "capture/zero_packer.h"

namespace railyard {

/// A place where frames are captured.
struct CaptureInterface {
  std::string name;
  BitsPerSecond rate;
};

/// Bytes that are mostly zeros: what is put among them is cleared again behind it, so that zeros cost nothing but their place.
class SparseBytes {
 public:
  void put(std::span<const std::uint8_t> bytes);
  void skip(std::size_t zeros) {
    size_ += zeros;
    if (size_ > bytes_.size()) bytes_.resize(2 * size_);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view text() const { return {bytes_.data(), size_}; }
  void clear();

 private:
  struct Part {
    std::size_t begin = 0, end = 0;
  };

  std::vector<char> bytes_;  // zero but in `parts_`
  std::vector<Part> parts_;  // in order
  std::size_t size_ = 0;
};

/// One section: its header, an interface each, then frames as they come, in nanoseconds from zero on. Little-endian, whatever
/// the machine.
class PcapngWriter {
 public:
  using Write = std::function<void(std::string_view)>;

  /// Writes to `write`, in pieces. `most`: bytes of a frame that are kept. `packed`: as gzip, which Wireshark opens as it is.
  PcapngWriter(std::span<const CaptureInterface> interfaces, std::uint32_t most, Write write, bool packed = false);
  PcapngWriter(const PcapngWriter&) = delete;
  PcapngWriter& operator=(const PcapngWriter&) = delete;

  /// `kept` of the `size` bytes that the frame had. REQUIRES: times do not go back; for readers, not for the format.
  void add(std::uint32_t interface, Picoseconds at, std::uint32_t size, std::span<const std::uint8_t> kept) {
    add(interface, at, size, kept, 0, {});
  }
  /// The same where what is kept is `head`, `zeros` and `tail`.
  void add(std::uint32_t interface, Picoseconds at, std::uint32_t size, std::span<const std::uint8_t> head, std::size_t zeros,
           std::span<const std::uint8_t> tail);

  /// Writes what is left.
  void finish();

 private:
  void add_section(std::string& out) const;
  void add_interface(const CaptureInterface& interface, std::uint32_t most, std::string& out) const;
  void write_if_enough();

  Write write_;
  SparseBytes plain_;                 // that is to be written,
  std::string packed_;                // or this,
  std::optional<ZeroPacker> packer_;  // which is filled by it
};

}  // namespace railyard
