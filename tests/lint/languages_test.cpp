// Every rule finds its mistake in every language that can say it, and nothing in what has none.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "lint/changed_lines.h"
#include "lint/mistakes.h"
#include "tools/lint/clean_estate.h"
#include "tools/lint/lint.h"

namespace railyard {
namespace {

std::string findings_text(const LintResult& result) {
  std::string text;
  for (const LintFinding& one : result.findings)
    text += fmt::format("{} {} {}: {}\n", one.rule->code, one.device, to_text(one.where), one.message);
  return text;
}

std::set<std::string_view> codes_in(const LintResult& result) {
  std::set<std::string_view> codes;
  for (const LintFinding& one : result.findings) codes.insert(one.rule->code);
  return codes;
}

std::set<std::string> devices_of(const LintResult& result, std::string_view code) {
  std::set<std::string> devices;
  for (const LintFinding& one : result.findings)
    if (one.rule->code == code) devices.insert(one.device);
  return devices;
}

LintResult lint_with(Estate estate, const LintSeed& seed) {
  seed.make(estate);
  return lint(estate);
}

std::vector<TextEdit> edits_of(const Language& language, std::string_view code) {
  std::vector<TextEdit> found;
  for (const TextEdit& edit : text_edits())
    if (edit.language == language.name && code.ends_with(edit.code)) found.push_back(edit);
  return found;
}

const SilentRules* silence_of(const Language& language, std::string_view code) {
  for (const SilentRules& one : silent_rules())
    if (one.language == language.name &&
        std::any_of(one.codes.begin(), one.codes.end(), [&](std::string_view number) { return code.ends_with(number); }))
      return &one;
  return nullptr;
}

void apply(const TextEdit& edit, std::vector<ConfigText>& files) {
  bool is_made = false;
  for (ConfigText& file : files) {
    if (!file.file.ends_with(edit.file)) continue;
    if (edit.from.empty()) file.text += edit.to, is_made = true;
    for (std::size_t at = edit.from.empty() ? std::string::npos : file.text.find(edit.from); at != std::string::npos;
         at = file.text.find(edit.from, at + edit.to.size()))
      file.text.replace(at, edit.from.size(), edit.to), is_made = true;
  }
  EXPECT_TRUE(is_made) << edit.language << " " << edit.code << ": no text " << edit.from;
}

/// The files of an estate with a mistake. A language that has no words for it has files of a device less.
std::vector<ConfigText> mistaken_files(const Language& language, const LintSeed& seed) {
  const std::vector<TextEdit> edits = edits_of(language, seed.code);
  Estate estate = clean_estate_in(language);
  if (edits.empty()) seed.make(estate);
  std::vector<ConfigText> files = spoken(estate, language).files;
  for (const TextEdit& edit : edits) apply(edit, files);
  return files;
}

/// Rules whose finding stands where the other half of the mistake is said: the binding of a profile beside the profile, marks
/// beside pauses, a class beside its queue, one statement of a hash or a watchdog beside another; or nowhere, since what is
/// wrong is not said.
bool points_elsewhere(std::string_view code) {
  static constexpr std::string_view codes[] = {"007", "015", "016", "025", "035", "040", "062", "063", "064", "128", "140",
                                               "151", "152", "153", "160", "161", "162", "192", "194", "195", "196"};
  return std::any_of(std::begin(codes), std::end(codes), [&](std::string_view number) { return code.ends_with(number); });
}

/// What else a mistake is in a language.
bool is_also(const Language& language, std::string_view code, std::string_view other) {
  // A profile of Junos that is bound and names no priority is a switch without PFC, and one with PFC on and no priority.
  return language.name == "junos" && code == "RY-LNT-142" && other == "RY-LNT-006";
}

void expect_places(const LintResult& result, const LintSeed& seed, const std::vector<ConfigText>& clean,
                   const std::vector<ConfigText>& files) {
  const ChangedLines changed = changed_lines(clean, files);
  for (const LintFinding& one : result.findings) {
    const auto in = changed.find(one.where.file);
    if (one.rule->code != seed.code || one.where.line == 0 || in == changed.end() || points_elsewhere(seed.code)) continue;
    const auto file = std::find_if(files.begin(), files.end(), [&](const ConfigText& f) { return f.file == one.where.file; });
    const std::vector<std::string> lines = lines_in(file->text);
    EXPECT_TRUE(is_near(*file, one.where.line, in->second))
        << seed.code << " is told of at " << to_text(one.where) << ": " << lines.at(one.where.line - 1)
        << "\nand was made at line " << *in->second.begin() << ": " << lines.at(*in->second.begin() - 1);
  }
}

void expect_found(const Language& language, const LintSeed& seed, const std::vector<ConfigText>& clean) {
  SCOPED_TRACE(seed.code);
  const std::vector<ConfigText> files = mistaken_files(language, seed);
  const LintResult result = lint(heard(files));
  const SilentRules* const silence = silence_of(language, seed.code);
  if (silence) {
    EXPECT_FALSE(codes_in(result).contains(seed.code)) << "found, though listed as silent: " << silence->reason;
    EXPECT_TRUE(edits_of(language, seed.code).empty()) << "listed as silent, and has an edit";
    return;
  }
  EXPECT_TRUE(codes_in(result).contains(seed.code)) << "found instead:\n" << findings_text(result);
  const LintResult in_model = lint_with(clean_estate_in(language), seed), in_sonic = lint_with(clean_estate(), seed);
  const std::set<std::string> expected = devices_of(in_model, seed.code);
  for (const std::string& device : devices_of(result, seed.code))
    EXPECT_TRUE(expected.empty() || expected.contains(device)) << device << " has no such mistake";
  for (const LintFinding& one : result.findings)
    EXPECT_TRUE(codes_in(in_model).contains(one.rule->code) || codes_in(in_sonic).contains(one.rule->code) ||
                is_also(language, seed.code, one.rule->code))
        << one.rule->code << " " << one.device << " " << to_text(one.where) << ": " << one.message;
  expect_places(result, seed, clean, files);
}

class LintLanguage : public testing::TestWithParam<Language> {};

TEST_P(LintLanguage, a_clean_estate_yields_nothing) {
  const SpokenEstate said = spoken(clean_estate_in(GetParam()), GetParam());
  EXPECT_EQ(fmt::format("{}", fmt::join(said.refused, "\n")), "");
  const Estate estate = heard(said.files);
  EXPECT_EQ(estate.devices.size(), 10U);
  EXPECT_EQ(findings_text(lint(estate)), "");
}

TEST_P(LintLanguage, mistakes_are_found) {
  const std::vector<ConfigText> clean = spoken(clean_estate_in(GetParam()), GetParam()).files;
  for (const LintSeed& seed : seeds_of(GetParam())) expect_found(GetParam(), seed, clean);
}

TEST_P(LintLanguage, lists_name_rules_of_the_language) {
  std::set<std::string_view> known;
  for (const LintSeed& seed : seeds_of(GetParam())) known.insert(seed.code.substr(7));
  for (const SilentRules& one : silent_rules())
    for (const std::string_view code : one.codes) {
      EXPECT_TRUE(one.language != GetParam().name || known.contains(code)) << code;
    }
  for (const TextEdit& edit : text_edits())
    EXPECT_TRUE(edit.language != GetParam().name || known.contains(edit.code)) << edit.code;
}

INSTANTIATE_TEST_SUITE_P(All, LintLanguage, testing::ValuesIn(languages().begin(), languages().end()),
                         [](const testing::TestParamInfo<Language>& one) {
                           std::string name(one.param.name);
                           std::erase(name, '-');
                           return name;
                         });

/// Which rule finds its mistake in which language.
std::string matrix() {
  std::string text = "| rule |", line = "|---|";
  for (const Language& language : languages()) text += fmt::format(" {} |", language.name), line += ":-:|";
  text += "\n" + line + "\n";
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) {
      text += fmt::format("| `{}` |", rule.code);
      for (const Language& language : languages()) {
        const std::vector<LintSeed> seeds = seeds_of(language);
        const bool is_said = std::any_of(seeds.begin(), seeds.end(), [&](const LintSeed& s) { return s.code == rule.code; });
        text += fmt::format(" {} |", !is_said ? "" : silence_of(language, rule.code) ? "–" : "●");
      }
      text += "\n";
    }
  text += "\n| language | not said | because |\n|---|---|---|\n";
  for (const SilentRules& one : silent_rules())
    text += fmt::format("| {} | {} | {} |\n", one.language, fmt::join(one.codes, ", "), one.reason);
  return text;
}

TEST(LintLanguages, the_manual_has_what_is_found_where) {
  const std::string begin = "<!-- languages_test -->\n\n", end = "\n<!-- end of languages -->";
  std::ostringstream text;
  text << std::ifstream(RAILYARD_LINT_MANUAL).rdbuf();
  const std::string page = text.str();
  const std::size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  if (std::getenv("RAILYARD_UPDATE_DOCS") != nullptr)
    std::ofstream(RAILYARD_LINT_MANUAL) << page.substr(0, from + begin.size()) << matrix() << page.substr(to);
  else
    EXPECT_EQ(page.substr(from + begin.size(), to - from - begin.size()), matrix()) << "run scripts/update_docs.sh";
}

}  // namespace
}  // namespace railyard
