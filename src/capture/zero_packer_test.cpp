#include "capture/zero_packer.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <vector>

#include "base/rng.h"

namespace railyard {
namespace {

std::string unpacked(const std::string& packed, std::size_t most) {
  std::string out(most + 1, 'x');
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END) << (stream.msg ? stream.msg : "");
  EXPECT_EQ(stream.avail_in, 0U);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

/// zlib checks the sum and the size itself.
TEST(ZeroPacker, zlib_unpacks_what_was_packed) {
  Rng rng(7, "zeros", 0);
  for (int round = 0; round < 20; round++) {
    std::string packed, plain;
    ZeroPacker packer(packed);
    for (int part = 0; part < 40; part++) {
      std::vector<std::uint8_t> bytes(rng.below(part == 7 ? 200'000 : 300));
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.below(256));
      const std::uint32_t zeros = rng.below(rng.below(3) == 0 ? 70 : 10'000);
      packer.add(bytes);
      packer.add_zeros(zeros);
      plain.append(bytes.begin(), bytes.end()).append(zeros, '\0');
    }
    packer.finish();
    EXPECT_EQ(unpacked(packed, plain.size()), plain);
  }
}

TEST(ZeroPacker, nothing_is_a_stream_too_and_zeros_take_little) {
  std::string nothing, zeros;
  ZeroPacker(nothing).finish();
  EXPECT_EQ(unpacked(nothing, 10), "");
  ZeroPacker packer(zeros);
  for (int i = 0; i < 1000; i++) packer.add_zeros(4096);
  packer.finish();
  EXPECT_EQ(unpacked(zeros, 4'096'000).size(), 4'096'000U);
  EXPECT_LT(zeros.size(), 40'000U);
}

}  // namespace
}  // namespace railyard
