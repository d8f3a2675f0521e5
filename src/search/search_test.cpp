#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>

#include "base/program.h"
#include "base/temporary_folder.h"
#include "search/evolve.h"
#include "search/front.h"
#include "search/ladder.h"

namespace railyard {
namespace {

Axis numbers(const std::string& name, int count) {
  Axis axis{name, {}};
  for (int i = 0; i < count; i++) axis.values.push_back({std::to_string(i), {name + "=" + std::to_string(i)}});
  return axis;
}

/// A bowl with a dent: cheap values bound dear ones from below, and rank them differently.
class Bowl {
 public:
  explicit Bowl(int values) {
    problem.space = Space({numbers("x", values), numbers("y", values)});
    problem.measures = {{"height", "m", true}};
    problem.glance = [this](PointId p) {
      const std::vector<std::uint32_t> at = problem.space.choices(p);
      if ((at[0] + at[1]) % 5 == 0) return Glance{"it is a fifth", 0};
      return Glance{{}, 10.0};
    };
    problem.levels = {{.name = "cheap", .evaluate = [this](PointId p) { return cheap(p); }, .slack = 0, .batch = 8},
                      {.name = "dear", .evaluate = [this](PointId p) { return dear(p); }, .slack = 0, .batch = 2}};
  }

  Outcome cheap(PointId p) {
    const std::vector<std::uint32_t> at = problem.space.choices(p);
    if (at[0] == 3) return {"three is not allowed", {}};
    return {{}, {10 + std::pow(at[0] - 7.0, 2) + std::pow(at[1] - 4.0, 2)}};
  }
  Outcome dear(PointId p) {
    count++;
    const std::vector<std::uint32_t> at = problem.space.choices(p);
    if (at[0] == 3) return {"three is not allowed", {}};
    return {{}, {cheap(p).values.front() + (at[0] == 7 ? 5.0 : 0.0)}};
  }

