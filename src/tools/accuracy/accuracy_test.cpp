#include "tools/accuracy/accuracy.h"

#include <gtest/gtest.h>

#include <sstream>

namespace railyard {
namespace {

constexpr std::string_view kTable = R"(title = "A table"
role = "calibration"
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

constexpr std::string_view kNetworks = R"(
[wide]
status = "assumed"
source = "nobody"
[wide.fabric]
topology = "leaf-spine"
radix = 64
hosts_per_leaf = 8
oversubscription = 1
link_rate = "400 Gb/s"
[wide.routing]
policy = "adaptive"
[narrow]
status = "estimated"
source = "somebody"
extends = "wide"
[narrow.fabric]
oversubscription = 8
)";

Result<Comparison> predict(std::string_view text, const AccuracyRequest& asked = {}, std::string_view networks = kNetworks) {
  const EmbeddedFile files[] = {{kNetworksFile, networks}, {"catalog/published/test.toml", text}};
  return predict_published(files, builtin_catalog(), asked);
}

std::string first_code(std::string_view text, Fidelity engine = Fidelity::analytic, std::string_view networks = kNetworks) {
  const auto comparison = predict(text, {.engine = engine}, networks);
  return comparison ? "" : comparison.error().front().code;
}

std::string report_text(const Comparison& comparison) {
  std::ostringstream out;
  write_terminal(accuracy_report(comparison), 100, out);
  return out.str();
}

/// The table on 64 GPUs, its rows on networks.
std::string on_networks() {
  std::string text(kTable);
  text.replace(text.find("gpus = 8\n"), 9, "gpus = 64\n");
  text.replace(text.find("global_batch = 16"), 17, "global_batch = 64");
  text.replace(text.find("[common.model]"), 14, "network = \"wide\"\n[common.model]");
  return text + "[rows.four]\nstep_time_s = 1.0\nnetwork = \"narrow\"\n";
}

TEST(Accuracy, rows_are_compared_in_step_time) {
  const auto comparison = predict(kTable);
  ASSERT_TRUE(comparison) << to_text(comparison.error().front());
  const std::vector<PublishedRow>& rows = comparison->tables.front().rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].published_s, 2.0);
  EXPECT_EQ(rows[1].published_s, 2.0);  // 16 sequences of 8,192 tokens on 8 GPUs
  EXPECT_EQ(rows[0].predicted_s, rows[1].predicted_s);
  EXPECT_EQ(rows[2].excluded, Exclusion::repeated);
}

TEST(Accuracy, only_the_flow_engine_sees_networks) {
  const auto idle = predict(on_networks()), played = predict(on_networks(), {.engine = Fidelity::flow});
  ASSERT_TRUE(idle) << to_text(idle.error().front());
  ASSERT_TRUE(played) << to_text(played.error().front());
  const std::vector<PublishedRow>&alone = idle->tables.front().rows, &rows = played->tables.front().rows;
  EXPECT_EQ(alone[3].predicted_s, alone[0].predicted_s);
  EXPECT_NEAR(rows[0].predicted_s / alone[0].predicted_s, 1, 0.01);
  EXPECT_GT(rows[3].predicted_s, 1.01 * rows[0].predicted_s);
  EXPECT_EQ(rows[0].network, "wide");
  EXPECT_EQ(rows[3].network, "narrow");
  EXPECT_NE(accuracy_csv(*played).find(",flow,narrow,estimated\n"), std::string::npos);
  EXPECT_NE(accuracy_csv(*idle).find(",analytic,wide,assumed\n"), std::string::npos);
}

TEST(Accuracy, threads_change_nothing) {
  const auto one = predict(on_networks(), {.engine = Fidelity::flow, .threads = 1});
  const auto many = predict(on_networks(), {.engine = Fidelity::flow, .threads = 4});
  ASSERT_TRUE(one && many);
  EXPECT_EQ(accuracy_csv(*one), accuracy_csv(*many));
}

