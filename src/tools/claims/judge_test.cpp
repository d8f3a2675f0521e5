#include "tools/claims/judge.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

Claim claim(std::optional<double> low, std::optional<double> high, Hedge hedge = Hedge::plain, std::string unit = "%") {
  Claim made;
  made.low = low;
  made.high = high;
  made.hedge = hedge;
  made.unit = std::move(unit);
  made.test = ClaimTest::formula;
  return made;
}

TEST(Judge, inside_the_range_or_within_5_percent_of_it_is_reproduced) {
  EXPECT_EQ(judge(claim(40, 50), 45), Verdict::reproduced);
  EXPECT_EQ(judge(claim(40, 50), 38.1), Verdict::reproduced);
  EXPECT_EQ(judge(claim(40, 50), 52.4), Verdict::reproduced);
}

TEST(Judge, within_20_percent_is_plausible_and_beyond_it_contradicted) {
  EXPECT_EQ(judge(claim(40, 50), 37.9), Verdict::plausible);
  EXPECT_EQ(judge(claim(40, 50), 32.1), Verdict::plausible);
  EXPECT_EQ(judge(claim(40, 50), 31.9), Verdict::contradicted);
  EXPECT_EQ(judge(claim(40, 50), 60.1), Verdict::contradicted);
}

TEST(Judge, a_single_value_that_the_document_hedges_may_be_off_by_two_and_a_range_may_not) {
  for (const Hedge hedge : {Hedge::about, Hedge::up_to}) {
    EXPECT_EQ(judge(claim(40, 40, hedge), 20), Verdict::plausible);
    EXPECT_EQ(judge(claim(40, 40, hedge), 80), Verdict::plausible);
    EXPECT_EQ(judge(claim(40, 40, hedge), 80.1), Verdict::contradicted);
    EXPECT_EQ(judge(claim(40, 50, hedge), 31), Verdict::contradicted);
  }
  EXPECT_EQ(judge(claim(40, 40, Hedge::about), 19.9), Verdict::contradicted);
  EXPECT_EQ(judge(claim(40, 40, Hedge::up_to), 1), Verdict::plausible);  // less than a bound does not break it
  EXPECT_EQ(judge(claim(40, 40, Hedge::plain), 20), Verdict::contradicted);
}

TEST(Judge, one_end_is_a_bound) {
  EXPECT_EQ(judge(claim(3, {}), 300), Verdict::reproduced);
  EXPECT_EQ(judge(claim(3, {}), 2.5), Verdict::plausible);
  EXPECT_EQ(judge(claim({}, 5), 0.1), Verdict::reproduced);
  EXPECT_EQ(judge(claim({}, 5), 7), Verdict::contradicted);
}

TEST(Judge, exact_leaves_no_slack) {
  EXPECT_EQ(judge(claim(2023, 2023, Hedge::exact, "year"), 2025), Verdict::contradicted);
  EXPECT_EQ(judge(claim(2010, 2010, Hedge::exact, "year"), 2010), Verdict::reproduced);
  EXPECT_EQ(judge(claim(1, {}, Hedge::exact, "×"), 0.999), Verdict::contradicted);
  EXPECT_EQ(judge(claim(1, {}, Hedge::exact, "×"), 1.001), Verdict::reproduced);
}

TEST(Judge, what_holds_with_its_condition_alone_is_conditional) {
  const Claim twice = claim(2, {}, Hedge::exact, "×");
  EXPECT_EQ(judge(twice, 3, 1.1), Verdict::conditional);
  EXPECT_EQ(judge(twice, 3, 2.5), Verdict::reproduced);  // it needs no condition
  EXPECT_EQ(judge(twice, 1.5, 3), Verdict::contradicted);
  EXPECT_EQ(judge(twice, 1.5, 1.1), Verdict::contradicted);
  EXPECT_EQ(judge(claim(40, 50), 45, 33), Verdict::plausible);  // the worse of both
  Claim refuted = twice;
  refuted.primary = PrimarySource{.verdict = "wrong", .value = "1", .source = "a book"};
  EXPECT_EQ(judge(refuted, 3, 1.1), Verdict::contradicted);
}

TEST(Judge, what_was_found_names_both_and_the_claim_its_condition) {
  Claim twice = claim(2, {}, Hedge::exact, "×");
  twice.claim = "It is twice as long";
  twice.only_when = "where it rains";
  twice.why = "{found} and {otherwise}.";
  const Finding conditional{.found = 3, .otherwise = 1.1, .values = {}, .verdict = Verdict::conditional};
  EXPECT_EQ(finding_text(twice, conditional), "3, else 1.1 ×");
  EXPECT_EQ(claim_text(twice, conditional), "It is twice as long; only where it rains");
  EXPECT_EQ(why_text(twice, conditional), "3 × and 1.1 ×.");
  const Finding reproduced{.found = 3, .otherwise = 2.5, .values = {}, .verdict = Verdict::reproduced};
  EXPECT_EQ(claim_text(twice, reproduced), "It is twice as long");
  EXPECT_EQ(finding_text(twice, {}), "–");
}