  Problem problem;
  std::atomic<int> count{0};
};

SearchResult search(Bowl& bowl, const LadderOptions& options, Journal& journal) {
  Progress progress;
  return search_ladder(bowl.problem, options, journal, progress);
}

TEST(Axis, lists_and_ranges_have_their_values) {
  const auto texts = [](const std::string& text) {
    std::vector<std::string> out;
    const Result<Axis> axis = read_axis(text);
    if (axis)
      for (const AxisValue& value : axis->values) out.push_back(value.set.front());
    return out;
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(texts("a.b=1, 2,4"), (List{"a.b=1", "a.b=2", "a.b=4"}));
  EXPECT_EQ(texts("a=1..3"), (List{"a=1", "a=2", "a=3"}));
  EXPECT_EQ(texts("a=4..16+4"), (List{"a=4", "a=8", "a=12", "a=16"}));
  EXPECT_EQ(texts("a=1..8*2"), (List{"a=1", "a=2", "a=4", "a=8"}));
  EXPECT_EQ(texts("k=100 KiB..400 KiB*2"), (List{"k=100 KiB", "k=200 KiB", "k=400 KiB"}));
  EXPECT_EQ(texts("k=100..400 KiB*2"), (List{"k=100 KiB", "k=200 KiB", "k=400 KiB"}));
  EXPECT_EQ(texts("o=[1, 2],[2, 1]"), (List{"o=[1, 2]", "o=[2, 1]"}));
  EXPECT_EQ(texts("p=0.1..0.3+0.1"), (List{"p=0.1", "p=0.2", "p=0.3"}));
}

TEST(Axis, what_is_none_is_refused_with_what_to_write) {
  for (const char* const text : {"tensor", "=1,2", "a=", "a=1,,2", "a=8..1", "a=0..8*2", "a=1..8*1", "a=1..8+0", "a=x..y",
                                 "a=1 KB..8 MB*2", "a=1..100000"}) {
    const Result<Axis> axis = read_axis(text);
    ASSERT_FALSE(axis) << text;
    EXPECT_EQ(axis.error().front().code, "RY-SEA-001") << text;
    EXPECT_FALSE(axis.error().front().hint.empty());
  }
}

TEST(Axis, of_a_key_is_given_once) {
  const Result<std::vector<Axis>> two = read_axes({"a=1,2", "b=3"}), same = read_axes({"a=1,2", "a=3"});
  ASSERT_TRUE(two);
  EXPECT_EQ(all_sets(*two), (std::vector<std::string>{"a=1", "a=2", "b=3"}));
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().front().code, "RY-SEA-001");
}

TEST(Space, points_are_numbers_and_back) {
  Axis late = numbers("z", 3);
  late.is_late = true;
  const Space space({numbers("x", 4), late, numbers("y", 5)});
  EXPECT_EQ(space.size(), 60U);
  EXPECT_EQ(space.early_size(), 20U);
  for (PointId p = 0; p < space.size(); p++) EXPECT_EQ(space.point(space.choices(p)), p);
  for (std::uint64_t i = 0; i < space.early_size(); i++) EXPECT_EQ(space.choices(space.early(i))[1], 0U);
  EXPECT_EQ(space.neighbours(7).size(), 3U + 2U + 4U);
  EXPECT_EQ(space.overrides(space.point(std::vector<std::uint32_t>{1, 2, 3})), (std::vector<std::string>{"x=1", "z=2", "y=3"}));
}

TEST(Ladder, finds_what_trying_everything_finds_with_a_fraction_of_the_work) {
  Bowl pruned(20), all(20);
  Journal a, b;
  const SearchResult found = search(pruned, {.crew = 1, .keep = 3, .most_moves = 0}, a);
  const SearchResult proof = search(all, {.crew = 1, .keep = 3, .is_exhaustive = true, .most_moves = 0}, b);
  ASSERT_GE(found.ranked.size(), 3U);
  for (std::size_t i = 0; i < 3; i++) {
    EXPECT_EQ(found.ranked[i].point, proof.ranked[i].point);
    EXPECT_EQ(found.ranked[i].by_level.back(), proof.ranked[i].by_level.back());
  }
  EXPECT_EQ(pruned.problem.space.choices(found.ranked.front().point)[1], 4U);
  EXPECT_NE(pruned.problem.space.choices(found.ranked.front().point)[0], 7U) << "the dent is no longer the best with care";
  EXPECT_GT(all.count, 8 * pruned.count);
  EXPECT_EQ(found.below_bound, 0);
}

TEST(Ladder, says_how_far_a_level_was_below_its_bound) {
  Bowl bowl(12);
  bowl.problem.levels[1].evaluate = [&](PointId p) {
    Outcome out = bowl.cheap(p);
    if (out.refused.empty()) out.values.front() *= 0.9;
    return out;
  };
  Journal journal;
  EXPECT_NEAR(search(bowl, {.crew = 1}, journal).below_bound, 0.1, 1e-9);
}

TEST(Ladder, does_not_depend_on_threads) {
  Bowl one(20), many(20);
  Journal a, b;
  const SearchResult x = search(one, {.crew = 1, .baseline = 21}, a), y = search(many, {.crew = 4, .baseline = 21}, b);
  ASSERT_EQ(x.ranked.size(), y.ranked.size());
  for (std::size_t i = 0; i < x.ranked.size(); i++) {
    EXPECT_EQ(x.ranked[i].point, y.ranked[i].point);
    EXPECT_EQ(x.ranked[i].by_level, y.ranked[i].by_level);
  }
  EXPECT_EQ(x.baseline_rank, y.baseline_rank);
  EXPECT_EQ(one.count, many.count);
}

TEST(Ladder, moves_to_neighbours_that_only_care_shows) {
  Bowl bowl(20);
  // Care finds a hole beside the best that closed forms hold for a hill.
  bowl.problem.levels[1].evaluate = [&](PointId p) {
    const std::vector<std::uint32_t> at = bowl.problem.space.choices(p);
    Outcome out = bowl.cheap(p);
    if (out.refused.empty() && at[0] == 8 && at[1] == 4) out.values.front() = 0.5;
    return out;
  };
  Journal journal;
  const SearchResult found = search(bowl, {.crew = 1, .keep = 1}, journal);
  EXPECT_EQ(bowl.problem.space.choices(found.ranked.front().point), (std::vector<std::uint32_t>{8, 4}));
}

TEST(Ladder, counts_why_points_cannot_be_and_what_each_axis_does) {
  Bowl bowl(10);
  Journal journal;
  const SearchResult found = search(bowl, {.crew = 1, .baseline = 1}, journal);
  ASSERT_EQ(found.impossible.size(), 1U);
  EXPECT_EQ(found.impossible.front(), (std::pair<std::string, std::uint64_t>{"it is a fifth", 20}));
  ASSERT_EQ(found.effects.size(), 2U);
  EXPECT_EQ(found.effects[0].size(), 10U);
  EXPECT_EQ(found.effects[0][3].outcome.refused, "three is not allowed");
  ASSERT_TRUE(found.baseline_rank);
  // (0, 1) is 10 + 49 + 9 high. How many lie lower is counted here by trying all.
  std::uint64_t better = 0;
  for (PointId p = 0; p < 100; p++) {
    const Outcome out = bowl.cheap(p);
    if (bowl.problem.glance(p).refused.empty() && out.refused.empty() && out.values.front() < 68) better++;
  }
  EXPECT_EQ(*found.baseline_rank, better + 1);
}

/// A space of a hundred million points with one best, that axes lead to one by one.
class Valley {
 public:
  Valley() {
    std::vector<Axis> axes;
    for (int i = 0; i < 8; i++) axes.push_back(numbers("a" + std::to_string(i), 10));
    problem.space = Space(axes);
    problem.measures = {{"height", "", true}};
    problem.glance = [](PointId point) { return point % 11 == 3 ? Glance{"it is odd", 0} : Glance{}; };
    problem.levels = {{.name = "height", .evaluate = [this](PointId point) { return height(point); }}};
  }
  Outcome height(PointId point) {
    count++;
    double height = 1;
    const std::vector<std::uint32_t> at = problem.space.choices(point);
    for (std::size_t i = 0; i < at.size(); i++) height += std::abs(at[i] - (i % 2 == 0 ? 7.0 : 2.0));
    return Outcome{{}, {height}};
  }

