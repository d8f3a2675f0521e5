#include "cli/sweep_slurm.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "base/quantity_text.h"
#include "cli/output.h"
#include "sweep/slurm.h"

namespace railyard {

namespace {

/// A scenario as tasks name it, which may begin in another folder.
std::string name_for_tasks(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists(name, ignored) ? std::filesystem::absolute(name).string() : name;
}

std::vector<std::string> words_for_tasks(const Options& options) {
  std::vector<std::string> words{"sweep", name_for_tasks(options.files.front())};
  for (const std::string& override : overrides_of(options)) words.insert(words.end(), {"--set", override});
  return words;
}

Diagnostic slurm_refusal(const std::string& why, std::string hint) {
  return {Severity::error, "RY-SWP-015", why, std::move(hint), {}};
}

/// Runs sbatch on the script; what it prints is for the user.
Diagnostics submit(const std::filesystem::path& script) {
  std::string program = "sbatch", file = script.string();
  char* const words[] = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  const int problem = posix_spawnp(&child, "sbatch", nullptr, nullptr, words, environ);
  if (problem == 0 && waitpid(child, &status, 0) == child && status == 0) return {};
  return {slurm_refusal(problem != 0 ? "there is no sbatch here" : "sbatch refused the job array",
                        fmt::format("submit {} where Slurm is", file))};
}

}  // namespace

Diagnostics collect_journals(const std::filesystem::path& folder, SweepLedger& ledger) {
  const std::vector<std::filesystem::path> journals = task_journals(folder);
  if (journals.empty())
    return {{Severity::error,
             "RY-SWP-012",
             "there is no journal in this folder",
             "name the folder that --slurm named",
             {folder.string(), 0, 0}}};
  for (const std::filesystem::path& journal : journals)
    if (Diagnostics refused = ledger.collect(journal); !refused.empty()) return refused;
  return {};
}

int write_job_array(const Sweep& sweep, const Options& options) {
  const SweepRequest& asked = options.sweep;
  std::error_code problem;
  std::filesystem::create_directories(asked.slurm, problem);
  if (problem)
    return complain({slurm_refusal(fmt::format("the folder {} cannot be made: {}", asked.slurm, problem.message()),
                                   "name a folder that is yours")},
                    options);
  SweepLedger ledger(sweep);
  for (const std::filesystem::path& journal : task_journals(asked.slurm))
    if (const Diagnostics refused = ledger.collect(journal); !refused.empty()) return complain(refused, options);
  const SlurmArray array{.program = std::filesystem::read_symlink("/proc/self/exe", problem),
                         .words = words_for_tasks(options),
                         .folder = std::filesystem::absolute(asked.slurm),
                         .options = asked.sbatch,
                         .tasks = asked.tasks,
                         .waiting = waiting_tasks(ledger, asked.tasks)};
  if (array.waiting.empty()) {
    std::cout << "Every point is done: railyard sweep " << printable(options.files.front()) << " --collect "
              << printable(asked.slurm) << " makes the results.\n";
    return kFine;
  }
  if (const auto before = tasks_of_folder(asked.slurm); before && *before != asked.tasks)
    return complain(
        {slurm_refusal(fmt::format("{} has an array of {} tasks, which cut points in another way than {}", asked.slurm, *before,
                                   asked.tasks),
                       fmt::format("write --tasks {}, or name another folder: nothing is run twice then", *before))},
        options);
  if (!options.outputs->write_to_folder("--slurm", asked.slurm, kScriptName, slurm_script(array))) return kFoundErrors;
  const std::filesystem::path script = array.folder / kScriptName;
  if (!options.quiet)
    std::cout << fmt::format("{} tasks for {} points: {}\n", array.waiting.size(), format_count(ledger.missing().size()),
                             printable(script.string()));
  if (!asked.submit) return kFine;
  std::cout.flush();
  const Diagnostics refused = submit(script);
  return refused.empty() ? kFine : complain(refused, options);
}

}  // namespace railyard
