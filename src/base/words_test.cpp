#include <gtest/gtest.h>

#include <atomic>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/fingerprint.h"
#include "base/nearest.h"
#include "base/parallel.h"

namespace railyard {
namespace {

TEST(Nearest, finds_what_was_meant) {
  const std::vector<std::string> keys = {"oversubscription", "topology", "switch", "cable", "link_rate", "link_delay"};
  EXPECT_EQ(nearest("oversubscripton", keys), "oversubscription");
  EXPECT_EQ(nearest("linkrate", keys), "link_rate");
  EXPECT_EQ(nearest("link-delay", keys), "link_delay");
  EXPECT_EQ(nearest("swithc", keys), "switch");
  EXPECT_EQ(nearest("topo", keys), "topology");
  EXPECT_EQ(nearest("banana", keys), "");
  EXPECT_EQ(nearest("foo", std::vector<std::string>{"qos", "fabric"}), "");  // two of three letters
  EXPECT_EQ(nearest("qs", std::vector<std::string>{"qos", "fabric"}), "qos");
  const std::vector<std::string> plurals = {"queries_per_second", "retransmit_timeout", "retries"};
  EXPECT_EQ(nearest("retry", plurals), "retries");
  EXPECT_EQ(nearest("query", plurals), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), keys), "");
}

TEST(Nearest, what_begins_with_a_word_is_nearer_than_what_looks_like_it) {
  const std::vector<std::string> gpus = {"GB200", "B200-SXM", "H200-SXM-141"};
  EXPECT_EQ(nearest("H200", gpus), "H200-SXM-141");
  EXPECT_EQ(nearest("b200", gpus), "B200-SXM");
  EXPECT_EQ(nearest("SXM-141", gpus), "H200-SXM-141");
  EXPECT_EQ(nearest("rate", std::vector<std::string>{"rates_of_links", "rates"}), "rates");
}

TEST(Nearest, letters_may_be_left_out_between_the_first_and_the_last) {
  EXPECT_EQ(nearest("CX7", std::vector<std::string>{"ConnectX-6", "ConnectX-7", "Thor-2"}), "ConnectX-7");
  EXPECT_EQ(nearest("CX5", std::vector<std::string>{"ConnectX-6", "ConnectX-7", "Thor-2"}), "");
}

TEST(Nearest, a_swap_of_neighbours_is_one_mistake) { EXPECT_EQ(edit_distance("rnu", "run"), 1U); }

TEST(Diagnostic, reads_as_location_severity_code_what_and_what_to_do) {
  const Diagnostic d{
      Severity::error, "RY-SCN-012", "pipeline = 6 does not divide 32 layers", "use 4 or 8", {"case.toml", 14, 9}};
  EXPECT_EQ(to_text(d), "case.toml:14:9: error RY-SCN-012: pipeline = 6 does not divide 32 layers; use 4 or 8");
}

TEST(Diagnostic, what_a_file_says_cannot_steer_the_terminal) {
  EXPECT_EQ(to_text(Diagnostic{Severity::error, "C", "name = \"\x1b[31m\n\"", "µ", {}}), "error C: name = \"?[31m?\"; µ");
}

TEST(Diagnostic, are_ordered_by_location_and_not_repeated) {
  Diagnostics all = {{Severity::error, "B", "m", "", {"f", 9, 1}},
                     {Severity::error, "A", "m", "", {"f", 2, 1}},
                     {Severity::error, "A", "m", "", {"f", 2, 1}}};
  sort_by_location(all);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].code, "A");
}

TEST(Fingerprint, depends_on_what_was_added_and_not_on_how) {
  Fingerprint a, b, c;
  a.add(1), a.add(2);
  const std::uint64_t words[] = {1, 2};
  b.add(words);
  c.add(2), c.add(1);
  EXPECT_EQ(a.value(), b.value());
  EXPECT_NE(a.value(), c.value());
  EXPECT_EQ(a.text().size(), 16U);
}

TEST(Fingerprint, of_many_words_depends_on_each_and_may_be_asked_for_in_between) {
  std::vector<std::uint64_t> words(100);
  for (std::size_t i = 0; i < words.size(); i++) words[i] = i * i;
  Fingerprint whole, parts, one;
  whole.add(words);
  for (std::size_t i = 0; i < words.size(); i += 7) {
    EXPECT_NE(whole.value(), parts.value());
    parts.add(std::span(words).subspan(i, std::min<std::size_t>(7, words.size() - i)));
  }
  EXPECT_EQ(whole.value(), parts.value());
  words[3]++;
  one.add(words);
  EXPECT_NE(whole.value(), one.value());
}

TEST(Parallel, every_index_is_done_once_whatever_the_threads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::vector<std::atomic<int>> done(50);
    for_each_index(done.size(), threads, [&](std::size_t i) { done[i]++; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, an_exception_in_a_job_reaches_the_caller) {
  for (const unsigned threads : {1U, 4U})
    EXPECT_THROW(for_each_index(20, threads,
                                [](std::size_t i) {
                                  if (i == 7) throw std::bad_alloc();
                                }),
                 std::bad_alloc);
}

TEST(CheckDeathTest, says_what_was_expected_and_that_it_is_not_the_users_fault) {
  const int apples = 3;
  EXPECT_DEATH(RY_CHECK(apples == 4, "there are four apples"),
               "expected that there are four apples.*apples == 4.*\n.*defect of Railyard");
}

}  // namespace
}  // namespace railyard
