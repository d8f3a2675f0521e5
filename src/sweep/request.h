// What was said on the command line of `sweep`.
#pragma once

#include <cstdint>
#include <string>

namespace railyard {

struct SweepRequest {
  std::string csv, database;  // files; the former may be "-"
  std::string journal;        // a file; beside the results if not given
  std::string shard;          // "3/16"
  bool dry_run = false;
  std::string slurm;         // a folder for a job array and its journals
  std::uint32_t tasks = 16;  // of the array
  std::string sbatch;        // more words for sbatch: "--partition=cpu --time=60"
  bool submit = false;
  std::string collect;  // a folder of journals
  std::string figure;   // show: one alone
};

}  // namespace railyard
