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

  void add(std::span<const std::uint8_t> bytes);
  void add_zeros(std::uint32_t count);
  void finish();

 private:
  void store_waiting();
  const std::string& packed_zeros(std::uint32_t count);

  std::string& out_;
  std::string waiting_;                         // to be stored
  std::map<std::uint32_t, std::string> zeros_;  // runs, packed, by their length
  Crc32 crc_;
  std::uint32_t size_ = 0;  // modulo 2^32, as the format has it
};

}  // namespace railyard