  Problem problem;
  std::atomic<int> count{0};
};

TEST(Evolve, comes_near_the_best_of_many_and_does_not_depend_on_threads) {
  Valley one, two;
  Journal x, y;
  Progress progress;
  const EvolveOptions options{.crew = 1, .most_generations = 60, .patience = 10, .most_moves = 20};
  EvolveOptions threads = options;
  threads.crew = 4;
  const SearchResult found = search_evolve(one.problem, options, x, progress),
                     same = search_evolve(two.problem, threads, y, progress);
  EXPECT_EQ(found.ranked.front().by_level.back().values.front(), 1);
  EXPECT_LT(one.count, 3000) << "of a hundred million";
  EXPECT_EQ(one.count, two.count);
  ASSERT_EQ(found.ranked.size(), same.ranked.size());
  for (std::size_t i = 0; i < found.ranked.size(); i++) EXPECT_EQ(found.ranked[i].point, same.ranked[i].point);
}

TEST(Front, has_what_nothing_beats) {
  const std::vector<Measure> measures{{"time", "s", true}, {"rate", "", false}};
  EXPECT_EQ(pareto_front(measures, {{1, 1}, {2, 3}, {3, 2}, {1, 1}, {0.5, 0.5}, {2, 3.5}}),
            (std::vector<bool>{true, false, false, false, true, true}));
  EXPECT_TRUE(pareto_front(measures, {}).empty());
}

TEST(Evolve, takes_back_what_gains_nothing) {
  Valley valley;
  // Only the first three axes matter.
  valley.problem.levels.front().evaluate = [&](PointId point) {
    const std::vector<std::uint32_t> at = valley.problem.space.choices(point);
    return Outcome{{}, {1 + std::abs(at[0] - 7.0) + std::abs(at[1] - 2.0) + std::abs(at[2] - 7.0) + 1e-5 * at[5]}};
  };
  valley.problem.glance = [](PointId) { return Glance{}; };
  Journal journal;
  Progress progress;
  const SearchResult found = search_evolve(valley.problem, {.crew = 1, .most_moves = 20}, journal, progress);
  EXPECT_EQ(valley.problem.space.choices(found.ranked.front().point), (std::vector<std::uint32_t>{7, 2, 7, 0, 0, 0, 0, 0}));
}

TEST(Journal, goes_on_where_a_search_was_cut_off) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "journal";
  Bowl whole(20);
  SearchResult first;
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path, "bowl").empty());
    first = search(whole, {.crew = 2}, journal);
  }
  // A kill leaves the beginning of a line.
  std::string text;
  {
    std::ifstream in(path);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::ofstream(path, std::ios::trunc) << text.substr(0, text.size() - 100);
  Bowl rest(20);
  SearchResult second;
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path, "bowl").empty());
    second = search(rest, {.crew = 1}, journal);
    EXPECT_GT(journal.found(), 0U);
    Journal other;
    EXPECT_EQ(other.open(path, "bowl").front().code, "RY-SEA-003") << "two cannot write one";
  }
  EXPECT_LT(rest.count, whole.count);
  ASSERT_EQ(first.ranked.size(), second.ranked.size());
  for (std::size_t i = 0; i < first.ranked.size(); i++) {
    EXPECT_EQ(first.ranked[i].point, second.ranked[i].point);
    EXPECT_EQ(first.ranked[i].by_level, second.ranked[i].by_level);
  }
  Bowl again(20);
  Journal full;
  ASSERT_TRUE(full.open(path, "bowl").empty());
  search(again, {.crew = 1}, full);
  EXPECT_EQ(again.count, 0) << "nothing is measured twice";
}

