#include "capture/frame.h"

#include <gtest/gtest.h>

#include "capture/byte_order.h"
#include "capture/crc32.h"

namespace railyard {
namespace {

std::vector<std::uint8_t> whole(const RoceFrame& frame) {
  std::vector<std::uint8_t> bytes;
  encode(frame, 65535, bytes);
  return bytes;
}

TEST(Frame, the_crc_of_nine_digits_is_the_known_one) {
  const std::string digits = "123456789";
  Crc32 crc;
  crc.add({reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size()});
  EXPECT_EQ(crc.value(), 0xCBF43926U);
}

TEST(Frame, zeros_at_once_are_zeros_one_by_one) {
  for (const std::uint32_t count : {0U, 1U, 7U, 4096U, 5000U}) {
    Crc32 at_once, one_by_one;
    const std::vector<std::uint8_t> begin = {1, 2, 3}, zeros(count, 0);
    at_once.add(begin);
    one_by_one.add(begin);
    at_once.add_zeros(count);
    one_by_one.add(zeros);
    EXPECT_EQ(at_once.value(), one_by_one.value()) << count;
  }
}

TEST(Frame, sizes_are_those_of_the_wire_without_preamble_gap_and_fcs) {
  const RoceFrame middle{.opcode = RoceOpcode::write_middle, .payload = 4096},
      first{.opcode = RoceOpcode::write_first, .payload = 4096}, ack{.opcode = RoceOpcode::acknowledge},
      cnp{.opcode = RoceOpcode::cnp, .payload = 16};
  EXPECT_EQ(size_of(middle), 4096U + 82 - 24);
  EXPECT_EQ(size_of(first), 4096U + 82 - 24 + 16);
  EXPECT_EQ(size_of(ack), 86U - 24);
  EXPECT_EQ(size_of(cnp), 98U - 24);
}

TEST(Frame, a_payload_is_padded_to_four_bytes_and_says_so) {
  const RoceFrame frame{.opcode = RoceOpcode::send_only, .payload = 5};
  const std::vector<std::uint8_t> bytes = whole(frame);
  EXPECT_EQ(bytes.size(), 14U + 20 + 8 + 12 + 8 + 4);
  EXPECT_EQ(bytes[14 + 20 + 8 + 1] >> 4 & 3, 3);
}

TEST(Frame, the_ip_header_adds_up_and_lengths_agree) {
  const RoceFrame frame{.source = 0x0A000001, .destination = 0x0A000002, .dscp = 26, .payload = 100};
  const std::vector<std::uint8_t> bytes = whole(frame);
  std::uint32_t sum = 0;
  for (std::size_t i = 14; i < 34; i += 2) sum += big16(&bytes[i]);
  EXPECT_EQ((sum & 0xFFFF) + (sum >> 16), 0xFFFFU);
  EXPECT_EQ(bytes[15], 106);  // DSCP 26 and ECT(0)
  EXPECT_EQ(big16(&bytes[16]), bytes.size() - 14);
  EXPECT_EQ(big16(&bytes[38]), bytes.size() - 34);
}

TEST(Frame, the_invariant_crc_does_not_change_with_what_switches_change) {
  RoceFrame frame{.source = 1, .destination = 2, .dscp = 26, .opcode = RoceOpcode::write_only, .payload = 64};
  const std::vector<std::uint8_t> sent = whole(frame);
  frame.ecn = EcnBits::ce;
  frame.hop_limit = 61;
  frame.backward_congestion = true;
  const std::vector<std::uint8_t> received = whole(frame);
  EXPECT_EQ(little32(&sent[sent.size() - 4]), little32(&received[received.size() - 4]));
  frame.sequence = 7;
  const std::vector<std::uint8_t> other = whole(frame);
  EXPECT_NE(little32(&sent[sent.size() - 4]), little32(&other[other.size() - 4]));
}

TEST(Frame, the_crc_is_that_of_all_bytes) {
  const std::vector<std::uint8_t> bytes = whole({.source = 7, .opcode = RoceOpcode::write_first, .payload = 4095});
  const auto packet = std::span<const std::uint8_t>(bytes).subspan(14);
  EXPECT_EQ(little32(&bytes[bytes.size() - 4]), invariant_crc(packet.first(packet.size() - 4)));
}

TEST(Frame, one_that_is_cut_keeps_its_headers_and_has_no_crc) {
  const RoceFrame frame{.opcode = RoceOpcode::write_first, .payload = 4096};
  std::vector<std::uint8_t> cut;
  encode(frame, 96, cut);
  const std::vector<std::uint8_t> all = whole(frame);
  ASSERT_EQ(cut.size(), 96U);
  EXPECT_TRUE(std::equal(cut.begin(), cut.end(), all.begin()));
}

TEST(Frame, a_tag_moves_what_follows_by_four_bytes) {
  RoceFrame frame{.payload = 8};
  const std::size_t plain = whole(frame).size();
  frame.vlan = 3 << 13;
  const std::vector<std::uint8_t> tagged = whole(frame);
  EXPECT_EQ(tagged.size(), plain + 4);
  EXPECT_EQ(big16(&tagged[12]), kTypeVlan);
  EXPECT_EQ(tagged[14] >> 5, 3);
}

TEST(Frame, a_pause_names_its_priorities) {
  PauseFrame pause{.priorities = 1U << 3};
  pause.quanta[3] = 0xFFFF;
  std::vector<std::uint8_t> bytes;
  encode(pause, bytes);
  ASSERT_EQ(bytes.size(), 60U);
  EXPECT_EQ(bytes[0], 0x01);
  EXPECT_EQ(big16(&bytes[12]), 0x8808);
  EXPECT_EQ(big16(&bytes[14]), 0x0101);
  EXPECT_EQ(big16(&bytes[16]), 8);
  EXPECT_EQ(big16(&bytes[18 + 6]), 0xFFFF);
  EXPECT_EQ(big16(&bytes[18 + 4]), 0);
}

}  // namespace
}  // namespace railyard
