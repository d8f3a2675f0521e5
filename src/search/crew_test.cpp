// Processes of a crew find what one alone finds, measure nothing twice, and say so when they are not of one mind.
#include "search/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "base/temporary_folder.h"
#include "search/evolve.h"
#include "search/ladder.h"
#include "search/testing_team.h"

namespace railyard {
namespace {

constexpr int kMembers = 3;

/// A bowl over three axes, whose points are counted.
struct CountedBowl {
  std::atomic<int> measured{0};
  Problem problem;

  CountedBowl() {
    std::vector<Axis> axes;
    for (const char* const name : {"x", "y", "z"}) axes.push_back(*read_axis(std::string(name) + "=0..5"));
    problem.space = Space(std::move(axes));
    problem.measures = {{"depth", "", true}};
    problem.glance = [this](PointId point) { return Glance{{}, depth(point) / 2}; };
    for (const char* const name : {"rough", "careful"})
      problem.levels.push_back({.name = name, .evaluate = [this](PointId point) {
                                  measured++;
                                  if (point % 11 == 3) return Outcome{"eleven\nthree", {}};
                                  return Outcome{{}, {depth(point)}};
                                }});
  }

  [[nodiscard]] double depth(PointId point) const {
    const std::vector<std::uint32_t> at = problem.space.choices(point);
    return 1 + std::pow(at[0] - 4.25, 2) / 3 + std::pow(at[1] - 2.5, 2) / 7 + std::pow(at[2] - 5.125, 2);
  }
};

std::string text_of(const SearchResult& found) {
  std::string out;
  for (const TriedPoint& tried : found.ranked)
    out += std::to_string(tried.point) + ":" + outcome_text(tried.by_level.back()) + " ";
  for (const auto& axis : found.effects)
    for (const AxisEffect& effect : axis) out += outcome_text(effect.outcome) + ";";
  for (const LevelCount& level : found.levels) out += std::to_string(level.tried) + "/" + std::to_string(level.refused) + " ";
  return out;
}

/// Each member on a thread of its own.
template<class Do>
void in_team(int size, Do member_does) {
  Boxes boxes;
  std::vector<Member> members = team_of(size, boxes);
  std::vector<std::thread> threads;
  for (Member& member : members) threads.emplace_back([&member, &member_does] { member_does(member.link); });
  for (std::thread& thread : threads) thread.join();
}

using Find = std::function<SearchResult(const CountedBowl&, const Crew&, Journal&, Progress&)>;

SearchResult ladder_of(const CountedBowl& bowl, const Crew& crew, Journal& journal, Progress& progress) {
  return search_ladder(bowl.problem, {.crew = crew, .baseline = 0}, journal, progress);
}

SearchResult evolution_of(const CountedBowl& bowl, const Crew& crew, Journal& journal, Progress& progress) {
  return search_evolve(bowl.problem, {.crew = crew, .generation = 12}, journal, progress);
}

TEST(Crew, every_process_finds_what_one_alone_finds_and_nothing_is_measured_twice) {
  for (const Find& find : {Find(ladder_of), Find(evolution_of)}) {
    CountedBowl alone;
    Journal unkept;
    Progress progress;
    const std::string expected = text_of(find(alone, 1, unkept, progress));
    CountedBowl shared;
    std::vector<std::string> found(kMembers);
    std::uint64_t done = 0, total = 1;
    in_team(kMembers, [&](const RailyardTeamLink& link) {
      Journal journal;
      Progress own;
      found[static_cast<std::size_t>(link.rank)] = text_of(find(shared, Crew(link, 2), journal, own));
      if (link.rank == 0) done = own.done(), total = own.total();
    });
    for (const std::string& one : found) EXPECT_EQ(one, expected);
    EXPECT_EQ(shared.measured, alone.measured);
    EXPECT_LE(done, total);
  }
}

TEST(Crew, a_journal_is_that_of_one_process_and_is_gone_on_with) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "journal";
  CountedBowl alone;
  std::string expected;
  {
    Journal journal;
    Progress progress;
    ASSERT_TRUE(open_journal(1, journal, file, "bowl", 1).empty());
    expected = text_of(ladder_of(alone, 1, journal, progress));
  }
  CountedBowl shared;
  in_team(2, [&](const RailyardTeamLink& link) {
    const Crew crew(link, 1);
    Journal journal;
    Progress progress;
    EXPECT_TRUE(open_journal(crew, journal, file, "bowl", 1).empty());
    EXPECT_EQ(text_of(ladder_of(shared, crew, journal, progress)), expected);
    EXPECT_TRUE(crew.agree("the end", {}).empty());
  });
  EXPECT_EQ(shared.measured, 0);
}

TEST(Crew, who_asks_something_else_or_cannot_go_on_is_heard_by_all) {
  const Diagnostics wrong{{Severity::error, "RY-SCN-001", "cannot read this file", {}, {}}};
  for (const bool is_other_question : {true, false}) {
    std::vector<Diagnostics> said(kMembers);
    in_team(kMembers, [&](const RailyardTeamLink& link) {
      const bool is_odd = link.rank == 2;
      said[static_cast<std::size_t>(link.rank)] =
          Crew(link, 1).agree(is_odd && is_other_question ? "b" : "a", is_odd && !is_other_question ? wrong : Diagnostics{});
    });
    for (const Diagnostics& one : said) EXPECT_FALSE(one.empty());
    EXPECT_EQ(said[0].front().code, "RY-SEA-005");
    EXPECT_NE(said[0].front().message.find("process 2"), std::string::npos);
  }
}

TEST(Crew, who_goes_another_way_is_found_out) {
  std::atomic<int> broken{0};
  in_team(2, [&](const RailyardTeamLink& link) {
    Journal journal;
    Progress progress;
    const std::vector<SearchTrial> trials(link.rank == 0 ? 4 : 5);
    try {
      (void)measure_trials(
          Crew(link, 1), journal, trials,
          [](std::size_t, Progress&) {
            return Outcome{{}, {1}};
          },
          progress);
    } catch (const TeamBroken&) {
      broken++;
      if (link.rank == 0) send_to_others(link, TeamWord::end, {});  // as mpirun ends them
    }
  });
  EXPECT_GT(broken, 0);  // the first, or the other where the first was done before it heard of it
}

TEST(Crew, outcomes_are_the_same_after_they_were_sent) {
  for (const Outcome& one :
       {Outcome{{}, {0.1, -3, 1e300, INFINITY}}, Outcome{"why not", {}}, Outcome{"with values", {1.5, 2}}}) {
    EXPECT_EQ(*read_outcome(outcome_text(one)), one);
  }
  EXPECT_EQ(outcome_text({"two\nlines", {}}), "! two lines");
  EXPECT_FALSE(read_outcome("0x1p+0 nonsense"));
}

}  // namespace
}  // namespace railyard
