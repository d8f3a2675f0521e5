#include "scenario/load.h"

#include <fmt/format.h>

#include "base/read_text.h"
#include "base/schema.h"
#include "scenario/check/check.h"
#include "scenario/read/keys.h"
#include "scenario/read/named_files.h"
#include "scenario/read/renamed_keys.h"
#include "scenario/read/scenario_document.h"
#include "scenario/read/software.h"
#include "scenario/read/trace_file.h"
#include "scenario/read/traffic_file.h"
#include "scenario/resolve/resolve.h"

namespace railyard {

namespace {

constexpr SchemaCodes kCodes{.unknown_key = "RY-SCN-010",
                             .wrong_type = "RY-SCN-011",
                             .bad_quantity = "RY-SCN-012",
                             .out_of_range = "RY-SCN-013",
                             .unknown_choice = "RY-SCN-014",
                             .missing_key = "RY-SCN-015"};

/// A file that is laid over another one is a sweep, and need not be a scenario.
Diagnostic a_sweep_alone(const Document& base) {
  return {Severity::error, "RY-SWP-019", fmt::format("this file is a sweep over {}, and no scenario by itself", base.summary()),
          "railyard sweep runs it, and with --dry-run lists its points; railyard check looks at its axes", base.where()};
}

/// Reads the section at `path` and those inside it.
void read_sections(const Document& table, const Section& section, ScenarioSpec& scenario, Complaints& complaints) {
  std::vector<std::string> subsections = subsections_of(section.path);
  if (section.path.empty()) subsections.insert(subsections.end(), {"extends", "sweep"});  // the latter is for railyard sweep
  const std::string prefix = section.path.empty() ? "" : section.path + ".";
  section.read(table, subsections, scenario, complaints, [&](const std::string& key, const Document& value) {
    scenario.keys.by_path[prefix + key] = {value.where(), value.summary()};
  });
  for (const Section& inner : scenario_sections()) {
    if (inner.path.empty() || !inner.path.starts_with(prefix)) continue;
    const std::string name = inner.path.substr(prefix.size());
    const Document* value = name.find('.') == std::string::npos ? table.find(name) : nullptr;
    if (!value) continue;
    scenario.keys.by_path[inner.path] = {value->where(), {}};
    if (value->members())
      read_sections(*value, inner, scenario, complaints);
    else
      schema::wrong_type(name, *value, "a table, [" + inner.path + "]", complaints);
  }
}

/// Jobs are for those who play several.
Diagnostic several_jobs(const Document& jobs) {
  const bool is_list = jobs.items() != nullptr;
  return {
      Severity::error, "RY-JOB-001",
      is_list ? fmt::format("this file has {} jobs, and one is needed", jobs.items()->size()) : "[job] is one of several jobs",
      is_list ? "run and check play them all; for this, write a file with one of them"
              : "write [[job]], with a [job.model] or [job.traffic], for each of them",
      jobs.where()};
}

/// Once it is known how many hosts there are.
void check_traffic_hosts(const Scenario& scenario, Complaints& complaints) {
  const TrafficSpec& traffic = *scenario.workload.traffic;
  const std::uint32_t hosts = traffic.hosts_of(scenario.workload.gpus.value_or(scenario.fabric.endpoints));
  for (const Diagnostic& mistake : missing_hosts(traffic.lines, hosts, traffic.file))
    complaints.error(mistake.code, mistake.where, mistake.message, mistake.hint);
}

}  // namespace

Result<std::string> read_file_from_disk(const std::filesystem::path& path, std::size_t largest) {
  auto text = read_text(path, largest);
  if (text) return std::move(*text);
  const auto refuse = [&](std::string message, std::string hint) {
    return Diagnostic{Severity::error, "RY-SCN-001", std::move(message), std::move(hint), {path.string(), 0, 0}};
  };
  switch (text.error()) {
    case ReadProblem::folder:
      return refuse("this is a folder", "name a scenario file");
    case ReadProblem::broken_off:
      return refuse("cannot read this file to its end", "check the disk");
    case ReadProblem::too_large:
      return refuse("this file is larger than " + size_limit_text(largest), "a scenario is a few lines of TOML");
    case ReadProblem::unreadable:
      break;
  }
  return refuse("cannot read this file", "check that it exists and is readable");
}

Result<Scenario> load_scenario(const std::filesystem::path& path, const Catalog& catalog,
                               std::span<const std::string> overrides, const ReadFile& read, const LoadOptions& options) {
  Diagnostics found;
  Result<Document> document = load_document(path, read, found);
  if (!document) return document.error();
  return load_scenario(std::move(*document), path, catalog, overrides, read, options, std::move(found));
}

Result<Scenario> load_scenario(Document document, const std::filesystem::path& path, const Catalog& catalog,
                               std::span<const std::string> overrides, const ReadFile& read, const LoadOptions& options,
                               Diagnostics found) {
  if (options.collective) document = with_workload(document, "collective", *options.collective);
  if (options.traffic) document = with_workload(document, "traffic", *options.traffic);
  if (options.trace) document = with_workload(document, "trace", *options.trace);
  for (const std::string& text : overrides) {
    Result<Document> changed = overridden(document, text, found);
    if (changed)
      document = std::move(*changed);
    else
      found.insert(found.end(), changed.error().begin(), changed.error().end());
  }
  Result<Scenario> scenario = read_scenario(document, path, catalog, read, options);
  if (scenario && !has_errors(found)) {
    scenario->warnings.insert(scenario->warnings.begin(), found.begin(), found.end());
    return scenario;
  }
  if (const Document* const base = document.at_path("sweep.scenario"); base && !scenario) return a_sweep_alone(*base);
  if (!scenario) found.insert(found.end(), scenario.error().begin(), scenario.error().end());
  sort_by_location(found);
  return found;
}

Result<Scenario> read_scenario(const Document& document, const std::filesystem::path& path, const Catalog& catalog,
                               const ReadFile& read, const LoadOptions& options) {
  if (const Document* const jobs = document.find("job"); jobs && !options.is_job) return several_jobs(*jobs);
  ScenarioSpec spec;
  spec.keys.file = {path.string(), 0, 0};
  Complaints complaints(kCodes, paths_called);
  Diagnostics renamed;
  const Document current = with_software(with_current_names(document, renamed), catalog);
  read_sections(current, scenario_sections().front(), spec, complaints);
  take_software_keys(spec);
  if (options.estate) spec.qos.all.from.clear();
  read_named_files(spec, read, options.find, complaints);
  if (spec.trace) read_trace_file(spec, options.traces, options.find, complaints);
  if (options.estate) spec.qos.estate = *options.estate;
  check_scenario(spec, catalog, complaints, options.workload);
  Scenario scenario = resolve(spec, catalog, complaints);
  if (scenario.workload.traffic) check_traffic_hosts(scenario, complaints);
  Diagnostics found = complaints.take();
  if (has_errors(renamed)) found.insert(found.end(), renamed.begin(), renamed.end());
  sort_by_location(found);
  if (!found.empty()) return found;
  scenario.warnings.insert(scenario.warnings.begin(), renamed.begin(), renamed.end());
  return scenario;
}

ExpectSpec load_expectations(const std::filesystem::path& path, const ReadFile& read) {
  Diagnostics renamed;
  const Result<Document> document = load_document(path, read, renamed);
  ScenarioSpec scenario;
  Complaints ignored(kCodes);
  if (document) read_sections(*document, scenario_sections().front(), scenario, ignored);
  // A fingerprint is of one run: who extends a file does not inherit it.
  if (scenario.where("expect.fingerprint").file != path.string()) scenario.expect.fingerprint.clear();
  return scenario.expect;
}

}  // namespace railyard
