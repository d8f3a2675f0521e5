// Scenario files with several jobs on one fabric, [[job]].
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "plan/cluster_jobs.h"
#include "scenario/load.h"
#include "scenario/scenario_text.h"

namespace railyard {

/// What a file is: one of both.
struct Loaded {
  std::optional<Scenario> scenario;
  std::optional<ClusterJobs> jobs;
};

/// As load_named_scenario() (scenario/presets.h), for files with [[job]], too. `--set job.NAME.key=value` sets a key of one
/// job. Refuses, beside mistakes in each job, two of one name (RY-JOB-003), traffic of a job that is not there (RY-JOB-004),
/// what one job cannot change for all (RY-JOB-005), a cluster of unknown size (RY-JOB-006), and one that is too small
/// (RY-JOB-009).
Result<Loaded> load_scenario_or_jobs(const std::string& name_or_path, const Catalog& catalog,
                                     std::span<const std::string> overrides = {}, const ScenarioText* text = nullptr);

/// The same for a path, where `read` lets tests and fuzzers stay off the disk.
Result<Loaded> load_scenario_or_jobs(const std::filesystem::path& path, const Catalog& catalog,
                                     std::span<const std::string> overrides, const ReadFile& read);

/// The same from a document that is there already; `path` names it in messages. REQUIRES: has_jobs(document).
Result<ClusterJobs> read_jobs(const Document& document, const std::filesystem::path& path, const Catalog& catalog,
                              std::span<const std::string> overrides, const ReadFile& read);

[[nodiscard]] bool has_jobs(const Document& document);

}  // namespace railyard
