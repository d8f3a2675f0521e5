// What jobs set, what an inventory lists and what a policy allows, as files.
#include <fmt/format.h>

#include "config/write/words.h"
#include "lint/languages.h"

namespace railyard {

namespace {

/// Cells of a row of an inventory, by the names of their columns.
std::vector<std::pair<std::string_view, std::string>> cells(const InventoryRow& row) {
  return {{"device", row.device},
          {"role", row.role},
          {"nos", row.nos},
          {"firmware", row.firmware},
          {"port", row.port},
          {"cable", row.cable ? fmt::format("{} m", row.cable->count() / 1000) : ""},
          {"neighbour", row.neighbour},
          {"neighbour_port", row.neighbour_port}};
}

}  // namespace

std::string script_text(const Device& job) {
  std::string out = "#!/bin/bash\n#SBATCH --nodes=3\n";
  for (const auto& [name, setting] : job.environment) out += fmt::format("export {}={}\n", name, setting.value);
  return out + "srun python train.py\n";
}

std::string kubernetes_text(const Device& job) {
  std::string out =
      "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: train\nspec:\n  template:\n    spec:\n      containers:\n"
      "        - name: train\n          env:\n";
  for (const auto& [name, setting] : job.environment)
    out += fmt::format("            - name: {}\n              value: \"{}\"\n", name, setting.value);
  return out;
}

std::string inventory_csv(const std::vector<InventoryRow>& rows) {
  std::string out = "device,role,nos,firmware,port,cable,neighbour,neighbour_port\n";
  for (const InventoryRow& row : rows) {
    std::string line;
    for (const auto& [column, cell] : cells(row)) line += (column == "device" ? "" : ",") + cell;
    out += line + "\n";
  }
  return out;
}

std::string inventory_json(const std::vector<InventoryRow>& rows) {
  std::string out = "[";
  for (const InventoryRow& row : rows) {
    std::string object;
    for (const auto& [column, cell] : cells(row))
      if (!cell.empty()) object += fmt::format("{}\"{}\": \"{}\"", object.empty() ? "" : ", ", column, cell);
    out += fmt::format("{}\n  {{{}}}", out == "[" ? "" : ",", object);
  }
  return out + "\n]\n";
}

std::string policy_toml(const FabricPolicy& policy) {
  std::string out;
  if (policy.lossless_priorities) out += fmt::format("lossless_priorities = [{}]\n", bit_list(*policy.lossless_priorities));
  if (!policy.versions.empty()) out += "\n[versions]\n";
  for (const auto& [what, versions] : policy.versions) {
    std::string list;
    for (const std::string& version : versions) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", version);
    out += fmt::format("\"{}\" = [{}]\n", what, list);
  }
  for (const FabricPolicy::Suppression& one : policy.suppressions)
    out += fmt::format("\n[[suppress]]\ncode = \"{}\"\ndevice = \"{}\"\nreason = \"{}\"\n", one.code, one.device, one.reason);
  return out;
}

}  // namespace railyard
