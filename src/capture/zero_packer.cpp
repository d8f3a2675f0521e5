#include "capture/zero_packer.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/check.h"
#include "capture/byte_order.h"

namespace railyard {

namespace {

constexpr std::uint32_t kShortRun = 64;  // which is stored
constexpr std::size_t kMostRuns = 256;   // that are remembered

void add_little(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++) out += static_cast<char>(value >> 8 * i);
}

/// A block of zeros, and an empty one behind it, so that the next begins with a whole byte.
std::string zeros_as_blocks(std::uint32_t count) {
  z_stream stream = {};
  const int status = deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  RY_CHECK(status == Z_OK, "zlib has memory for its window");
  std::string zeros(count, '\0'), out(deflateBound(&stream, count) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
  stream.avail_in = count;
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int flushed = deflate(&stream, Z_SYNC_FLUSH);
  RY_CHECK(flushed == Z_OK && stream.avail_in == 0 && stream.avail_out > 0, "zeros have room where anything would");
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

ZeroPacker::ZeroPacker(std::string& out) : out_(out) {
  constexpr std::string_view kHeader("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);  // no name, no time, no system
  out_ += kHeader;
}

void ZeroPacker::add_long(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kMostStored - waiting_.size()));
    waiting_.append(reinterpret_cast<const char*>(part.data()), part.size());
    if (waiting_.size() == kMostStored) store_waiting();
    bytes = bytes.subspan(part.size());
  }
}

void ZeroPacker::add_zeros(std::uint32_t count) {
  constexpr std::array<std::uint8_t, kShortRun> kZeros = {};
  if (count < kShortRun) return add(std::span(kZeros).first(count));
  store_waiting();
  crc_.add_zeros(count);
  size_ += count;
  out_ += packed_zeros(count).packed;
}

void ZeroPacker::finish() {
  store_waiting();
  out_ += std::string_view("\x01\0\0\xFF\xFF", 5);  // the last block, empty
  add_little(out_, crc_.value(), 4);
  add_little(out_, size_, 4);
}

void ZeroPacker::store_waiting() {
  if (waiting_.empty()) return;
  const auto size = static_cast<std::uint32_t>(waiting_.size());
  crc_.add({reinterpret_cast<const std::uint8_t*>(waiting_.data()), waiting_.size()});
  size_ += size;
  out_ += '\0';
  add_little(out_, size, 2);
  add_little(out_, ~size, 2);
  out_ += waiting_;
  waiting_.clear();
}

const ZeroPacker::Run& ZeroPacker::packed_zeros(std::uint32_t count) {
  if (last_ && last_->count == count) return *last_;
  if (zeros_.size() == kMostRuns && !zeros_.contains(count)) zeros_.clear();
  Run& run = zeros_[count];
  if (run.packed.empty()) run = {count, zeros_as_blocks(count)};
  last_ = &run;
  return run;
}

}  // namespace railyard
