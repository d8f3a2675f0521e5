#include "tools/claims/expression.h"

#include <gtest/gtest.h>

#include <vector>

namespace railyard {
namespace {

const std::vector<NamedNumber> kNames = {{"a", 6}, {"b", 4}, {"step_s2", 0.5}};

double value(std::string_view text) {
  const auto got = evaluate(text, kNames);
  EXPECT_TRUE(got.has_value()) << text << ": " << got.error();
  return got.value_or(-999);
}

std::string mistake(std::string_view text) {
  const auto got = evaluate(text, kNames);
  return got ? "none" : got.error();
}

TEST(Expression, products_bind_tighter_than_sums_and_both_go_from_left_to_right) {
  EXPECT_DOUBLE_EQ(value("2 + 3 * 4"), 14);
  EXPECT_DOUBLE_EQ(value("10 - 3 - 2"), 5);
  EXPECT_DOUBLE_EQ(value("16 / 4 / 2"), 2);
  EXPECT_DOUBLE_EQ(value("(2 + 3) * 4"), 20);
}

TEST(Expression, powers_bind_tightest_and_to_the_right) {
  EXPECT_DOUBLE_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_DOUBLE_EQ(value("-2 ^ 2"), -4);
  EXPECT_DOUBLE_EQ(value("2 ^ -1"), 0.5);
  EXPECT_DOUBLE_EQ(value("(1 - 1 / 4) ^ 4"), 0.31640625);
}

TEST(Expression, names_numbers_and_functions) {
  EXPECT_DOUBLE_EQ(value("a / b * 100"), 150);
  EXPECT_DOUBLE_EQ(value("step_s2 * 1e3"), 500);
  EXPECT_DOUBLE_EQ(value("2.15e25 / 1e25"), 2.15);
  EXPECT_DOUBLE_EQ(value("max(a, b, 5) - min(a, b)"), 2);
  EXPECT_DOUBLE_EQ(value("sqrt(a * a) + ceil(0.2)"), 7);
  EXPECT_DOUBLE_EQ(value("- a + -(-b)"), -2);
}

TEST(Expression, mistakes_are_named) {
  EXPECT_EQ(mistake("a / c"), "there is no value named 'c'");
  EXPECT_EQ(mistake("(a + b"), "a parenthesis is not closed");
  EXPECT_EQ(mistake("a +"), "it ends too early");
  EXPECT_EQ(mistake(""), "it ends too early");
  EXPECT_EQ(mistake("a b"), "'b' is not expected here");
  EXPECT_EQ(mistake("a / (b - 4)"), "it is not a finite number");
  EXPECT_EQ(mistake("log(a)"), "there is no function log of 1");
  EXPECT_EQ(mistake("sqrt(a, b)"), "there is no function sqrt of 2");
  EXPECT_EQ(mistake(std::string(1000, '(')), "it is nested too deeply");
}

}  // namespace
}  // namespace railyard
