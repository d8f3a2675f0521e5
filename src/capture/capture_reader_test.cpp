#include "capture/capture_reader.h"

#include <gtest/gtest.h>

#include "capture/mapped_file.h"
#include "capture/testing.h"

namespace railyard {
namespace {

using testing::FileBytes;
using testing::frame_bytes;
using testing::PcapFile;
using testing::PcapngFile;
using testing::roce_frame;

/// The times of all frames, and what is wrong, if anything.
struct Read {
  std::vector<std::int64_t> at_ns;
  std::vector<std::uint32_t> sizes;
  std::string problem;
};

Read read_all(const FileBytes& bytes) {
  CaptureReader reader(bytes, "a.pcap");
  Read read;
  CapturedFrame frame;
  while (reader.next(frame)) {
    read.at_ns.push_back(frame.at_ns);
    read.sizes.push_back(frame.size);
  }
  if (reader.problem()) read.problem = to_text(*reader.problem());
  return read;
}

TEST(CaptureReader, pcap_is_read_in_either_order_of_bytes_and_both_resolutions) {
  const FileBytes frame = frame_bytes(roce_frame(RoceOpcode::write_only, 0));
  for (const bool big : {false, true}) {
    EXPECT_EQ(read_all(PcapFile(big, true).add(2, 7, frame).bytes).at_ns, std::vector<std::int64_t>{2'000'000'007});
    EXPECT_EQ(read_all(PcapFile(big, false).add(2, 7, frame).bytes).at_ns, std::vector<std::int64_t>{2'000'007'000});
  }
}

TEST(CaptureReader, pcapng_keeps_nanoseconds_names_and_rates) {
  PcapngFile file({{"leaf 0 to GPU 1", 400_Gbps}, {"GPU 1 to leaf 0", 400_Gbps}});
  file.add(1'234_ns, roce_frame(RoceOpcode::write_only, 0), 1);
  CaptureReader reader(file.bytes(), "a.pcapng");
  CapturedFrame frame;
  ASSERT_TRUE(reader.next(frame));
  EXPECT_EQ(frame.at_ns, 1234);
  EXPECT_EQ(frame.interface, 1U);
  EXPECT_EQ(frame.number, 1U);
  EXPECT_FALSE(reader.next(frame));
  EXPECT_FALSE(reader.problem());
  EXPECT_EQ(reader.interfaces()[1].name, "GPU 1 to leaf 0");
  EXPECT_EQ(reader.interfaces()[1].rate, 400_Gbps);
}

TEST(CaptureReader, frames_that_were_cut_keep_their_size) {
  const FileBytes frame = frame_bytes(roce_frame(RoceOpcode::write_only, 0), 64);
  EXPECT_EQ(read_all(PcapFile(false, true).add(0, 0, frame, 1098).bytes).sizes, std::vector<std::uint32_t>{1098});
}

TEST(CaptureReader, several_sections_have_interfaces_of_their_own) {
  PcapngFile one, two;
  one.add(1_ns, roce_frame(RoceOpcode::write_only, 0));
  two.add(2_ns, roce_frame(RoceOpcode::write_only, 1));
  FileBytes both = one.bytes();
  both.insert(both.end(), two.bytes().begin(), two.bytes().end());
  CaptureReader reader(both, "a.pcapng");
  CapturedFrame frame;
  ASSERT_TRUE(reader.next(frame) && reader.next(frame));
  EXPECT_EQ(frame.interface, 1U);
}

TEST(CaptureReader, what_is_no_capture_is_said_to_be_none) {
  EXPECT_EQ(read_all({'h', 'e', 'l', 'l', 'o'}).problem,
            "a.pcap: error RY-CAP-002: this is no pcap or pcapng file; save it with tcpdump -w or as pcapng");
  EXPECT_EQ(read_all({}).problem.substr(0, 24), "a.pcap: error RY-CAP-002");
  EXPECT_EQ(read_all({0x1F, 0x8B, 8, 0, 0}).problem,
            "a.pcap: error RY-CAP-002: this file is packed (gzip); unpack it first: gunzip -k");
}

TEST(CaptureReader, a_file_that_ends_early_is_read_up_to_there) {
  const FileBytes frame = frame_bytes(roce_frame(RoceOpcode::write_only, 0));
  FileBytes bytes = PcapFile(false, true).add(0, 1, frame).add(0, 2, frame).bytes;
  bytes.pop_back();
  const Read read = read_all(bytes);
  EXPECT_EQ(read.at_ns.size(), 1U);
  EXPECT_EQ(read.problem.substr(0, 71), "a.pcap: warning RY-CAP-003: the file ends inside frame 2, at byte 1138;");
  FileBytes next = PcapngFile().add(1_ns, roce_frame(RoceOpcode::write_only, 0)).bytes();
  next.pop_back();
  EXPECT_NE(read_all(next).problem.find("RY-CAP-003: the file ends inside frame 1"), std::string::npos);
}

TEST(CaptureReader, every_beginning_of_a_file_is_read_or_refused) {
  const FileBytes bytes = PcapngFile().add(1_ns, roce_frame(RoceOpcode::write_only, 0)).bytes();
  for (std::size_t size = 0; size < bytes.size(); size++) {
    const Read read = read_all(FileBytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_TRUE(read.at_ns.empty());
  }
}

TEST(CaptureReader, lengths_that_cannot_be_are_errors) {
  PcapFile file(false, true);
  file.word(0), file.word(0), file.word(0xFFFFFFFF), file.word(0xFFFFFFFF);
  EXPECT_EQ(read_all(file.bytes).problem.substr(0, 89),
            "a.pcap: error RY-CAP-004: a frame of 4294967295 bytes after frame 0, at byte 24; the file");
}

TEST(CaptureReader, links_that_are_no_ethernet_are_refused) {
  EXPECT_NE(read_all(PcapFile(false, true, 113).bytes).problem.find("RY-CAP-005: frames of a \"cooked\" capture"),
            std::string::npos);
  EXPECT_NE(read_all(PcapFile(true, true, 276).bytes).problem.find("tcpdump -i eth0"), std::string::npos);
  EXPECT_NE(read_all(PcapFile(false, true, 127).bytes).problem.find("RY-CAP-005: frames of link type 127"), std::string::npos);
}

TEST(MappedFile, what_is_not_there_is_an_error) {
  const Result<MappedFile> file = MappedFile::open("no-such-capture.pcap");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error()[0].code, "RY-CAP-001");
  EXPECT_FALSE(MappedFile::open("/"));
}

}  // namespace
}  // namespace railyard
