#include "fabric/hash.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace railyard {
namespace {

std::uint32_t hash(HashFunction function, std::string_view text, std::uint32_t seed = 0) {
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return hash_bytes(function, bytes, seed);
}

TEST(Hash, functions_give_their_published_check_values) {
  EXPECT_EQ(hash(HashFunction::crc32, "123456789"), 0xCBF43926U);    // CRC-32/ISO-HDLC
  EXPECT_EQ(hash(HashFunction::crc16_ccitt, "123456789"), 0x31C3U);  // CRC-16/XMODEM: start value 0
  EXPECT_EQ(hash(HashFunction::exclusive_or, "\x12\x34\x56\x78"), 0x444CU);
  EXPECT_EQ(hash(HashFunction::murmur3, ""), 0U);
  EXPECT_EQ(hash(HashFunction::murmur3, "", 1), 0x514E28B7U);
  EXPECT_EQ(hash(HashFunction::murmur3, "test", 0x9747B28C), 0x704B81DCU);
  EXPECT_EQ(hash(HashFunction::murmur3, "Hello, world!", 0x9747B28C), 0x24884CBAU);
}

TEST(Hash, source_ports_follow_the_kernel) {
  // 0x123 * 0x456 = 0x4EDC2: folded 0x4EDC2; low 14 bits 0x2DC2 ^ (0x4C000 >> 14 = 0x13) = 0x2DD1, with the top bits set
  // 0xEDD1.
  EXPECT_EQ(udp_source_port(0x123, 0x456), 0xEDD1U);
  EXPECT_EQ(udp_source_port(0x123, 0x456), udp_source_port(0x456, 0x123));
  for (std::uint32_t qp = 1; qp < 2000; qp += 7) EXPECT_GE(udp_source_port(qp, 3 * qp + 5), 0xC000U);
}

TEST(Hash, the_destination_queue_pair_is_seen_only_when_asked_for) {
  FlowHeader a{1, 2, 50000, 77}, b = a;
  b.destination_qp = 78;
  for (const HashFunction function :
       {HashFunction::crc16_ccitt, HashFunction::crc32, HashFunction::exclusive_or, HashFunction::murmur3}) {
    EXPECT_EQ(hash_of(a, function, HashFields::five_tuple, 3), hash_of(b, function, HashFields::five_tuple, 3));
    EXPECT_NE(hash_of(a, function, HashFields::qpn, 3), hash_of(b, function, HashFields::qpn, 3));
    EXPECT_EQ(hash_of(a, function, HashFields::addresses, 3), hash_of(b, function, HashFields::addresses, 3));
  }
}

}  // namespace
}  // namespace railyard
