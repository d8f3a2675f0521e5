// `railyard validate plan`: what to run on a new cluster, what it should give, and files for those who run it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "tools/validate/expectations.h"

namespace railyard {

struct PlanFile {
  std::string name;  // below the plan's folder: "sbatch/pair.sbatch"
  std::string text;
};

struct ValidationPlan {
  ValidationCluster cluster;
  std::vector<ExpectedValue> values;
};

Result<ValidationPlan> validation_plan(const ExpectationRequest& request, const Catalog& catalog, Progress& progress);

/// Everything that goes into the folder.
[[nodiscard]] std::vector<PlanFile> plan_files(const ValidationPlan& plan);

/// RY-VAL-004 where the folder holds something that is no part of a plan: hosts.txt and logs are.
[[nodiscard]] std::optional<Diagnostic> strange_folder(const std::filesystem::path& folder, const std::vector<PlanFile>& files);

// The parts of plan_files().
[[nodiscard]] std::string plan_markdown(const ValidationPlan& plan);
[[nodiscard]] Document thresholds_document(const ValidationPlan& plan);
[[nodiscard]] std::vector<PlanFile> command_files(const ValidationCluster& cluster);
[[nodiscard]] std::vector<PlanFile> runner_files(const ValidationPlan& plan);

/// What a NIC is called on its servers, for the first of its vendor's usual names: "mlx5_0".
[[nodiscard]] std::string device_name(const ValidationCluster& cluster, std::uint32_t nic);

}  // namespace railyard
