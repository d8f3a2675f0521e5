// A sweep as a Slurm job array: tasks share the points beforehand, each with a journal of its own in one folder.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweep/ledger.h"

namespace railyard {

struct SlurmArray {
  std::filesystem::path program;       // that tasks run
  std::vector<std::string> words;      // of its command line, before what tells tasks apart
  std::filesystem::path folder;        // of journals and logs
  std::string options;                 // for sbatch: "--partition=cpu --time=60"
  std::uint32_t tasks = 1;             // that points are cut into
  std::vector<std::uint32_t> waiting;  // tasks to run
};

inline constexpr const char* kScriptName = "sweep.sh";

/// The script for sbatch. What a task is killed in is gone on with when it is submitted again.
std::string slurm_script(const SlurmArray& array);

/// How many tasks the points are cut into by the script in this folder; nothing where there is none.
std::optional<std::uint32_t> tasks_of_folder(const std::filesystem::path& folder);

/// Journals of tasks in a folder, by name.
std::vector<std::filesystem::path> task_journals(const std::filesystem::path& folder);

/// Tasks that have points without a row, by number.
std::vector<std::uint32_t> waiting_tasks(const SweepLedger& ledger, std::uint32_t tasks);

}  // namespace railyard
