#include "tools/claims/test_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/results.h"
#include "base/parallel.h"
#include "report/results_report.h"
#include "sim/simulate.h"
#include "tools/claims/expression.h"
#include "tools/claims/judge.h"
#include "tools/claims/select.h"

namespace railyard {

namespace {

/// One number that a run is asked for, and what came of it.
struct Wanted {
  const Claim* claim;
  const ClaimValue* value;
  double number = 0;
};

/// A run that one or several claims need.
struct Job {
  ClaimCommand command;
  const std::string* scenario;
  const std::vector<std::string>* set;
  std::vector<Wanted> wanted;
  Diagnostics failed;
};

std::vector<Job> distinct_runs(std::span<const Claim* const> claims) {
  std::vector<Job> jobs;
  for (const Claim* claim : claims)
    for (const ClaimValue& value : claim->values) {
      if (!value.from_run()) continue;
      auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job& j) {
        return j.command == value.command && *j.scenario == value.scenario && *j.set == value.set;
      });
      if (job == jobs.end()) job = jobs.insert(jobs.end(), Job{value.command, &value.scenario, &value.set, {}, {}});
      job->wanted.push_back({claim, &value});
    }
  return jobs;
}

Result<Document> results_of(const Job& job, const LoadClaimed& load, const AskClaimed& ask, Progress& progress) {
  if (job.command != ClaimCommand::run) return ask(job.command, *job.scenario, *job.set, progress);
  const Result<Scenario> scenario = load(*job.scenario, *job.set);
  if (!scenario) return scenario.error();
  const Result<Run> run = simulate(*scenario, {.threads = 1}, progress);
  if (!run) return run.error();
  return results_document(analyse(*scenario, *run), 0);
}

/// Only the numbers stay: results of many large runs would fill the memory.
void carry_out(Job& job, const LoadClaimed& load, const AskClaimed& ask, Progress& progress) {
  const Result<Document> results = results_of(job, load, ask, progress);
  if (!results) {
    job.failed = results.error();
    for (Diagnostic& finding : job.failed) finding.message = job.wanted[0].claim->id + ": " + finding.message;
    return;
  }
  for (Wanted& wanted : job.wanted) {
    const auto number = select_number(*results, wanted.value->path, wanted.value->fold);
    if (number)
      wanted.number = *number;
    else
      job.failed.push_back({Severity::error, "RY-CLM-008", fmt::format("{}: {}", wanted.claim->id, number.error()),
                            "correct the path; the command with --json shows what there is", wanted.value->where});
  }
}

double number_of(const ClaimValue& value, std::span<const Job> jobs) {
  if (!value.from_run()) return *value.value;
  for (const Job& job : jobs)
    for (const Wanted& wanted : job.wanted)
      if (wanted.value == &value) return wanted.number;
  return 0;
}

Result<Finding> finding_of(const Claim& claim, std::span<const Job> jobs) {
  Finding finding;
  if (claim.test != ClaimTest::none) {
    for (const ClaimValue& value : claim.values) finding.values.emplace_back(value.name, number_of(value, jobs));
    const std::string& first = claim.expression.empty() ? claim.values[0].name : claim.expression;
    for (const auto& [expression, number] :
         {std::pair(&first, &finding.found), std::pair(&claim.otherwise, &finding.otherwise)}) {
      if (expression->empty()) continue;
      const auto found = evaluate(*expression, finding.values);
      if (!found)
        return Diagnostic{Severity::error, "RY-CLM-007", fmt::format("{}: {}: {}", claim.id, *expression, found.error()),
                          "correct the expression", claim.where};
      *number = *found;
    }
  }
  finding.verdict = judge(claim, finding.found, finding.otherwise);
  return finding;
}

}  // namespace

Result<std::vector<Finding>> test_claims(std::span<const Claim* const> claims, const LoadClaimed& load, const AskClaimed& ask,
                                         unsigned threads, Progress& progress) {
  std::vector<Job> jobs = distinct_runs(claims);
  progress.expect(jobs.size() * kPartWork);
  for_each_index(jobs.size(), threads, [&](std::size_t i) {
    Progress part(progress, kPartWork, *jobs[i].scenario);
    carry_out(jobs[i], load, ask, part);
  });
  Diagnostics failed;
  for (const Job& job : jobs) failed.insert(failed.end(), job.failed.begin(), job.failed.end());
  if (!failed.empty()) return failed;
  std::vector<Finding> findings;
  for (const Claim* claim : claims) {
    Result<Finding> finding = finding_of(*claim, jobs);
    if (finding)
      findings.push_back(std::move(*finding));
    else
      failed.insert(failed.end(), finding.error().begin(), finding.error().end());
  }
  if (!failed.empty()) return failed;
  return findings;
}

namespace {

/// Figures for people, or with more digits where those would read the same.
std::string moved_text(const std::string& what, std::string was, std::string is, double recorded, double found) {
  if (was == is) was = recorded_figure(recorded), is = recorded_figure(found);
  const std::string sentence = fmt::format("{}: {} was recorded, {} is found", what, was, is);
  if (recorded == 0) return sentence;
  const double percent = (found / recorded - 1) * 100;
  return sentence + (std::abs(percent) < 0.01 ? fmt::format(" ({:+.2g} %)", percent) : fmt::format(" ({:+.2f} %)", percent));
}

}  // namespace

std::vector<std::string> changes(const Claim& claim, const std::optional<Finding>& recorded, const Finding& now) {
  std::vector<std::string> all;
  if (!recorded) return {fmt::format("{}: is new; nothing is recorded of it", claim.id)};
  if (recorded->verdict != now.verdict)
    all.push_back(fmt::format("{}: was {}, is {}", claim.id, name_of(recorded->verdict), name_of(now.verdict)));
  const auto compare = [&](const std::string& what, std::optional<double> was, std::optional<double> is) {
    if (was.has_value() != is.has_value())
      all.push_back(fmt::format("{}: {} a value now", what, is ? "has" : "lacks"));
    else if (is && has_moved(*is, *was))
      all.push_back(moved_text(what, found_text(claim, *was), found_text(claim, *is), *was, *is));
  };
  compare(claim.id, recorded->found, now.found);
  compare(claim.id + ", otherwise", recorded->otherwise, now.otherwise);
  for (const auto& [name, value] : now.values) {
    const auto same_name = [&name = name](const auto& other) { return other.first == name; };
    const auto old = std::find_if(recorded->values.begin(), recorded->values.end(), same_name);
    const std::string what = fmt::format("{}, {}", claim.id, name);
    if (old == recorded->values.end())
      all.push_back(what + ": nothing is recorded of it");
    else if (has_moved(value, old->second))
      all.push_back(moved_text(what, figure(old->second), figure(value), old->second, value));
  }
  return all;
}

}  // namespace railyard
