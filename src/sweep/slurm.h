// A sweep as a Slurm job array: tasks share the points beforehand, each with a journal of its own in one folder.
#pragma once

#include <filesystem>
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

/// The script for sbatch. What a task is killed in is gone on with when it is submitted again.
std::string slurm_script(const SlurmArray& array);

/// Journals of tasks in a folder, by name.
std::vector<std::filesystem::path> task_journals(const std::filesystem::path& folder);

/// Tasks that have points without a row, by number.
std::vector<std::uint32_t> waiting_tasks(const SweepLedger& ledger, std::uint32_t tasks);

}  // namespace railyard
