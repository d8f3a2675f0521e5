#include "tools/claims/select.h"

#include <gtest/gtest.h>

#include "base/toml.h"

namespace railyard {
namespace {

const Document& results() {
  static const Document document = *parse_toml(R"(
step_time_s = 6.5
[mfu]
causal = 0.41
[[traffic]]
group = "data"
phase = "backward"
ranks = 128
sent = 10
[[traffic]]
group = "data"
phase = "forward"
ranks = 128
sent = 20
[[traffic]]
group = "pipeline"
phase = "forward"
ranks = 16
sent = 5
[[tiers]]
tier = "host to leaf"
load = [0.1, 0.9, 0.5, 0.2]
)",
                                               "results", "RY-CLM-001");
  return document;
}

double number(std::string_view path, Fold fold = Fold::one) {
  const auto got = select_number(results(), path, fold);
  EXPECT_TRUE(got.has_value()) << path << ": " << got.error();
  return got.value_or(-999);
}

std::string selection_mistake(std::string_view path, Fold fold = Fold::one) {
  const auto got = select_number(results(), path, fold);
  return got ? "none" : got.error();
}

TEST(SelectNumber, follows_members_and_items) {
  EXPECT_DOUBLE_EQ(number("step_time_s"), 6.5);
  EXPECT_DOUBLE_EQ(number("mfu.causal"), 0.41);
  EXPECT_DOUBLE_EQ(number("traffic[2].sent"), 5);
}

TEST(SelectNumber, chooses_items_by_what_their_members_say) {
  EXPECT_DOUBLE_EQ(number("traffic[group=pipeline].sent"), 5);
  EXPECT_DOUBLE_EQ(number("traffic[group=data, phase=forward].sent"), 20);
  EXPECT_DOUBLE_EQ(number("traffic[ranks=16].sent"), 5);
  EXPECT_DOUBLE_EQ(number("tiers[tier=host to leaf].load[1]"), 0.9);
}

TEST(SelectNumber, folds_several) {
  EXPECT_DOUBLE_EQ(number("traffic[group=data].sent", Fold::sum), 30);
  EXPECT_DOUBLE_EQ(number("traffic[*].sent", Fold::sum), 35);
  EXPECT_DOUBLE_EQ(number("traffic[*].sent", Fold::max), 20);
  EXPECT_DOUBLE_EQ(number("traffic[*].sent", Fold::min), 5);
  EXPECT_DOUBLE_EQ(number("traffic[group=data].sent", Fold::mean), 15);
  EXPECT_DOUBLE_EQ(number("traffic[phase=forward]", Fold::count), 2);
  EXPECT_DOUBLE_EQ(number("traffic[phase=optimizer]", Fold::count), 0);
  EXPECT_DOUBLE_EQ(number("tiers[0].load[*]", Fold::where_max), 0.25);
}

TEST(SelectNumber, a_path_that_leads_nowhere_or_astray_is_a_mistake) {
  EXPECT_EQ(selection_mistake("mfu.casual"), "the results have no mfu.casual");
  EXPECT_EQ(selection_mistake("traffic[group=tensor].sent", Fold::sum), "the results have no traffic[group=tensor].sent");
  EXPECT_EQ(selection_mistake("traffic[7].sent"), "the results have no traffic[7].sent");
  EXPECT_EQ(selection_mistake("traffic[group].sent"), "the results have no traffic[group].sent");
  EXPECT_EQ(selection_mistake("traffic[0"), "the results have no traffic[0");
  EXPECT_EQ(selection_mistake("traffic[*].sent"), "traffic[*].sent leads to 3 values; say how to fold them");
  EXPECT_EQ(selection_mistake("traffic[0].group"), "traffic[0].group leads to text, not to a number");
}

}  // namespace
}  // namespace railyard
