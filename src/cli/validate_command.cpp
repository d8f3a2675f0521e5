#include "cli/validate_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/printable.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "measured/read.h"
#include "report/html.h"
#include "tools/validate/judge.h"
#include "tools/validate/plan.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

int usage_error(const std::string& sentence) {
  std::cerr << "railyard: " << sentence << '\n';
  return kBadInput;
}

/// What is wrong, if anything.
std::optional<std::string> write_plan_file(const fs::path& path, const std::string& text) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  if (problem) return fmt::format("-o {}: {}", printable(path.parent_path().string()), problem.message());
  OutputFile file("-o", path.string());
  std::optional<std::string> wrong = file.prepare();
  if (wrong) return wrong;
  file.write(text);
  return file.finish();
}

int plan_command(const Options& options) {
  const ValidateRequest& asked = options.validate;
  if (asked.output.empty()) return usage_error("validate plan needs a folder to write to: -o plan");
  if (!asked.logs.empty()) return usage_error("validate plan takes one scenario; logs are judged by railyard validate judge");
  if (!asked.junit.empty() || !asked.phases.empty())
    return usage_error("--junit and --phase are for railyard validate judge: a plan has all phases and no outcome");
  Progress progress;
  const Result<ValidationPlan> plan = [&] {
    const ProgressLine line(progress, options.quiet);
    return validation_plan({asked.scenario, overrides_of(options), options.threads}, builtin_catalog(), progress);
  }();
  if (!plan) return complain(plan.error(), options);
  const std::vector<PlanFile> files = plan_files(*plan);
  if (const auto strange = strange_folder(asked.output, files)) return complain({*strange}, options);
  for (const PlanFile& one : files)
    if (const auto wrong = write_plan_file(fs::path(asked.output) / one.name, one.text)) {
      std::cerr << "railyard: " << *wrong << '\n';
      return kFoundErrors;
    }
  if (!write_results(thresholds_document(*plan), options)) return kFoundErrors;
  if (options.quiet || options.json == "-") return kFine;
  std::cout << fmt::format("{}: {} numbers to measure in six phases, with {} files in {}\n", plan->cluster.name,
                           plan->values.size(), files.size(), printable(asked.output));
  for (const PlanFile& one : files) std::cout << fmt::format("  {}\n", one.name);
  return kFine;
}

int judge_command(const Options& options) {
  const ValidateRequest& asked = options.validate;
  if (asked.logs.empty()) return usage_error("validate judge needs logs: railyard validate judge SCENARIO logs/");
  options.outputs->keep({asked.logs.begin(), asked.logs.end()});
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const Result<Measurements> measured = read_measurements({asked.logs.begin(), asked.logs.end()});
  if (!measured) return complain(measured.error(), options);
  Progress progress;
  const Result<ValidationJudgement> found = [&] {
    const ProgressLine line(progress, options.quiet);
    const JudgeRequest request{{asked.scenario, overrides_of(options), options.threads}, asked.phases};
    return judge_validation(request, *measured, builtin_catalog(), progress);
  }();
  if (!found) return complain(found.error(), options);
  const Report report = judgement_report(*found);
  if (!write_results(judgement_document(*found), options)) return kFoundErrors;
  if (!asked.junit.empty() && !write_output(judgement_junit(*found), "--junit", options)) return kFoundErrors;
  if (!asked.output.empty() && !write_output(write_html(report), "-o", options)) return kFoundErrors;
  const bool shows = !options.quiet && options.json != "-" && asked.junit != "-" && asked.output != "-";
  if (shows) write_terminal(report, terminal_width(), std::cout);
  return found->outcome == Acceptance::fail ? kFoundErrors : kFine;
}

}  // namespace

int validate_command(const Options& options) {
  return options.validate.action == "plan" ? plan_command(options) : judge_command(options);
}

}  // namespace railyard
