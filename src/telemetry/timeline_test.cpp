#include "telemetry/timeline.h"

#include <gtest/gtest.h>

#include <numeric>

namespace railyard {
namespace {

double sum(const std::vector<double>& bins) { return std::accumulate(bins.begin(), bins.end(), 0.0); }

TEST(Timeline, SpreadsARateOverTheBinsItCovers) {
  Timeline line(1);
  const Picoseconds width = line.width();
  line.add(0, width / 2, width * 2, 1e12);  // one per picosecond
  ASSERT_EQ(line.used(), 2U);
  EXPECT_DOUBLE_EQ(line.row(0)[0], static_cast<double>(width.count()) / 2);
  EXPECT_DOUBLE_EQ(line.row(0)[1], static_cast<double>(width.count()));
}

TEST(Timeline, WidensWithoutLoss) {
  Timeline line(2);
  line.add(0, Picoseconds(0), Picoseconds(1'000'000), 5);
  line.add(1, Picoseconds(1'000'000'000'000), Picoseconds(2'000'000'000'000), 3);
  EXPECT_GE(line.width() * static_cast<std::int64_t>(Timeline::kBins), Picoseconds(2'000'000'000'000));
  EXPECT_LE(line.used(), Timeline::kBins);
  EXPECT_NEAR(sum(line.row(0)), 5e-6, 1e-15);
  EXPECT_NEAR(sum(line.row(1)), 3, 1e-12);
}

TEST(Timeline, WhatEndsLeavesNothingBehind) {
  Timeline line(1);
  const Picoseconds width = line.width();
  line.add(0, Picoseconds(0), width * 100, 3e15);
  line.add(0, Picoseconds(0), width * 50, 7e9);
  line.add(0, width * 200, width * 201, 1);
  for (std::size_t bin = 0; bin < 50; bin++) EXPECT_DOUBLE_EQ(line.row(0)[bin], (3e15 + 7e9) * seconds(width));
  for (std::size_t bin = 50; bin < 100; bin++) EXPECT_DOUBLE_EQ(line.row(0)[bin], 3e15 * seconds(width));
  for (std::size_t bin = 100; bin < 200; bin++) EXPECT_EQ(line.row(0)[bin], 0);
}

TEST(Timeline, NewRowsAreEmptyAndOldOnesStay) {
  Timeline line(1);
  line.add(0, Picoseconds(0), line.width() * 3, 5e12);
  const std::vector<double> before = line.row(0);
  line.grow(3);
  ASSERT_EQ(line.rows(), 3U);
  EXPECT_EQ(line.row(0), before);
  EXPECT_EQ(sum(line.row(2)), 0);
  line.add(2, Picoseconds(0), line.width(), 1e12);
  EXPECT_NEAR(sum(line.row(2)), 1e12 * seconds(line.width()), 1);
  EXPECT_EQ(line.row(0), before);
}

TEST(Timeline, AnEmptySpanAddsNothing) {
  Timeline line(1);
  line.add(0, Picoseconds(7), Picoseconds(7), 1e12);
  EXPECT_EQ(line.used(), 0U);
}

}  // namespace
}  // namespace railyard
