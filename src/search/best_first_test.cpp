#include "search/best_first.h"

#include <gtest/gtest.h>

#include <set>

#include "search/front.h"

namespace railyard {
namespace {

TEST(Front, of_two_that_are_the_same_the_first_covers_the_other) {
  EXPECT_TRUE(covers({1, 2}, 7, {1, 3}, 3));
  EXPECT_TRUE(covers({1, 2}, 3, {1, 2}, 7));
  EXPECT_FALSE(covers({1, 2}, 7, {1, 2}, 3));
  EXPECT_FALSE(covers({1, 3}, 1, {2, 2}, 2));
}

/// Numbers that are known only from half of them on, until somebody looks.
class Hidden {
 public:
  Prospect prospect_of(PointId point) const {
    const bool is_seen = seen.contains(point);
    return {{is_seen ? values[point] : values[point] / 2}, is_seen, is_seen && point == refused};
  }
  std::optional<PointId> best(std::size_t at_once) {
    return best_first(
        {0, 1, 2, 3, 4}, at_once, [&](PointId point) { return prospect_of(point); },
        [&](const std::vector<PointId>& points) { seen.insert(points.begin(), points.end()); });
  }

  const std::vector<double> values = {9, 4, 20, 4, 5};
  PointId refused = 99;
  std::set<PointId> seen = {};
};

TEST(BestFirst, looks_at_no_more_than_it_takes_to_know) {
  Hidden hidden;
  EXPECT_EQ(hidden.best(1), 1U) << "of two that are as good the first";
  EXPECT_EQ(hidden.seen, (std::set<PointId>{1, 3, 4})) << "9 is 4.5 at least";
}

TEST(BestFirst, goes_on_where_the_best_is_refused) {
  Hidden hidden;
  hidden.refused = 1;
  EXPECT_EQ(hidden.best(1), 3U);
  for (const std::size_t at_once : {2U, 3U, 5U}) {
    Hidden again;
    again.refused = 1;
    EXPECT_EQ(again.best(at_once), 3U) << at_once;
  }
}

TEST(BestFirst, finds_nothing_where_all_are_refused) {
  EXPECT_FALSE(best_first({}, 1, nullptr, nullptr));
  EXPECT_FALSE(best_first(
      {1, 2}, 1,
      [](PointId) {
        return Prospect{{1}, true, true};
      },
      nullptr));
}

}  // namespace
}  // namespace railyard
