#include "tools/claims/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scenario/presets.h"
#include "tools/claims/judge.h"

namespace railyard {
namespace {

constexpr std::string_view kSound = R"(
[one]
document = "001"
place = "table"
claim = "It is so"
low = 1
high = 2
unit = "%"
test = "formula"
expression = "a * b"
why = "It is {found}, from {a} and {b}."
[one.values]
b = { value = 2, status = "published", source = "a book" }
a = { value = 3, status = "given", source = "the document" }
)";

Result<Ledger> read(std::string_view claims, std::string_view records = "") {
  const EmbeddedFile files[] = {
      {"catalog/claims/mfu.toml", claims}, {"catalog/claims/recorded.toml", records}, {"catalog/gpus.toml", "x = ["}};
  return read_ledger(files);
}

std::vector<std::string> codes(std::string_view claims, std::string_view records = "") {
  std::vector<std::string> all;
  const Result<Ledger> ledger = read(claims, records);
  if (!ledger)
    for (const Diagnostic& finding : ledger.error()) all.push_back(finding.code);
  return all;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  return text.replace(text.find(what), what.size(), by);
}

using Codes = std::vector<std::string>;

TEST(Ledger, reads_claims_with_their_values_in_the_order_written) {
  const Result<Ledger> ledger = read(kSound, "[one]\nverdict = \"contradicted\"\nfound = 6\nvalues = { a = 3, b = 2 }\n");
  ASSERT_TRUE(ledger.has_value());
  ASSERT_EQ(ledger->claims.size(), 1U);
  const Claim& claim = ledger->claims[0];
  EXPECT_EQ(claim.topic, "mfu");
  EXPECT_EQ(claim.values[0].name, "b");
  EXPECT_EQ(claim.values[1].name, "a");
  EXPECT_EQ(ledger->recorded[0]->found, 6);
  EXPECT_EQ(ledger->recorded[0]->verdict, Verdict::contradicted);
  EXPECT_EQ(ledger->recorded[0]->values.size(), 2U);
}

TEST(Ledger, mistakes_have_codes) {
  EXPECT_EQ(codes("[one"), Codes{"RY-CLM-001"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "place =", "plce =")), (Codes{"RY-CLM-005", "RY-CLM-002"}));
  EXPECT_EQ(codes(replaced(std::string(kSound), "low = 1", "low = \"one\"")), Codes{"RY-CLM-003"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "\"formula\"", "\"guess\"")), (Codes{"RY-CLM-006", "RY-CLM-004"}));
  EXPECT_EQ(codes(replaced(std::string(kSound), "a * b", "a * c")), Codes{"RY-CLM-007"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "from {a}", "from {c}")), Codes{"RY-CLM-007"});
}

TEST(Ledger, a_claim_must_fit_together) {
  EXPECT_EQ(codes(replaced(std::string(kSound), "low = 1", "low = 3")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "\"formula\"", "\"none\"")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "\"formula\"", "\"run\"")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "\"formula\"", "\"source\"")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "low = 1\nhigh = 2\n", "")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "low = 1", "low = 1\nwithin = 0.5")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "low = 1", "low = 1\notherwise = \"a\"")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "low = 1", "low = 1\nonly_when = \"where it rains\"")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), ", source = \"a book\"", "")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(replaced(std::string(kSound), "expression = \"a * b\"", "")), Codes{"RY-CLM-006"});
  EXPECT_EQ(codes(kSound, "[two]\nverdict = \"plausible\"\n"), Codes{"RY-CLM-006"});
}

TEST(Ledger, what_is_written_down_is_read_again) {
  const Result<Ledger> ledger = read(kSound);
  ASSERT_TRUE(ledger.has_value());
  EXPECT_FALSE(ledger->recorded[0]);
  const std::optional<Finding> finding =
      Finding{.found = 6.123456789, .values = {{"b", 2}, {"a", 3.0617e25}}, .verdict = Verdict::contradicted};
  const std::string text = recorded_text(*ledger, std::span(&finding, 1));
  const Result<Ledger> again = read(kSound, text);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->recorded[0]->found, 6.12346);
  EXPECT_EQ(again->recorded[0]->values[1], std::pair(std::string("a"), 3.0617e25));
  EXPECT_EQ(recorded_text(*again, {}), text);
}

TEST(Ledger, a_condition_is_read_with_its_expression_and_what_was_found_without_it) {
  const std::string conditional =
      replaced(std::string(kSound), "low = 1", "low = 1\nonly_when = \"where it rains\"\notherwise = \"a / b\"");
  const Result<Ledger> ledger = read(conditional);
  ASSERT_TRUE(ledger.has_value());
  EXPECT_EQ(ledger->claims[0].only_when, "where it rains");
  EXPECT_EQ(ledger->claims[0].otherwise, "a / b");
  const std::optional<Finding> finding =
      Finding{.found = 2, .otherwise = 9.5, .values = {{"b", 2}, {"a", 3}}, .verdict = Verdict::conditional};
  const std::string text = recorded_text(*ledger, std::span(&finding, 1));
  const Result<Ledger> again = read(conditional, text);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->recorded[0]->otherwise, 9.5);
  EXPECT_EQ(again->recorded[0]->verdict, Verdict::conditional);
  EXPECT_EQ(recorded_text(*again, {}), text);
  EXPECT_EQ(codes(replaced(conditional, "a / b", "a / c")), Codes{"RY-CLM-007"});
  EXPECT_EQ(codes(replaced(conditional, "from {a}", "else {otherwise}, from {a}")), Codes{});
}