TEST(Journal, refuses_outcomes_with_other_values) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "journal";
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path, "bowl").empty());
  }
  std::ofstream(path, std::ios::app) << "0 7 0x1p0\n0 8 ! why not\n";
  {
    Journal one;
    EXPECT_TRUE(one.open(path, "bowl", 1).empty());
    EXPECT_EQ(one.found(), 2U);
  }
  Journal two;
  const Diagnostics refused = two.open(path, "bowl", 2);
  ASSERT_FALSE(refused.empty());
  EXPECT_EQ(refused.front().code, "RY-SEA-002");
}

TEST(Journal, refuses_what_another_program_wrote) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "journal";
  {
    Journal journal;
    ASSERT_TRUE(journal.open(path, "bowl").empty());
    journal.add(0, 7, {{}, {1}});
  }
  const auto text_of = [&] {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string whole = text_of(), own = "railyard-search/1 bowl " + program_name() + "\n";
  ASSERT_TRUE(whole.starts_with(own)) << whole;
  for (const auto& [head, who] : {std::pair{"railyard-search/1 bowl 0.0.9 abc\n", "railyard 0.0.9 abc"},
                                  {"railyard-search/1 bowl\n", "did not say which"}}) {
    std::ofstream(path, std::ios::trunc) << head << whole.substr(own.size());
    const std::string before = text_of();
    Journal journal;
    const Diagnostics refused = journal.open(path, "bowl");
    ASSERT_FALSE(refused.empty()) << head;
    EXPECT_EQ(refused.front().code, "RY-SEA-004");
    EXPECT_NE(refused.front().message.find(who), std::string::npos) << refused.front().message;
    EXPECT_NE(refused.front().message.find(program_name()), std::string::npos) << refused.front().message;
    EXPECT_EQ(text_of(), before) << "nothing is destroyed";
  }
}

TEST(Journal, refuses_what_is_not_its_own) {
  const TemporaryFolder folder;
  const std::filesystem::path other = folder.path() / "other", notes = folder.path() / "notes";
  {
    Journal journal;
    ASSERT_TRUE(journal.open(other, "one question").empty());
  }
  Journal journal;
  EXPECT_EQ(journal.open(other, "another").front().code, "RY-SEA-002");
  std::ofstream(notes) << "dear diary\n";
  EXPECT_EQ(journal.open(notes, "one question").front().code, "RY-SEA-002");
  std::ofstream(notes, std::ios::trunc) << "no line at all";
  EXPECT_EQ(journal.open(notes, "one question").front().code, "RY-SEA-002");
  std::ifstream in(notes);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "no line at all") << "nothing is destroyed";
  EXPECT_EQ(journal.open(folder.path() / "missing" / "journal", "one question").front().code, "RY-SEA-003");
}

TEST(Evolve, points_that_do_the_same_are_one_finalist) {
  // The second axis is of no matter: only x counts.
  Problem problem;
  problem.space = Space({numbers("x", 6), numbers("idle", 9)});
  problem.measures = {{"height", "m", true}};
  problem.glance = [](PointId) { return Glance{}; };
  std::atomic<int> finalists{0};
  const auto height = [&problem](PointId p) { return Outcome{{}, {std::abs(problem.space.choices(p)[0] - 4.2) + 1}}; };
  problem.levels = {{.name = "quick", .evaluate = height}, {.name = "slow", .evaluate = [&](PointId p) {
                                                              const std::vector<std::uint32_t> at = problem.space.choices(p);
                                                              if (at[1] == 0) finalists++;
                                                              return height(p);
                                                            }}};
  Journal journal;
  Progress progress;
  const SearchResult found =
      search_evolve(problem, {.crew = 1, .generation = 20, .finalists = 6, .most_moves = 0}, journal, progress);
  EXPECT_EQ(problem.space.choices(found.ranked.front().point), (std::vector<std::uint32_t>{4, 0}));
  EXPECT_EQ(found.levels.back().tried, 6U);
  EXPECT_EQ(finalists, 6) << "each x once, with nothing changed that is of no matter";
}

}  // namespace
}  // namespace railyard