TEST(Accuracy, rows_that_do_not_count_are_left_out_of_the_summary) {
  PublishedTable table;
  table.rows = {{.name = "a", .note = {}, .published_s = 1, .predicted_s = 1.1},
                {.name = "b", .note = {}, .published_s = 1, .predicted_s = 0.8},
                {.name = "c", .note = {}, .published_s = 1, .predicted_s = 1.03},
                {.name = "d", .note = {}, .published_s = 1, .predicted_s = 3, .excluded = Exclusion::calibrated}};
  const ErrorSummary summary = summarise(std::span(&table, 1));
  EXPECT_EQ(summary.rows, 3U);
  EXPECT_NEAR(summary.median, 0.1, 1e-12);
  EXPECT_NEAR(summary.worst, 0.2, 1e-12);
  EXPECT_NEAR(summary.p90, 0.2, 1e-12);
  EXPECT_NEAR(summary.bias, (0.1 - 0.2 + 0.03) / 3, 1e-12);
  EXPECT_NEAR(summary.within_5, 1.0 / 3, 1e-12);
  EXPECT_NEAR(summary.within_12, 2.0 / 3, 1e-12);
}

TEST(Accuracy, nine_of_ten_rows_are_within_the_p90) {
  PublishedTable table;
  for (int i = 1; i <= 20; i++) table.rows.push_back({.name = {}, .note = {}, .published_s = 1, .predicted_s = 1 + i * 0.01});
  EXPECT_NEAR(summarise(std::span(&table, 1)).p90, 0.18, 1e-12);
}

TEST(Accuracy, dense_models_and_those_with_experts_are_told_apart) {
  const auto dense = predict(kTable);
  ASSERT_TRUE(dense);
  Comparison comparison = *dense;
  const std::string alone = report_text(comparison);
  EXPECT_EQ(alone.find("of dense models"), std::string::npos) << "there is one kind";
  comparison.tables.push_back(comparison.tables.front());
  for (PublishedRow& row : comparison.tables.back().rows) row.experts = true;
  const std::string both = report_text(comparison);
  EXPECT_NE(both.find("of dense models"), std::string::npos);
  EXPECT_NE(both.find("of models with experts"), std::string::npos);
}

TEST(Accuracy, mistakes_in_a_table_are_found) {
  EXPECT_EQ(first_code("title = "), "RY-PUB-001");
  EXPECT_EQ(first_code("title = \"no rows\"\nsource = \"x\"\nrole = \"validation\"\n"), "RY-PUB-002");
  const std::string table(kTable), role = "role = \"calibration\"";
  EXPECT_EQ(first_code(std::string(table).replace(table.find(role), role.size(), "role = \"check\"")), "RY-PUB-002");
  EXPECT_EQ(first_code(std::string(table).replace(table.find(role), role.size(), "")), "RY-PUB-002")
      << "no role is taken for granted";
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nstep_tiem_s = 1.0\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nnote = \"no measurement\"\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nstep_time_s = 1.0\nmodel.heads = 31\n"), "RY-SCN-026");
}

TEST(Accuracy, mistakes_about_networks_are_found) {
  EXPECT_EQ(first_code(kTable, Fidelity::flow), "RY-PUB-004");  // no row says on which
  EXPECT_EQ(first_code(std::string(kTable) + "[rows.four]\nstep_time_s = 1.0\nnetwork = \"wied\"\n"), "RY-PUB-004");
  const std::string narrow = "[narrow]\nstatus = \"assumed\"\nsource = \"x\"\n";
  EXPECT_EQ(first_code(kTable, Fidelity::analytic, "[wide]\nstatus = "), "RY-PUB-001");
  EXPECT_EQ(first_code(kTable, Fidelity::analytic, "[wide]\nstatus = \"assumed\"\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(kTable, Fidelity::analytic, narrow + "[narrow.model]\nlayers = 1\n"), "RY-PUB-002");
  EXPECT_EQ(first_code(kTable, Fidelity::analytic, narrow + "extends = \"wide\"\n"), "RY-PUB-004");
  EXPECT_EQ(first_code(kTable, Fidelity::analytic, narrow + "extends = \"narrow\"\n"), "RY-PUB-002");
}

}  // namespace
}  // namespace railyard
