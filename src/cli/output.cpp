#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>

#include "base/json.h"
#include "base/printable.h"
#include "base/quantity_text.h"
#include "base/read_text.h"
#include "catalog/catalog.h"
#include "cli/wrapped.h"
#include "export/csv_tables.h"
#include "report/results_report.h"

namespace railyard {

namespace {

constexpr std::size_t kMostFindings = 50;  // on the terminal
constexpr std::size_t kNarrowest = 60;

std::size_t width_of(int descriptor, std::size_t without_terminal, std::size_t widest) {
  std::size_t width = without_terminal;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) width = size.ws_col;
  if (const char* columns = std::getenv("COLUMNS")) {
    const std::string_view text(columns);
    std::from_chars(text.data(), text.data() + text.size(), width);
  }
  return std::clamp(width, kNarrowest, widest);
}

}  // namespace

std::size_t terminal_width() { return width_of(STDOUT_FILENO, 100, 200); }

std::size_t message_width(int descriptor) { return width_of(descriptor, 80, 100); }

Document findings_document(const Diagnostics& diagnostics) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-findings/1")));
  out.set("diagnostics", diagnostics_document(diagnostics));
  return out;
}

namespace {

bool write_json_output(const Document& document, const Options& options) {
  return options.json.empty() || write_output(write_json(document), "--json", options);
}

/// Makes the folder of --csv, where one is asked for.
bool prepare_folder(const std::string& folder) {
  if (folder.empty()) return true;
  std::error_code problem;
  std::filesystem::create_directory(folder, problem);
  if (!problem && std::filesystem::is_directory(folder, problem)) return true;
  std::cerr << fmt::format("railyard: cannot write --csv {} ({}); name a folder, or one to be made in a folder that is there\n",
                           printable(folder), problem ? problem.message() : "a file of that name is there");
  return false;
}

constexpr const char* kListOfTables = "tables.csv";
constexpr std::string_view kListHeader = "file,rows,columns\n";

/// Files that an earlier command listed as its tables; nothing if the list is not one of those.
std::set<std::string> listed_tables(const std::filesystem::path& folder) {
  std::set<std::string> names;
  constexpr std::size_t kLargest = 1 << 20;
  const auto list = read_text(folder / kListOfTables, kLargest);
  if (!list || !list->starts_with(kListHeader)) return names;
  std::istringstream lines(list->substr(kListHeader.size()));
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(','));
    if (name.ends_with(".csv") && name.find_first_of("/\"") == std::string::npos) names.insert(name);
  }
  return names;
}

}  // namespace

bool prepare_outputs(Options& options) {
  const std::pair<const char*, std::string*> outputs[] = {
      {"--json", &options.json},
      {"--svg", &options.svg},
      {"--dot", &options.dot},
      {"--nccl-topology", &options.nccl_topology},
      {"--slurm-topology", &options.slurm_topology},
      {"--flows", &options.flows},
      {"--trace", &options.exports.trace},
      {"--pcap", &options.pcap.file},
      {"--traffic", &options.traffic},
      {"--metrics", &options.exports.metrics},
      {"--write", &options.write},
      {"-o", options.validate.action == "judge" ? &options.validate.output : &options.page},
      {"--sarif", &options.lint.sarif},
      {"--junit", &options.validate.junit},
      {"--csv", &options.cost.csv},
      {"--csv", &options.sweep.csv},
      {"--db", &options.sweep.database},
      {"--cables", &options.cost.cables},
      {"--seats", &options.place.seats},
      {"--hostfile", &options.place.hostfile},
      {"--rankfile", &options.place.rankfile},
      {"--slurm", &options.place.slurm}};
  for (const auto& [option, file] : outputs)
    if (!file->empty()) options.outputs->add(option, *file);
  if (!options.outputs->prepare() || !prepare_folder(options.tables)) return false;
  for (const auto& [option, file] : outputs)
    if (options.outputs->goes_to_standard_output(option)) *file = "-";
  options.outputs->keep({options.files.begin(), options.files.end()});
  return !options.outputs->overwrite_inputs();
}

bool write_results(const Document& document, const Options& options) {
  if (!write_json_output(document, options)) return false;
  if (options.tables.empty()) return true;
  std::set<std::string> old = listed_tables(options.tables);
  std::string list(kListHeader);
  for (const CsvTable& table : csv_tables(document)) {
    const std::string name = table.name() + ".csv";
    list += fmt::format("{},{},{}\n", csv_cell(name), table.rows(), table.columns().size());
    if (!options.outputs->write_to_folder("--csv", options.tables, name, table.text())) return false;
    old.erase(name);
  }
  for (const std::string& name : old) options.outputs->remove_from_folder(options.tables, name);
  return options.outputs->write_to_folder("--csv", options.tables, kListOfTables, list);
}

bool write_output(const std::string& text, std::string_view option, const Options& options) {
  return options.outputs->write(option, text);
}

Result<Scenario> load_input(const std::string& name, std::span<const std::string> overrides, const Options& options,
                            const LoadOptions& load, const ScenarioText* text) {
  const ScenarioText own;
  if (!text) text = &own;
  Result<Scenario> scenario = load_named_scenario(name, builtin_catalog(), overrides, load, text);
  options.outputs->keep(text->paths());
  return scenario;
}

Result<Loaded> load_input_or_jobs(const std::string& name, std::span<const std::string> overrides, const Options& options,
                                  const ScenarioText* text) {
  const ScenarioText own;
  if (!text) text = &own;
  Result<Loaded> loaded = load_scenario_or_jobs(name, builtin_catalog(), overrides, text);
  options.outputs->keep(text->paths());
  return loaded;
}

std::vector<std::string> overrides_of(const Options& options) {
  std::vector<std::string> all = options.overrides;
  if (options.seed) all.push_back("engine.seed=" + std::to_string(*options.seed));
  return all;
}

void show_findings(const Diagnostics& findings, std::ostream& out, std::size_t width) {
  constexpr std::size_t kHang = 2;
  for (std::size_t i = 0; i < std::min(findings.size(), kMostFindings); i++)
    out << (width > 0 ? wrapped(to_text(findings[i]), width, kHang) : to_text(findings[i])) << '\n';
  if (findings.size() > kMostFindings)
    out << "… and " << format_count(findings.size() - kMostFindings) << " more; --json lists them all\n";
}

int complain(const Diagnostics& errors, const Options& options) {
  show_findings(errors, std::cerr);
  if (errors.size() > 1) std::cerr << errors.size() << " findings; docs/diagnostics.md explains each code\n";
  write_json_output(findings_document(errors), options);
  return kBadInput;
}

}  // namespace railyard
