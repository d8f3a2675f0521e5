#include "capture/captured_flows.h"

#include <gtest/gtest.h>

#include "capture/capture_summary.h"
#include "capture/testing.h"

namespace railyard {
namespace {

using testing::PcapngFile;
using testing::roce_frame;

CaptureSummary read(PcapngFile& file) { return summarise(file.bytes(), "a.pcapng"); }
const CapturedFlow& only_flow(const CaptureSummary& summary) {
  EXPECT_EQ(summary.flows.once().size(), 1U);
  return *summary.flows.once().front();
}

TEST(CapturedFlows, numbers_that_are_left_out_are_a_gap_and_lower_ones_were_sent_again) {
  PcapngFile file;
  for (const std::uint32_t sequence : {0U, 1U, 2U, 5U, 6U, 3U, 4U, 5U, 6U, 7U})
    file.add(Picoseconds(sequence * 1'000), roce_frame(RoceOpcode::send_only, sequence));
  const CaptureSummary summary = read(file);
  const CapturedFlow& flow = only_flow(summary);
  EXPECT_EQ(flow.gaps, 1U);
  EXPECT_EQ(flow.missing, 2U);
  EXPECT_EQ(flow.repeated, 4U);
  EXPECT_EQ(flow.packets, 10U);
  EXPECT_EQ(flow.payload, 6U * 1024);
}

TEST(CapturedInterfaces, those_without_a_frame_are_there_too) {
  PcapngFile file({{"a", 100_Gbps}, {"b", 100_Gbps}, {"c", 100_Gbps}});
  file.add(1_ns, roce_frame(RoceOpcode::send_only, 0), 1);
  const CaptureSummary summary = read(file);
  ASSERT_EQ(summary.interfaces.size(), 3U);
  EXPECT_EQ(summary.interfaces[1].frames, 1U);
  EXPECT_EQ(summary.interfaces[2].frames, 0U);
}

TEST(CapturedFlows, numbers_begin_anywhere_and_go_on_after_the_largest) {
  PcapngFile file;
  for (const std::uint32_t sequence : {0xFFFFFEU, 0xFFFFFFU, 0U, 1U})
    file.add(1_ns, roce_frame(RoceOpcode::send_only, sequence));
  const CaptureSummary summary = read(file);
  EXPECT_EQ(only_flow(summary).missing + only_flow(summary).repeated, 0U);
}

TEST(CapturedFlows, a_write_is_as_long_as_it_says_and_a_send_as_its_packets) {
  PcapngFile file;
  RoceFrame first = roce_frame(RoceOpcode::write_first, 0);
  first.reth.length = 3 * 1024;
  file.add(1_us, first).add(2_us, roce_frame(RoceOpcode::write_middle, 1));  // the last one is lost
  file.add(3_us, roce_frame(RoceOpcode::send_first, 3)).add(4_us, roce_frame(RoceOpcode::send_last, 4, 100));
  const CaptureSummary summary = read(file);
  const std::vector<CapturedMessage>& messages = only_flow(summary).messages;
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].bytes, 3U * 1024);
  EXPECT_EQ(messages[1].bytes, 1124U);
  EXPECT_EQ(messages[1].at_ns, 3000);
}

TEST(CapturedFlows, an_ack_is_timed_from_its_packet) {
  PcapngFile file;
  file.add(1_us, roce_frame(RoceOpcode::write_only, 0)).add(2_us, roce_frame(RoceOpcode::write_only, 1));
  file.add(9_us, roce_frame(RoceOpcode::acknowledge, 1)).add(10_us, roce_frame(RoceOpcode::acknowledge, 77));
  const CaptureSummary summary = read(file);
  EXPECT_EQ(summary.flows.answers().acks, 2U);
  EXPECT_EQ(summary.flows.answers().unpaired, 1U);
  EXPECT_EQ(summary.flows.answers().wait_ns.min(), 7000);
  EXPECT_EQ(summary.flows.answers().wait_ns.count(), 1U);
}

TEST(CapturedFlows, a_packet_seen_at_two_places_is_one_packet) {
  PcapngFile file({{"GPU 0 to leaf 0", 100_Gbps}, {"leaf 0 to GPU 1", 100_Gbps}});
  RoceFrame later = roce_frame(RoceOpcode::write_only, 0);
  later.hop_limit = 63;
  file.add(1_us, roce_frame(RoceOpcode::write_only, 0), 0).add(2_us, later, 1);
  file.add(5_us, roce_frame(RoceOpcode::acknowledge, 0), 0).add(6_us, roce_frame(RoceOpcode::acknowledge, 0), 1);
  const CaptureSummary summary = read(file);
  EXPECT_EQ(only_flow(summary).packets, 1U);
  EXPECT_EQ(only_flow(summary).repeated, 0U);
  EXPECT_EQ(summary.flows.answers().wait_ns.count(), 1U);
  EXPECT_EQ(summary.flows.answers().wait_ns.max(), 4000);
}

TEST(CapturedFlows, a_read_takes_numbers_without_a_gap) {
  PcapngFile file;
  file.add(1_us, roce_frame(RoceOpcode::write_only, 0));
  file.add(2_us, roce_frame(RoceOpcode::read_request, 1, 0)).add(3_us, roce_frame(RoceOpcode::write_only, 5));
  EXPECT_EQ(only_flow(read(file)).gaps, 0U);
}

TEST(CaptureSummary, counts_answers_marks_and_pauses) {
  PcapngFile file;
  RoceFrame marked = roce_frame(RoceOpcode::write_only, 0), nak = roce_frame(RoceOpcode::acknowledge, 0), busy = nak;
  marked.ecn = EcnBits::ce;
  nak.aeth.syndrome = kNakSequence;
  busy.aeth.syndrome = 0x2A;
  PauseFrame pause{.priorities = 1U << 3}, resume{.priorities = 1U << 3};
  pause.quanta[3] = 0xFFFF;
  file.add(1_us, marked).add(2_us, roce_frame(RoceOpcode::cnp, 0)).add(3_us, nak).add(4_us, busy);
  file.add(5_us, pause).add(6_us, resume);
  const CaptureSummary summary = read(file);
  EXPECT_EQ(summary.frames, 6U);
  EXPECT_EQ(summary.marked, 1U);
  EXPECT_EQ(summary.flows.answers().cnps, 1U);
  EXPECT_EQ(summary.flows.answers().naks, 1U);
  EXPECT_EQ(summary.flows.answers().receiver_not_ready, 1U);
  EXPECT_EQ(summary.interfaces[0].pauses[3].pauses, 1U);
  EXPECT_EQ(summary.interfaces[0].pauses[3].resumes, 1U);
  EXPECT_EQ(summary.crc_checked, 4U);
  EXPECT_EQ(summary.crc_wrong, 0U);
  EXPECT_TRUE(summary.diagnostics.empty());
}

TEST(CaptureSummary, a_capture_without_roce_is_an_error) {
  PcapngFile file;
  file.add(1_us, PauseFrame{.priorities = 8});
  ASSERT_EQ(read(file).diagnostics.size(), 1U);
  EXPECT_EQ(read(file).diagnostics[0].code, "RY-CAP-006");
}

TEST(CaptureSummary, entropy_of_equal_parts_is_the_logarithm_of_their_number) {
  EXPECT_DOUBLE_EQ(entropy_of({5, 5, 5, 5}).bits, 2);
  EXPECT_DOUBLE_EQ(entropy_of({5, 0}).bits, 0);
  EXPECT_EQ(entropy_of({5, 0}).count, 1U);
}

}  // namespace
}  // namespace railyard
