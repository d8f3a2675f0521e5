#include <gtest/gtest.h>

#include "capture/testing.h"
#include "tools/capture/capture_figures.h"
#include "tools/capture/capture_report.h"

namespace railyard {
namespace {

using testing::PcapngFile;
using testing::roce_frame;

CaptureSummary two_flows() {
  PcapngFile file;
  RoceFrame back = roce_frame(RoceOpcode::write_only, 0);
  std::swap(back.source, back.destination);
  back.reth.length = 2048;
  file.add(10_us, roce_frame(RoceOpcode::write_only, 0)).add(12_us, back);
  return summarise(file.bytes(), "two.pcapng");
}

TEST(CaptureTraffic, messages_become_lines_with_hosts_by_address) {
  EXPECT_EQ(capture_traffic(two_flows()),
            "# Messages of a capture, for [traffic] with pattern = \"file\". Hosts:\n# 0 is 10.0.0.1\n# 1 is 10.0.0.2\n"
            "start_us,source,destination,bytes\n0.000,0,1,1024\n2.000,1,0,2048\n");
}

TEST(CaptureDocument, has_the_counters_of_the_capture) {
  const Document document = capture_document({"two.pcapng", two_flows()});
  EXPECT_EQ(*document.at_path("counters.data")->integer(), 2);
  EXPECT_EQ(*document.at_path("flows[1].payload_bytes")->integer(), 1024);
  EXPECT_EQ(*document.at_path("opcodes[0].name")->text(), "RC write only");
}

TEST(CaptureFigures, source_ports_alike_have_no_entropy) {
  const CaptureSummary summary = two_flows();
  const CaptureFigures figures = figures_of(summary);
  EXPECT_EQ(figures.hosts, 2U);
  EXPECT_DOUBLE_EQ(figures.five_tuples.bits, 1);
  EXPECT_DOUBLE_EQ(figures.source_ports.bits, 0);
}

}  // namespace
}  // namespace railyard
