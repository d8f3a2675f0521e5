#include "collective/chunks.h"

#include <algorithm>
#include <limits>

namespace railyard {

namespace {

/// Of a part cut into pieces, the longer ones first.
Bytes piece_of(Bytes part, std::uint32_t pieces, std::uint32_t index) {
  return Bytes(part.count() / pieces + (index < part.count() % pieces ? 1 : 0));
}

}  // namespace

Chunks Chunks::rounded_up(Bytes size, std::uint32_t parts) {
  RY_CHECK(parts >= 1, "a buffer is cut into at least one chunk");
  Chunks chunks;
  chunks.count_ = parts;
  chunks.large_ = Bytes((size.count() + parts - 1) / parts);
  if (size == Bytes::zero()) return chunks;
  chunks.stair_ = static_cast<std::uint32_t>(size / chunks.large_);
  chunks.middle_ = size - chunks.large_ * chunks.stair_;
  return chunks;
}

Chunks Chunks::even(Bytes size, std::uint32_t parts, std::uint32_t pieces) {
  RY_CHECK(parts >= 1, "a buffer is cut into at least one part");
  Chunks chunks = copies(size / parts, parts, pieces);
  chunks.large_ = chunks.small_ + Bytes(1);
  chunks.stair_ = static_cast<std::uint32_t>(size.count() % parts);
  return chunks;
}

Chunks Chunks::copies(Bytes size, std::uint32_t copies, std::uint32_t pieces) {
  RY_CHECK(copies >= 1 && pieces >= 1, "a buffer is cut into at least one chunk");
  RY_CHECK(std::uint64_t{pieces} * copies < std::numeric_limits<std::uint32_t>::max(), "chunks have 32-bit numbers");
  Chunks chunks;
  chunks.count_ = copies * pieces;
  chunks.pieces_ = pieces;
  chunks.large_ = chunks.middle_ = chunks.small_ = size;
  return chunks;
}

Chunks Chunks::listed(std::span<const Bytes> sizes) {
  RY_CHECK(sizes.size() < std::numeric_limits<std::uint32_t>::max(), "chunks have 32-bit numbers");
  Chunks chunks;
  chunks.count_ = static_cast<std::uint32_t>(sizes.size());
  Bytes end;
  for (const Bytes size : sizes) chunks.ends_.push_back(end += size);
  return chunks;
}

Bytes Chunks::largest() const {
  if (ends_.empty()) return piece_of(stair_ > 0 ? large_ : middle_, pieces_, 0);
  Bytes largest;
  for (std::uint32_t i = 0; i < count_; i++) largest = std::max(largest, (*this)[i]);
  return largest;
}

Bytes Chunks::operator[](std::uint32_t chunk) const {
  RY_CHECK(chunk < count_, "a chunk lies in its buffer");
  if (!ends_.empty()) return ends_[chunk] - (chunk == 0 ? Bytes::zero() : ends_[chunk - 1]);
  return pieces_ == 1 ? part(chunk) : piece_of(part(chunk / pieces_), pieces_, chunk % pieces_);
}

Bytes Chunks::before(std::uint32_t chunk) const {
  if (!ends_.empty()) return chunk == 0 ? Bytes::zero() : ends_[chunk - 1];
  const std::uint32_t parts = chunk / pieces_, inside = chunk % pieces_;
  const Bytes whole =
      large_ * std::min(parts, stair_) + (parts > stair_ ? middle_ + small_ * (parts - stair_ - 1) : Bytes::zero());
  const std::int64_t last = part(parts).count();
  return whole + Bytes(last / pieces_ * inside + std::min<std::int64_t>(last % pieces_, inside));
}

/// Of chunks that do not run over the end of the buffer. REQUIRES: step >= 0.
Bytes Chunks::rising_sum(std::int64_t first, std::int64_t step, std::int64_t times) const {
  const auto at = [](std::int64_t chunk) { return static_cast<std::uint32_t>(chunk); };
  if (times == 1 || step == 0) return (*this)[at(first)] * times;
  if (step == 1) return before(at(first + times)) - before(at(first));
  if (!ends_.empty() || step % pieces_ != 0) {
    Bytes sum;
    for (std::int64_t i = 0; i < times; i++) sum += (*this)[at(first + i * step)];
    return sum;
  }
  // The same piece of part after part: so many of large ones, perhaps of the one in between, the rest of small ones.
  const std::uint32_t piece = at(first % pieces_);
  const std::int64_t pace = step / pieces_, to_stair = stair_ - first / pieces_;
  const std::int64_t large = std::clamp<std::int64_t>(to_stair <= 0 ? 0 : (to_stair + pace - 1) / pace, 0, times);
  const std::int64_t middle = to_stair >= 0 && to_stair % pace == 0 && to_stair / pace < times ? 1 : 0;
  return piece_of(large_, pieces_, piece) * large + piece_of(middle_, pieces_, piece) * middle +
         piece_of(small_, pieces_, piece) * (times - large - middle);
}

Bytes Chunks::sum(std::uint32_t first, std::uint32_t step, std::uint32_t times) const {
  RY_CHECK(first < count_, "a chunk lies in its buffer");
  // Steps of more than half the buffer go backwards, so that there are few times to start over.
  std::int64_t at = first, pace = step % count_, left = times;
  if (pace > count_ / 2) pace -= count_;
  Bytes sum;
  while (left > 0) {
    const std::int64_t room = pace > 0 ? (count_ - 1 - at) / pace + 1 : pace < 0 ? at / -pace + 1 : left;
    const std::int64_t now = std::min(left, room);
    sum += pace >= 0 ? rising_sum(at, pace, now) : rising_sum(at + pace * (now - 1), -pace, now);
    at = (at + pace * now) % count_;
    if (at < 0) at += count_;
    left -= now;
  }
  return sum;
}

}  // namespace railyard