TEST(Ledger, chooses_by_id_topic_and_verdict_and_suggests_the_nearest) {
  const Result<Ledger> ledger = read(kSound, "[one]\nverdict = \"plausible\"\n");
  ASSERT_TRUE(ledger.has_value());
  using Chosen = std::vector<std::size_t>;
  EXPECT_EQ(*choose_claims(*ledger, {}), Chosen{0});
  EXPECT_EQ(*choose_claims(*ledger, {.ids = {"one"}, .topic = "mfu", .verdict = "plausible"}), Chosen{0});
  EXPECT_EQ(*choose_claims(*ledger, {.ids = {}, .topic = "cost", .verdict = {}}), Chosen{});
  EXPECT_EQ(*choose_claims(*ledger, {.ids = {}, .topic = {}, .verdict = "reproduced"}), Chosen{});
  const auto wrong = choose_claims(*ledger, {.ids = {"oen"}, .topic = "mfuu", .verdict = "contradictd"});
  ASSERT_FALSE(wrong.has_value());
  ASSERT_EQ(wrong.error().size(), 3U);
  EXPECT_EQ(wrong.error()[0].code, "RY-CLM-009");
  EXPECT_EQ(wrong.error()[0].hint, "did you mean 'one'?");
  EXPECT_EQ(wrong.error()[1].hint, "did you mean 'mfu'?");
  EXPECT_EQ(wrong.error()[2].hint, "did you mean 'contradicted'?");
  const auto far_off = choose_claims(*ledger, {.ids = {}, .topic = {}, .verdict = "wrong"});
  ASSERT_FALSE(far_off.has_value());
  EXPECT_EQ(far_off.error()[0].hint, "choose one of reproduced, plausible, conditional, contradicted, not testable");
}

/// The ledger that ships with the program.
class Shipped : public testing::Test {
 protected:
  static const Ledger& ledger() {
    static const Result<Ledger> read = read_ledger(embedded_catalog());
    EXPECT_TRUE(read.has_value());
    return *read;
  }
};

TEST_F(Shipped, has_at_least_90_claims_of_all_five_documents_in_every_topic) {
  std::set<std::string> ids, documents, topics;
  for (const Claim& claim : ledger().claims) {
    EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
    documents.insert(claim.document);
    topics.insert(claim.topic);
  }
  EXPECT_GE(ids.size(), 90U);
  EXPECT_EQ(documents, (std::set<std::string>{"000", "001", "002", "003", "004"}));
  EXPECT_EQ(topics.size(), claim_topics().size());
}

TEST_F(Shipped, has_at_least_50_claims_of_the_guide_to_roce_that_runs_decide) {
  const auto of_guide = [](const Claim& claim) { return claim.document == "004" && claim.test == ClaimTest::run; };
  EXPECT_GE(std::count_if(ledger().claims.begin(), ledger().claims.end(), of_guide), 50);
}

TEST_F(Shipped, every_file_of_claims_is_a_topic) {
  for (const EmbeddedFile& file : embedded_catalog()) {
    if (!file.name.starts_with("catalog/claims/") || file.name == "catalog/claims/recorded.toml") continue;
    const std::string_view stem = file.name.substr(15, file.name.size() - 20);
    EXPECT_NE(std::find(claim_topics().begin(), claim_topics().end(), stem), claim_topics().end()) << file.name;
  }
}

TEST_F(Shipped, every_claim_is_recorded_with_the_verdict_that_follows_from_what_was_found) {
  for (std::size_t i = 0; i < ledger().claims.size(); i++) {
    const Claim& claim = ledger().claims[i];
    ASSERT_TRUE(ledger().recorded[i]) << claim.id << ": railyard claims --write catalog/claims/recorded.toml";
    const Finding& finding = *ledger().recorded[i];
    EXPECT_EQ(finding.verdict, judge(claim, finding.found, finding.otherwise)) << claim.id;
    EXPECT_EQ(finding.otherwise.has_value(), !claim.otherwise.empty()) << claim.id;
    EXPECT_EQ(finding.values.size(), claim.values.size()) << claim.id;
    EXPECT_EQ(why_text(claim, finding).find('{'), std::string::npos) << claim.id;
  }
}

TEST_F(Shipped, every_scenario_is_a_preset) {
  const std::vector<std::string> presets = preset_names();
  for (const Claim& claim : ledger().claims)
    for (const ClaimValue& value : claim.values) {
      const bool known = std::find(presets.begin(), presets.end(), value.scenario) != presets.end();
      EXPECT_TRUE(known || !value.from_run()) << claim.id << ": " << value.scenario;
    }
}

TEST_F(Shipped, every_contradiction_has_evidence) {
  for (std::size_t i = 0; i < ledger().claims.size(); i++) {
    const Claim& claim = ledger().claims[i];
    EXPECT_GT(claim.why.size(), 15U) << claim.id;
    const std::optional<Finding>& recorded = ledger().recorded[i];
    const bool contradicted = recorded && recorded->verdict == Verdict::contradicted;
    EXPECT_TRUE(!contradicted || recorded->found || claim.primary) << claim.id;
  }
}

}  // namespace
}  // namespace railyard