TEST(Judge, next_to_nothing_has_no_digits) {
  EXPECT_EQ(found_text(claim(1, {}), 0.000869), "< 0.01 %");
  EXPECT_EQ(found_text(claim(1, {}), -0.000869), "> -0.01 %");
  EXPECT_EQ(found_text(claim(1, {}), 0.0869), "0.0869 %");
  EXPECT_EQ(found_text(claim(1, {}), 0), "0 %");
}

TEST(Judge, zero_has_no_neighbourhood) {
  EXPECT_EQ(judge(claim(0, 0), 0), Verdict::reproduced);
  EXPECT_EQ(judge(claim(0, 0), 1e-9), Verdict::contradicted);
}

TEST(Judge, a_claim_may_have_its_own_width_which_replaces_every_other) {
  Claim narrow = claim(40, 40, Hedge::about);
  narrow.within = 0.1;
  EXPECT_EQ(judge(narrow, 36.5), Verdict::plausible);
  EXPECT_EQ(judge(narrow, 35), Verdict::contradicted);
}

TEST(Judge, a_primary_source_that_refutes_decides_alone) {
  Claim refuted = claim(45, 50);
  refuted.primary = PrimarySource{"wrong", "38 to 43 %", "the paper"};
  EXPECT_EQ(judge(refuted, 47), Verdict::contradicted);
  refuted.primary->verdict = "imprecise";
  EXPECT_EQ(judge(refuted, 47), Verdict::reproduced);
  refuted.primary->verdict = "contradicted";
  refuted.test = ClaimTest::none;
  EXPECT_EQ(judge(refuted, {}), Verdict::contradicted);
}

TEST(Judge, without_a_test_there_is_no_verdict) {
  Claim untested = claim({}, {});
  untested.test = ClaimTest::none;
  EXPECT_EQ(judge(untested, {}), Verdict::not_testable);
}

TEST(Judge, values_move_by_a_digit_that_is_recorded_or_not_at_all) {
  EXPECT_FALSE(has_moved(100.0001, 100));
  EXPECT_TRUE(has_moved(100.001, 100));
  EXPECT_TRUE(has_moved(172509, 172506));
  EXPECT_TRUE(has_moved(0.1, 0));
  EXPECT_FALSE(has_moved(0, 0));
  EXPECT_TRUE(has_moved(-1, 1));
}

TEST(Judge, numbers_read_well) {
  EXPECT_EQ(figure(41.3567), "41.4");
  EXPECT_EQ(figure(24576), "24,576");
  EXPECT_EQ(figure(2.15e25), "2.15e25");
  EXPECT_EQ(figure(0.0000213), "2.13e-5");
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(2014, "year"), "2014");
  EXPECT_EQ(claimed_text(claim(45, 50)), "45-50 %");
  EXPECT_EQ(claimed_text(claim(200, 200, Hedge::about, "Gb/s")), "~200 Gb/s");
  EXPECT_EQ(claimed_text(claim(5, 5, Hedge::up_to, "×")), "up to 5 ×");
  EXPECT_EQ(claimed_text(claim(3, {}, Hedge::plain, "Tb/s")), "> 3 Tb/s");
  EXPECT_EQ(claimed_text(claim({}, 5, Hedge::plain, "µs")), "< 5 µs");
  EXPECT_EQ(claimed_text(claim(2000, 50000, Hedge::plain, "GPUs")), "2,000-50,000 GPUs");
  EXPECT_EQ(claimed_text(claim(1, 1, Hedge::exact, "yes or no")), "yes");
  EXPECT_EQ(found_text(claim(1, 1, Hedge::exact, "yes or no"), 0), "no");
  EXPECT_EQ(claimed_text(claim({}, {})), "–");
}

TEST(Judge, evidence_carries_the_numbers_that_were_found) {
  Claim told = claim(45, 50);
  told.why = "The step takes {a} s, {b} s without: {found}, not {found} again.";
  EXPECT_EQ(why_text(told, {.found = 41.36, .values = {{"a", 6.318}, {"b", 6}}, .verdict = Verdict::plausible}),
            "The step takes 6.32 s, 6 s without: 41.4 %, not 41.4 % again.");
}

}  // namespace
}  // namespace railyard
