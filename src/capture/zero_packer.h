// A gzip stream for what is mostly zeros: the payloads of frames whose contents nobody knows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "capture/crc32.h"

namespace railyard {

/// Runs of zeros take some thirty bytes each; all else is stored as it is. That takes a small part of the time of a compressor,
/// and every program that reads gzip reads it.
class ZeroPacker {
 public:
  /// Appends to `out`, which must outlive it.
  explicit ZeroPacker(std::string& out);

  void add(std::span<const std::uint8_t> bytes) {
    if (bytes.size() >= kMostStored - waiting_.size()) return add_long(bytes);
    waiting_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void add_zeros(std::uint32_t count);
  void finish();

 private:
  static constexpr std::size_t kMostStored = 0xFFFF;  // bytes of a stored block (RFC 1951, 3.2.4)

  /// A run of zeros as it is packed.
  struct Run {
    std::uint32_t count = 0;
    std::string packed;
  };

  void add_long(std::span<const std::uint8_t> bytes);
  void store_waiting();
  const Run& packed_zeros(std::uint32_t count);

  std::string& out_;
  std::string waiting_;                 // to be stored
  std::map<std::uint32_t, Run> zeros_;  // by their length
  const Run* last_ = nullptr;           // of them that was asked for: most are alike
  Crc32 crc_;
  std::uint32_t size_ = 0;  // modulo 2^32, as the format has it
};

}  // namespace railyard
