#include "capture/dissect.h"

#include <gtest/gtest.h>

#include "capture/byte_order.h"
#include "capture/testing.h"

namespace railyard {
namespace {

using testing::FileBytes;
using testing::frame_bytes;
using testing::roce_frame;

TEST(Dissect, reads_back_what_was_written) {
  RoceFrame frame = roce_frame(RoceOpcode::write_first, 0xABCDEF, 1001);
  frame.dscp = 26;
  frame.ecn = EcnBits::ce;
  frame.asks_for_ack = true;
  frame.reth = {.address = 0x123456789ABCDEF0, .key = 7, .length = 4711};
  const DissectedFrame seen = dissect(frame_bytes(frame));
  ASSERT_EQ(seen.kind, FrameKind::roce);
  EXPECT_EQ(seen.opcode, 0x06);
  EXPECT_EQ(seen.sequence, 0xABCDEFU);
  EXPECT_EQ(seen.destination_qp, 17U);
  EXPECT_EQ(seen.payload, 1001U);
  EXPECT_EQ(seen.source_port, 50000);
  EXPECT_EQ(seen.dscp, 26);
  EXPECT_EQ(seen.ecn, EcnBits::ce);
  EXPECT_TRUE(seen.asks_for_ack);
  EXPECT_EQ(seen.reth.address, 0x123456789ABCDEF0U);
  EXPECT_EQ(seen.reth.length, 4711U);
  EXPECT_EQ(seen.crc, CrcState::right);
}

TEST(Dissect, a_flipped_bit_makes_the_crc_wrong_and_a_cut_frame_has_none) {
  FileBytes bytes = frame_bytes(roce_frame(RoceOpcode::write_only, 1));
  bytes[bytes.size() - 10] ^= 1;
  EXPECT_EQ(dissect(bytes).crc, CrcState::wrong);
  bytes.resize(96);
  const DissectedFrame cut = dissect(bytes);
  EXPECT_EQ(cut.crc, CrcState::unknown);
  EXPECT_EQ(cut.payload, 1024U);
}

TEST(Dissect, tags_are_looked_through) {
  RoceFrame frame = roce_frame(RoceOpcode::write_only, 1);
  frame.vlan = 3 << 13 | 42;
  const DissectedFrame seen = dissect(frame_bytes(frame));
  EXPECT_EQ(seen.kind, FrameKind::roce);
  EXPECT_TRUE(seen.is_tagged);
}

/// The same packet over IPv6, with the CRC made anew.
FileBytes over_ipv6(const FileBytes& frame) {
  FileBytes out(frame.begin(), frame.begin() + 14);
  put_big16(&out[12], kTypeIpv6);
  FileBytes ip(kIpv6Bytes, 0);
  ip[0] = 0x66, ip[1] = 0xA0;  // traffic class 0x6a: DSCP 26 and ECT(0)
  put_big16(&ip[4], static_cast<std::uint32_t>(frame.size() - 34));
  ip[6] = 17, ip[7] = 64, ip[8] = 0xFD, ip[23] = 1, ip[24] = 0xFD, ip[39] = 2;
  out.insert(out.end(), ip.begin(), ip.end());
  out.insert(out.end(), frame.begin() + 34, frame.end());
  const auto packet = std::span<const std::uint8_t>(out).subspan(14);
  put_little32(&out[out.size() - 4], invariant_crc(packet.first(packet.size() - 4)));
  return out;
}

TEST(Dissect, ipv6_is_read_as_ipv4_is) {
  FileBytes bytes = over_ipv6(frame_bytes(roce_frame(RoceOpcode::write_only, 5)));
  const DissectedFrame seen = dissect(bytes);
  ASSERT_EQ(seen.kind, FrameKind::roce);
  EXPECT_EQ(seen.dscp, 26);
  EXPECT_EQ(seen.ecn, EcnBits::ect0);
  EXPECT_EQ(seen.sequence, 5U);
  EXPECT_EQ(seen.source[0], 0xFD);
  EXPECT_EQ(seen.crc, CrcState::right);
  bytes[15] |= 0x10;  // a mark on the way
  bytes[21] = 60;
  EXPECT_EQ(dissect(bytes).crc, CrcState::right);
}

TEST(Dissect, pauses_are_told_apart) {
  PauseFrame pause{.priorities = 1U << 3 | 1U << 5};
  pause.quanta[3] = 0xFFFF;
  FileBytes bytes;
  encode(pause, bytes);
  const DissectedFrame seen = dissect(bytes);
  EXPECT_EQ(seen.kind, FrameKind::pfc);
  EXPECT_EQ(seen.priorities, 0x28);
  EXPECT_EQ(seen.quanta[3], 0xFFFF);
  put_big16(&bytes[14], 1);
  EXPECT_EQ(dissect(bytes).kind, FrameKind::pause);
}

TEST(Dissect, every_beginning_of_a_frame_is_something) {
  const FileBytes bytes = frame_bytes(roce_frame(RoceOpcode::write_first, 5));
  for (std::size_t size = 0; size < 120; size++) {
    const DissectedFrame seen = dissect(std::span(bytes).first(size));
    EXPECT_EQ(seen.kind == FrameKind::roce, size >= 14 + 20 + 8 + 12);
  }
}

TEST(Dissect, other_udp_is_something_else) {
  FileBytes bytes = frame_bytes(roce_frame(RoceOpcode::write_only, 5));
  put_big16(&bytes[36], 53);
  EXPECT_EQ(dissect(bytes).kind, FrameKind::other);
}

TEST(Dissect, operations_begin_and_end_messages) {
  EXPECT_TRUE(begins_message(0x06) && !ends_message(0x06));
  EXPECT_TRUE(!begins_message(0x07) && !ends_message(0x07));
  EXPECT_TRUE(ends_message(0x08) && ends_message(0x09) && ends_message(0x0A));
  EXPECT_TRUE(carries_data(0x0D) && carries_data(0x10) && !carries_data(0x0C) && !carries_data(0x11) && !carries_data(0x81));
}

}  // namespace
}  // namespace railyard
