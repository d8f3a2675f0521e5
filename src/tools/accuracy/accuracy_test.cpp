#include "tools/accuracy/accuracy.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

constexpr std::string_view kTable = R"(title = "A table"
source = "somebody"
[common.model]
preset = "llama3-8b"
[common.cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 8
[common.training]
global_batch = 16
recompute = "full"
[common.parallel]
zero = 3
[rows.one]
step_time_s = 2.0
[rows.two]
tokens_per_s_per_gpu = 8192.0
[rows.three]
step_time_s = 1.0
excluded = "repeated"
)";

Result<std::vector<PublishedTable>> predict(std::string_view text) {
  const EmbeddedFile file{"catalog/published/test.toml", text};
  return predict_published(std::span(&file, 1), builtin_catalog(), "");
}

std::string first_code(std::string_view text) {
  const auto tables = predict(text);
  return tables ? "" : tables.error().front().code;
}

TEST(Accuracy, rows_are_compared_in_step_time) {
  const auto tables = predict(kTable);
  ASSERT_TRUE(tables) << to_text(tables.error().front());
  const std::vector<PublishedRow>& rows = tables->front().rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].published_s, 2.0);
  EXPECT_EQ(rows[1].published_s, 2.0);  // 16 sequences of 8,192 tokens on 8 GPUs
  EXPECT_EQ(rows[0].predicted_s, rows[1].predicted_s);
  EXPECT_EQ(rows[2].excluded, Exclusion::repeated);
}

TEST(Accuracy, rows_that_do_not_count_are_left_out_of_the_summary) {
  PublishedTable table;
  table.rows = {{.name = "a", .note = {}, .published_s = 1, .predicted_s = 1.1},
                {.name = "b", .note = {}, .published_s = 1, .predicted_s = 0.8},
                {.name = "c", .note = {}, .published_s = 1, .predicted_s = 1.03},
                {.name = "d", .note = {}, .published_s = 1, .predicted_s = 3, .excluded = Exclusion::kernels}};
  const ErrorSummary summary = summarise(std::span(&table, 1));
  EXPECT_EQ(summary.rows, 3U);
  EXPECT_NEAR(summary.median, 0.1, 1e-12);
  EXPECT_NEAR(summary.worst, 0.2, 1e-12);
  EXPECT_NEAR(summary.bias, (0.1 - 0.2 + 0.03) / 3, 1e-12);
  EXPECT_NEAR(summary.within_5, 1.0 / 3, 1e-12);
  EXPECT_NEAR(summary.within_12, 2.0 / 3, 1e-12);
}

TEST(Accuracy, mistakes_in_a_table_are_found) {
  EXPECT_EQ(first_code("title = "), "RY-PUB-001");
  EXPECT_EQ(first_code("title = \"no rows\"\nsource = \"x\"\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nstep_tiem_s = 1.0\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nnote = \"no measurement\"\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nstep_time_s = 1.0\nmodel.heads = 31\n"), "RY-SCN-026");
}

}  // namespace
}  // namespace railyard
