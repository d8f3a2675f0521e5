#include "cli/settings_command.h"

#include <fmt/format.h>

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

/// `folder` and those above it that are not there, the innermost first. Links that lead nowhere are there.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code ignored;
  std::filesystem::path at = std::filesystem::absolute(folder, ignored);
  for (; !std::filesystem::exists(std::filesystem::symlink_status(at, ignored)) && at.has_relative_path();
       at = at.parent_path())
    out.push_back(at);
  return out;
}

std::string cannot_make(const std::string& option, const std::string& folder, const std::error_code& problem) {
  return fmt::format("{} {}: {}", option, printable(folder), problem.message());
}

/// Why no files can be written into a folder, which is made to see and is gone again; empty if they can. Asking for rights is
/// no proof: some may write anywhere, and names may be too long, disks full.
std::string why_no_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder) {
  const std::vector<std::filesystem::path> made = missing_folders(folder);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem && !std::filesystem::is_directory(folder, problem)) problem = std::make_error_code(std::errc::not_a_directory);
  std::string wrong = problem ? cannot_make(option, folder, problem) : std::string();
  for (std::size_t i = 0; i < files.size() && wrong.empty(); i++)
    wrong = OutputFile(option, (std::filesystem::path(folder) / files[i].file.name).string()).prepare().value_or("");
  for (const std::filesystem::path& one : made) std::filesystem::remove(one, problem);
  return wrong;
}

}  // namespace

bool can_write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder) {
  const std::string wrong = why_no_files(files, option, folder);
  if (!wrong.empty()) std::cerr << "railyard: " << wrong << '\n';
  return wrong.empty();
}

bool write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder,
                          bool quiet) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) {
    std::cerr << fmt::format("railyard: {}\n", cannot_make(option, folder, problem));
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
