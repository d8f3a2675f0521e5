#include "cli/settings_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/printable.h"
#include "cli/output.h"
#include "tools/settings/settings.h"

namespace railyard {

namespace {

/// One after another on standard output; more than one under its name.
void print_files(const std::vector<SettingsFile>& files) {
  for (const SettingsFile& one : files) {
    if (files.size() > 1) std::cout << fmt::format("==> {} <==\n", one.file.name);
    std::cout << one.file.text;
  }
}

/// Why a folder is not there and cannot be made, or cannot be written; empty if it can.
std::string why_no_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::path there = std::filesystem::absolute(folder, ignored);
  while (!std::filesystem::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, ignored)) return std::strerror(ENOTDIR);
  return ::access(there.c_str(), W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

}  // namespace

bool can_write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder) {
  std::string wrong = why_no_folder(folder);
  if (!wrong.empty()) wrong = fmt::format("{} {}: {}", option, printable(folder), wrong);
  std::error_code ignored;
  for (std::size_t i = 0; i < files.size() && wrong.empty() && std::filesystem::is_directory(folder, ignored); i++)
    wrong = OutputFile(option, (std::filesystem::path(folder) / files[i].file.name).string()).prepare().value_or("");
  if (!wrong.empty()) std::cerr << "railyard: " << wrong << '\n';
  return wrong.empty();
}

bool write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder,
                          bool quiet) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) {
    std::cerr << fmt::format("railyard: {} {}: {}\n", option, printable(folder), problem.message());
    return false;
  }
  for (const SettingsFile& one : files) {
    const std::string path = (std::filesystem::path(folder) / one.file.name).string();
    OutputFile file(option, path);
    std::optional<std::string> wrong = file.prepare();
    if (!wrong) {
      file.write(one.file.text);
      wrong = file.finish();
    }
    if (wrong) {
      std::cerr << "railyard: " << *wrong << '\n';
      return false;
    }
    if (quiet) continue;
    std::cout << fmt::format("wrote {}\n", printable(path));
    for (const std::string& left : one.left_out) std::cout << fmt::format("  left to the device: {}\n", left);
  }
  return true;
}

int settings_command(const Options& options) {
  const SettingsRequest& asked = options.settings;
  if (asked.languages.empty() && !asked.folder.empty()) {
    std::cerr << "railyard: -o needs --for: sonic, nvue, eos, nxos, junos, mlnx, nicctl or nccl\n";
    return kBadInput;
  }
  std::vector<std::string> overrides = overrides_of(options);
  overrides.emplace_back("engine.fidelity=packet");  // what queues and NICs are set to is resolved for packets
  const Result<Scenario> scenario = load_input(options.files.front(), overrides, options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const Result<SettingsSheet> sheet = settings_sheet(*scenario, builtin_catalog());
  if (!sheet) return complain(sheet.error(), options);
  if (!asked.languages.empty()) {
    const Result<std::vector<SettingsFile>> files = settings_files(*scenario, builtin_catalog(), asked.languages);
    if (!files) return complain(files.error(), options);
    if (!write_results(settings_document(*sheet), options)) return kFoundErrors;
    if (!asked.folder.empty()) return write_settings_files(*files, "-o", asked.folder, options.quiet) ? kFine : kFoundErrors;
    if (options.json != "-") print_files(*files);
    return kFine;
  }
  if (!write_results(settings_document(*sheet), options)) return kFoundErrors;
  if (!options.quiet && options.json != "-") write_terminal(settings_report(*sheet), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
