// How a buffer is cut into chunks, in a few numbers however many there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"

namespace railyard {

/// Sizes of chunks 0 … count-1: parts one behind the other, each cut into as many pieces, which differ by at most one byte.
/// Parts form a stair: some large ones, one of a size in between, then small ones.
class Chunks {
 public:
  Chunks() = default;

  /// Parts of ceil(size / parts) bytes, the last one shorter, or the last few empty. REQUIRES: parts >= 1.
  static Chunks rounded_up(Bytes size, std::uint32_t parts);

  /// Parts that differ by at most one byte, each of `pieces` chunks. REQUIRES: parts * pieces < 2^32.
  static Chunks even(Bytes size, std::uint32_t parts, std::uint32_t pieces = 1);

  /// `copies` buffers of `size`, each of `pieces` chunks. REQUIRES: copies * pieces < 2^32.
  static Chunks copies(Bytes size, std::uint32_t copies, std::uint32_t pieces);

  static Chunks listed(std::span<const Bytes> sizes);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] Bytes total() const { return before(count_); }
  [[nodiscard]] Bytes largest() const;
  [[nodiscard]] Bytes operator[](std::uint32_t chunk) const;

  /// The bytes of `times` chunks: first, first + step, first + 2 step, … modulo count(). Takes no time per chunk for steps of
  /// one and of whole parts.
  [[nodiscard]] Bytes sum(std::uint32_t first, std::uint32_t step, std::uint32_t times) const;

 private:
  [[nodiscard]] Bytes part(std::uint32_t index) const { return index < stair_ ? large_ : index == stair_ ? middle_ : small_; }
  [[nodiscard]] Bytes before(std::uint32_t chunk) const;  // of chunks 0 … chunk-1
  [[nodiscard]] Bytes rising_sum(std::int64_t first, std::int64_t step, std::int64_t times) const;

  std::uint32_t count_ = 0, pieces_ = 1;
  std::uint32_t stair_ = 0;  // how many large parts there are
  Bytes large_, middle_, small_;
  std::vector<Bytes> ends_;  // of listed chunks: where each ends
};

}  // namespace railyard
