#include "sweep/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "base/read_text.h"
#include "report/command_text.h"

namespace railyard {

namespace {

constexpr std::size_t kLargestScript = std::size_t{1} << 20;
constexpr std::string_view kShard = "--shard \"$SLURM_ARRAY_TASK_ID/";

/// "0-3,7": Slurm limits the length of the list, not what it stands for.
std::string ranges_text(const std::vector<std::uint32_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) last++;
    out += fmt::format("{}{}", out.empty() ? "" : ",", numbers[i]);
    if (last > i) out += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return out;
}

}  // namespace

std::string slurm_script(const SlurmArray& array) {
  const std::string folder = array.folder.string();
  std::string out = "#!/bin/sh\n# A sweep as a job array: sbatch this file. Written by railyard sweep --slurm.\n";
  out += "#SBATCH --job-name=railyard-sweep\n";
  out += fmt::format("#SBATCH --array={}\n", ranges_text(array.waiting));
  out += fmt::format("#SBATCH --output={}\n", shell_word((array.folder / "task-%a.log").string()));
  out += "#SBATCH --open-mode=append\n#SBATCH --requeue\n";
  std::istringstream options(array.options);
  for (std::string word; options >> word;) out += "#SBATCH " + word + "\n";
  out += "exec " + shell_word(array.program.string());
  for (const std::string& word : array.words) out += " " + shell_word(word);
  out += fmt::format(" --quiet --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" {}{}\"", kShard, array.tasks);
  out += fmt::format(" --journal {}\"/task-$SLURM_ARRAY_TASK_ID.journal\"\n", shell_word(folder));
  return out;
}

std::optional<std::uint32_t> tasks_of_folder(const std::filesystem::path& folder) {
  const auto script = read_text(folder / kScriptName, kLargestScript);
  const std::size_t at = script ? script->rfind(kShard) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  std::uint32_t tasks = 0;
  const char* const begin = script->data() + at + kShard.size();
  const auto [end, problem] = std::from_chars(begin, script->data() + script->size(), tasks);
  return problem == std::errc() && *end == '"' ? std::optional(tasks) : std::nullopt;
}

std::vector<std::filesystem::path> task_journals(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".journal") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::uint32_t> waiting_tasks(const SweepLedger& ledger, std::uint32_t tasks) {
  std::set<std::uint32_t> waiting;
  for (const std::size_t point : ledger.missing()) waiting.insert(static_cast<std::uint32_t>(point % tasks));
  return {waiting.begin(), waiting.end()};
}

}  // namespace railyard
