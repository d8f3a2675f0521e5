#include "tools/validate/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "base/json.h"

namespace railyard {

namespace fs = std::filesystem;

Result<ValidationPlan> validation_plan(const ExpectationRequest& request, const Catalog& catalog, Progress& progress) {
  Result<ValidationCluster> cluster = expected_cluster(request, catalog, progress);
  if (!cluster) return cluster.error();
  ValidationPlan plan{std::move(*cluster), {}};
  plan.values = expected_values(plan.cluster);
  return plan;
}

Document thresholds_document(const ValidationPlan& plan) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-validation/1")));
  out.set("name", Document(plan.cluster.name));
  Document values = Document::array();
  for (const ExpectedValue& one : plan.values) {
    Document row = Document::object();
    row.set("id", Document(one.id));
    row.set("phase", Document(std::string(name_of(one.phase))));
    row.set("what", Document(one.what));
    row.set("unit", Document(one.unit));
    row.set("expected", Document(one.expected));
    row.set(one.is_most ? "at_most" : "at_least", Document(one.threshold));
    row.set("basis", Document(one.basis));
    if (!one.practice.empty()) row.set("practice", Document(one.practice));
    values.push(std::move(row));
  }
  out.set("values", std::move(values));
  return out;
}

std::vector<PlanFile> plan_files(const ValidationPlan& plan) {
  std::vector<PlanFile> files = {{"plan.md", plan_markdown(plan)}, {"thresholds.json", write_json(thresholds_document(plan))}};
  for (auto& some : {command_files(plan.cluster), runner_files(plan)}) files.insert(files.end(), some.begin(), some.end());
  return files;
}

std::optional<Diagnostic> strange_folder(const fs::path& folder, const std::vector<PlanFile>& files) {
  std::set<std::string> known = {"hosts.txt", "logs"};
  for (const PlanFile& file : files) known.insert(fs::path(file.name).begin()->string());
  std::error_code problem;
  std::vector<std::string> strange;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
    if (!known.contains(it->path().filename().string())) strange.push_back(it->path().filename().string());
  if (strange.empty()) return std::nullopt;
  const std::string first = *std::min_element(strange.begin(), strange.end());
  return Diagnostic{Severity::error,
                    "RY-VAL-004",
                    strange.size() == 1 ? fmt::format("this folder holds {}, which is no part of a plan", first)
                                        : fmt::format("this folder holds {} things that are no part of a plan, {} among them",
                                                      strange.size(), first),
                    "name a folder that is new or empty: -o plan",
                    {folder.string(), 0, 0}};
}

std::string device_name(const ValidationCluster& cluster, std::uint32_t nic) {
  if (cluster.nic_vendor == "Broadcom") return fmt::format("bnxt_re{}", nic);
  if (cluster.nic_vendor == "AMD") return fmt::format("ionic_{}", nic);
  return fmt::format("mlx5_{}", nic);
}

}  // namespace railyard
