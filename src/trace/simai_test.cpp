#include "trace/testing.h"

namespace railyard {

namespace {

Result<TraceDraft> simai_of(std::string_view text, std::optional<std::uint32_t> asked = {}, std::uint32_t otherwise = 1) {
  const auto bytes = bytes_of_text(text);
  return read_simai({"case.txt", *bytes}, asked, otherwise);
}

constexpr const char* kTwoLayers =
    "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 4 checkpoints: 0\n2\n"
    "first -1 1000 ALLREDUCE 4096 500 NONE 0 200 ALLREDUCE 8192 10\n"
    "second -1 2000 NONE 0 700 ALLGATHER 512 300 NONE 0 10\n";

TEST(SimaiTrace, goes_forward_through_its_layers_and_back) {
  const Result<TraceDraft> draft = simai_of(kTwoLayers);
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->ranks, 4U);
  std::vector<std::int64_t> computes, bytes;
  for (const TraceNode node : draft->nodes)
    if (node.rank == 3) (node.op == TraceOp::compute ? computes : bytes).push_back(node.amount);
  EXPECT_EQ(computes, (std::vector<std::int64_t>{1'000'000, 2'000'000, 700'000, 300'000, 500'000, 200'000, 10'000}));
  EXPECT_EQ(bytes, (std::vector<std::int64_t>{4096, 512, 8192}));
}

TEST(SimaiTrace, tensor_groups_are_neighbours_and_data_groups_go_across_them) {
  const Result<TraceDraft> draft = simai_of(kTwoLayers);
  ASSERT_TRUE(draft);
  for (const TraceNode node : draft->nodes) {
    if (node.op != TraceOp::collective || node.rank != 3) continue;
    const std::vector<std::uint32_t> expected =
        node.amount == 8192 ? std::vector<std::uint32_t>{1, 3} : std::vector<std::uint32_t>{2, 3};
    EXPECT_EQ(draft->groups[TraceGroupId(node.peer)], expected);
  }
}

TEST(SimaiTrace, expert_groups_divide_data_groups) {
  const Result<TraceDraft> draft = simai_of(
      "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 all_gpus: 8\n1\n"
      "moe -1 1 ALLTOALL_EP 64 1 NONE 0 1 ALLREDUCE_DP_EP 128 1\n");
  ASSERT_TRUE(draft) << error_of(draft);
  for (const TraceNode node : draft->nodes) {
    if (node.op != TraceOp::collective || node.rank != 1) continue;
    const std::vector<std::uint32_t> expected =
        node.amount == 64 ? std::vector<std::uint32_t>{1, 3} : std::vector<std::uint32_t>{1, 5};
    EXPECT_EQ(draft->groups[TraceGroupId(node.peer)], expected);
  }
}

TEST(SimaiTrace, tells_the_line_of_a_mistake) {
  const std::string first = "HYBRID_TRANSFORMER model_parallel_NPU_group: 2\n";
  EXPECT_EQ(error_of(simai_of("")), "RY-TRC-002 case.txt");
  EXPECT_EQ(error_of(simai_of(first + "many\n")), "RY-TRC-002 case.txt:2");
  EXPECT_EQ(error_of(simai_of(first + "2\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n")), "RY-TRC-002 case.txt:3");
  EXPECT_EQ(error_of(simai_of(first + "1\na -1 1 NONE 0 1 NONE 0 1\n")), "RY-TRC-002 case.txt:3");
  EXPECT_EQ(error_of(simai_of(first + "1\na -1 1 GATHER 0 1 NONE 0 1 NONE 0 1\n")), "RY-TRC-002 case.txt:3");
  EXPECT_EQ(error_of(simai_of("DATA pp: 4\n0\n")), "RY-TRC-008 case.txt:1");
  EXPECT_EQ(error_of(simai_of(first + "0\n", 3)), "RY-TRC-007 case.txt:1");
}

}  // namespace

}  // namespace railyard
