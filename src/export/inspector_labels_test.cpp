#include "export/inspector_labels.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(InspectorLabels, are_those_of_the_plugin) {
  const InspectedCall call{.collective = "reduce_scatter",
                           .size = Bytes(140'800'000),
                           .algorithm = "ring_Simple",
                           .comm = "world",
                           .ranks = 32,
                           .nodes = 4};
  EXPECT_EQ(inspector_labels(call),
            R"(version="v5.1",slurm_job_id="unknown",node="server-0",gpu="GPU0",comm_name="world",n_nodes="4",nranks="32",)"
            R"(collective="ReduceScatter",message_size="134-135MB",algo_proto="RING_SIMPLE")");
}

TEST(InspectorLabels, sizes_are_ranges_of_one_unit) {
  EXPECT_EQ(inspector_size(Bytes(0)), "0B");
  EXPECT_EQ(inspector_size(Bytes(8)), "8-9B");
  EXPECT_EQ(inspector_size(Bytes(1023)), "1023-1024B");
  EXPECT_EQ(inspector_size(Bytes(1024)), "1-2KB");
  EXPECT_EQ(inspector_size(Bytes(268'435'456)), "256-257MB");
  EXPECT_EQ(inspector_size(Bytes(268'435'455)), "255-256MB");
  EXPECT_EQ(inspector_size(Bytes(std::int64_t{16} << 30)), "16-17GB");
}

TEST(InspectorLabels, what_is_not_known_is_left_out) {
  const InspectedCall call{
      .collective = "all_to_all", .size = Bytes(1), .algorithm = "x", .comm = "expert:0", .operation = "dispatch"};
  const std::string labels = inspector_labels(call);
  EXPECT_EQ(labels.find("nranks"), std::string::npos);
  EXPECT_NE(labels.find(R"(collective="AlltoAll")"), std::string::npos);
  EXPECT_NE(labels.find(R"(operation="dispatch")"), std::string::npos);
}

}  // namespace
}  // namespace railyard
