#include "tools/claims/claims_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tools/claims/ledger.h"

namespace railyard {
namespace {

constexpr std::string_view kMfu = R"(
[high]
document = "001"
place = "table 2"
claim = "Half of the peak is reached | or more"
low = 50
high = 55
unit = "%"
test = "run"
expression = "mfu * 100"
why = "The step reaches {found}."
[high.values]
mfu = { scenario = "llama3", set = ["routing.policy=ecmp", 'fabric.link_rate="100 Gb/s"'], path = "mfu.causal" }
[high.primary]
verdict = "imprecise"
value = "41 %"
source = "the paper"
)";
constexpr std::string_view kCost = R"(
[cheap]
document = "003"
place = "end"
claim = "It is cheap"
test = "none"
why = "No prices are known."
)";
constexpr std::string_view kRecords = R"(
[high]
verdict = "contradicted"
found = 20
values = { mfu = 0.2 }
[cheap]
verdict = "not testable"
)";

const Ledger& ledger() {
  static const Ledger read = [] {
    const EmbeddedFile files[] = {
        {"catalog/claims/cost.toml", kCost}, {"catalog/claims/mfu.toml", kMfu}, {"catalog/claims/recorded.toml", kRecords}};
    return *read_ledger(files);
  }();
  return read;
}

std::string printed(std::size_t width) {
  std::ostringstream out;
  write_terminal(claims_report(recorded_lines(ledger())), width, out);
  return out.str();
}

TEST(ClaimsReport, counts_tables_by_topic_and_evidence_against) {
  const std::string report = printed(100);
  EXPECT_NE(report.find("2 claims: 0 reproduced, 0 plausible, 0 conditional, 1 contradicted, 1 not testable."),
            std::string::npos);
  EXPECT_NE(report.find("50-55 %   20 %  contradicted  Half of the peak"), std::string::npos) << report;
  EXPECT_LT(report.find("MFU"), report.find("Cost"));
  EXPECT_NE(report.find("high: The step reaches 20 %. Primary source: 41 % (the paper)."), std::string::npos);
}

TEST(ClaimsReport, a_condition_stands_with_its_claim_and_in_the_evidence) {
  constexpr std::string_view kWet = R"(
[wet]
document = "004"
place = "end"
claim = "It is twice as long"
low = 2
unit = "×"
test = "formula"
expression = "rain"
only_when = "where it rains"
otherwise = "sun"
why = "It is {found}, or {otherwise}."
[wet.values]
rain = { value = 3, status = "given", source = "a book" }
sun = { value = 1, status = "given", source = "a book" }
)";
  constexpr std::string_view kRecord =
      "[wet]\nverdict = \"conditional\"\nfound = 3\notherwise = 1\nvalues = { rain = 3, sun = 1 }\n";
  const EmbeddedFile files[] = {{"catalog/claims/mfu.toml", kWet}, {"catalog/claims/recorded.toml", kRecord}};
  const Ledger wet = *read_ledger(files);
  std::ostringstream out;
  write_terminal(claims_report(recorded_lines(wet)), 120, out);
  EXPECT_NE(out.str().find("3, else 1 ×  conditional  It is twice as long; only where it rains (004, wet)"), std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("What holds under a condition"), std::string::npos);
  EXPECT_NE(out.str().find("wet: It is 3 ×, or 1 ×."), std::string::npos);
  const Document document = claims_document(recorded_lines(wet));
  EXPECT_EQ(*document.at_path("summary.conditional")->integer(), 1);
  EXPECT_EQ(*document.at_path("claims[0].only_when")->text(), "where it rains");
  EXPECT_EQ(*document.at_path("claims[0].otherwise")->real(), 1);
  EXPECT_EQ(*document.at_path("claims[0].otherwise_text")->text(), "1 ×");
  EXPECT_EQ(*document.at_path("claims[0].test.otherwise_formula")->text(), "sun");
}

TEST(ClaimsReport, fits_the_terminal) {
  for (const std::size_t width : {80U, 200U}) {
    std::istringstream lines(printed(width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(ClaimsReport, the_document_has_what_is_needed_to_rerun_a_test) {
  const Document document = claims_document(recorded_lines(ledger()));
  EXPECT_EQ(*document.at_path("summary.claims")->integer(), 2);
  EXPECT_EQ(*document.at_path("summary.contradicted")->integer(), 1);
  EXPECT_EQ(*document.at_path("claims[0].id")->text(), "high");
  EXPECT_EQ(*document.at_path("claims[0].claimed")->text(), "50-55 %");
  EXPECT_EQ(*document.at_path("claims[0].test.kind")->text(), "run");
  EXPECT_EQ(*document.at_path("claims[0].test.command")->text(),
            "railyard run llama3 --set routing.policy=ecmp --set 'fabric.link_rate=\"100 Gb/s\"'");
  EXPECT_EQ(*document.at_path("claims[0].test.formula")->text(), "mfu * 100");
  EXPECT_EQ(*document.at_path("claims[0].test.values[0].value")->real(), 0.2);
  EXPECT_EQ(*document.at_path("claims[0].found_text")->text(), "20 %");
  EXPECT_EQ(*document.at_path("claims[0].why")->text(), "The step reaches 20 %.");
  EXPECT_EQ(*document.at_path("claims[0].primary.value")->text(), "41 %");
  EXPECT_EQ(*document.at_path("claims[1].verdict")->text(), "not testable");
  EXPECT_EQ(document.at_path("claims[1].found"), nullptr);
  EXPECT_EQ(document.at_path("claims[1].primary"), nullptr);
}

TEST(ClaimsReport, cells_of_markdown_do_not_break_its_tables) {
  const std::string page = claims_markdown(recorded_lines(ledger()));
  EXPECT_NE(
      page.find("| `high` | 001, table 2 | Half of the peak is reached \\| or more | 50-55 % | 20 % | run | contradicted |"),
      std::string::npos)
      << page;
}

}  // namespace
}  // namespace railyard
