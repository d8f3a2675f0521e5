#include "config/read/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/read_text.h"
#include "config/read/readers.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = std::size_t{64} << 20;

/// Files below a folder, in the order of their names; a file is itself. Hidden ones are left out.
void collect(const fs::path& path, std::vector<fs::path>& files, Diagnostics& errors) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) {
    files.push_back(path);
    return;
  }
  std::vector<fs::path> inside;
  for (fs::directory_iterator it(path, problem), end; !problem && it != end; it.increment(problem))
    if (it->path().filename().string().front() != '.') inside.push_back(it->path());
  if (problem)
    errors.push_back({Severity::error,
                      "RY-CFG-002",
                      fmt::format("this folder cannot be read: {}", problem.message()),
                      "check its permissions",
                      {path.string(), 0, 0}});
  std::sort(inside.begin(), inside.end());
  for (const fs::path& one : inside) collect(one, files, errors);
}

std::string problem_text(ReadProblem problem) {
  switch (problem) {
    case ReadProblem::folder:
      return "this is a folder";
    case ReadProblem::unreadable:
      return "this file cannot be read";
    case ReadProblem::broken_off:
      return "reading this file broke off";
    case ReadProblem::too_large:
      return fmt::format("this file is larger than {}", size_limit_text(kLargest));
  }
  return {};
}

/// "leaf01" of leaf01.cfg, and of leaf01/mlnx_qos.txt where the folder holds files of one device.
std::string device_name(const fs::path& root, const fs::path& file) {
  const fs::path below = file.lexically_relative(root);
  const bool nested = !below.empty() && std::distance(below.begin(), below.end()) > 1;
  const std::string name = nested ? file.parent_path().filename().string() : file.filename().string();
  return name.substr(0, name.find('.', 1));
}

}  // namespace

const std::vector<FileReader>& file_readers() {
  static const std::vector<FileReader> all = [] {
    std::vector<FileReader> out;
    for (const auto& some :
         {inventory_readers(), sonic_readers(), nvue_readers(), junos_readers(), eos_readers(), nxos_readers(), os10_readers(),
          nccl_topology_readers(), mlnx_readers(), other_nic_readers(), platform_readers(), job_readers()})
      out.insert(out.end(), some.begin(), some.end());
    return out;
  }();
  return all;
}

Diagnostics read_config(const ConfigText& text, Estate& estate) {
  for (const FileReader& reader : file_readers())
    if (reader.recognises(text)) return reader.read(text, estate);
  return {
      {Severity::note, "RY-CFG-001", "no kind of file that is known here", "docs/lint.md lists the kinds", {text.file, 0, 0}}};
}

Result<Estate> read_configs(const std::vector<fs::path>& paths, Diagnostics& notes) {
  Estate estate;
  Diagnostics errors;
  for (const fs::path& root : paths) {
    std::vector<fs::path> files;
    collect(root, files, errors);
    for (const fs::path& file : files) {
      const auto text = read_text(file, kLargest);
      if (std::error_code unknown; !text && !fs::exists(file, unknown) && !fs::is_symlink(file, unknown)) {
        errors.push_back({Severity::error,
                          "RY-CFG-002",
                          "there is no file or folder of this name",
                          "name files or folders of configurations that are there",
                          {file.string(), 0, 0}});
        continue;
      }
      if (!text) {
        errors.push_back({Severity::error,
                          "RY-CFG-002",
                          problem_text(text.error()),
                          "name files or folders of configurations",
                          {file.string(), 0, 0}});
        continue;
      }
      for (Diagnostic& one : read_config({file.string(), device_name(root, file), *text}, estate))
        (one.severity == Severity::error ? errors : notes).push_back(std::move(one));
    }
  }
  if (!errors.empty()) return errors;
  return estate;
}

Device& device_of(Estate& estate, const std::string& name, DeviceKind kind, Dialect dialect) {
  for (Device& device : estate.devices)
    if (device.name == name && device.kind == kind) return device;
  Device& added = estate.devices.emplace_back();
  added.name = name;
  added.kind = kind;
  added.dialect = dialect;
  return added;
}

std::uint32_t policy_index(Device& device, const QosPolicy& policy) {
  for (std::uint32_t i = 0; i < device.policies.size(); i++)
    if (same_effect(device.policies[i], policy)) return i;
  device.policies.push_back(policy);
  return static_cast<std::uint32_t>(device.policies.size() - 1);
}

}  // namespace railyard
