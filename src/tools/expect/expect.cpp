#include "tools/expect/expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/results.h"
#include "answer/serving.h"
#include "report/results_report.h"
#include "scenario/jobs.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

/// What came of a scenario: findings, and results unless it was refused.
struct Outcome {
  Diagnostics diagnostics;
  std::optional<Document> results;
};

Outcome carry_out(const std::filesystem::path& path, const Catalog& catalog, std::span<const std::string> overrides,
                  unsigned threads) {
  const Result<Loaded> loaded = load_scenario_or_jobs(path.string(), catalog, overrides);
  if (!loaded) return {loaded.error(), std::nullopt};
  Progress progress;
  if (loaded->jobs) {
    const Result<Interference> found = find_interference(*loaded->jobs, {.threads = threads}, progress);
    if (!found) return {found.error(), std::nullopt};
    return {found->findings, interference_document(*found)};
  }
  const Scenario& scenario = *loaded->scenario;
  if (scenario.workload.serving) {
    const Result<ServingAnswer> found = find_serving(scenario, threads, progress);
    if (!found) return {found.error(), std::nullopt};
    return {found->findings, serving_document(*found)};
  }
  const Result<Run> run = simulate(scenario, {.threads = threads}, progress);
  if (!run) return {run.error(), std::nullopt};
  return {run->diagnostics, results_document(analyse(scenario, *run), 0)};
}

/// "RY-SCN-012" fits any line, "RY-SCN-012:14" only its own.
bool fits(const std::string& expected, const Diagnostic& found) {
  return expected == found.code || expected == fmt::format("{}:{}", found.code, found.where.line);
}

/// Each expected code takes one finding away, those with a line first; whatever is left over on either side is wrong.
void compare_diagnostics(std::vector<std::string> expected, Diagnostics found, std::vector<std::string>& broken) {
  std::stable_partition(expected.begin(), expected.end(),
                        [](const std::string& code) { return code.find(':') != std::string::npos; });
  for (const std::string& code : expected) {
    const auto match = std::find_if(found.begin(), found.end(), [&](const Diagnostic& d) { return fits(code, d); });
    if (match == found.end())
      broken.push_back(fmt::format("expected the diagnostic {}, which did not come", code));
    else
      found.erase(match);
  }
  for (const Diagnostic& d : found) broken.push_back("did not expect: " + to_text(d));
}

void compare_value(const ExpectSpec::Value& expected, const Document& results, std::vector<std::string>& broken) {
  const Document* found = results.at_path(expected.path);
  if (!found) {
    broken.push_back(fmt::format("the results have no {}", expected.path));
  } else if (const std::string* text = std::get_if<std::string>(&expected.value)) {
    if (!found->text() || *found->text() != *text)
      broken.push_back(fmt::format("{} is {}, expected \"{}\"", expected.path, found->summary(), *text));
  } else {
    const double want = std::get<double>(expected.value);
    const double tolerance = std::max(expected.absolute, expected.relative * std::abs(want));
    double number = 0;
    const double* got = found->number(number);
    if (!got || !(std::abs(*got - want) <= tolerance))
      broken.push_back(fmt::format("{} is {}, expected {} ± {}", expected.path, found->summary(), want, tolerance));
  }
}

}  // namespace

std::vector<std::string> broken_expectations(const std::filesystem::path& path, const Catalog& catalog,
                                             std::span<const std::string> overrides, unsigned threads) {
  std::vector<std::string> broken;
  const ExpectSpec expect = load_expectations(path);
  const Outcome outcome = carry_out(path, catalog, overrides, threads);
  compare_diagnostics(expect.diagnostics, outcome.diagnostics, broken);
  if (!outcome.results) {
    if (!expect.values.empty() || !expect.fingerprint.empty()) broken.push_back("there are no results to compare");
    return broken;
  }
  for (const ExpectSpec::Value& value : expect.values) compare_value(value, *outcome.results, broken);
  const std::string* fingerprint = outcome.results->find("fingerprint")->text();
  if (!expect.fingerprint.empty() && *fingerprint != expect.fingerprint)
    broken.push_back(fmt::format("the fingerprint is {}, expected {}", *fingerprint, expect.fingerprint));
  return broken;
}

}  // namespace railyard
