#include <algorithm>

#include "config/read/host_nic.h"
#include "config/read/job_text.h"
#include "config/read/readers.h"

namespace railyard::host_text {

namespace {

/// Names in capitals and underscores before an equals sign, somewhere in the line.
bool sets_library_variable(std::string_view line) {
  for (const std::string_view prefix : {"NCCL_", "RCCL_"}) {
    const std::size_t at = line.find(prefix);
    if (at == std::string_view::npos) continue;
    const std::size_t end = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at);
    if (end != std::string_view::npos && (line[end] == '=' || (line[end] == ' ' && contains(line, "setenv ")))) return true;
  }
  return false;
}

/// Logs and tables of results name variables too; they are no settings.
bool is_output(std::string_view text) {
  for (const std::string_view mark : {"NCCL INFO", "busbw", "set by environment", "<system", "<?xml"})
    if (contains(text, mark)) return true;
  return false;
}

bool is_job_text(const ConfigText& text) {
  const std::string_view begin = trimmed(std::string_view(text.text).substr(0, 4096));
  if (begin.starts_with('{') || begin.starts_with('[') || begin.starts_with('<')) return false;
  if (is_kubernetes_job(text) || is_output(text.text)) return false;
  if (has_mlnx_marks(text.text) || has_other_nic_marks(text.text) || has_platform_marks(text.text)) return false;
  const auto lines = lines_of(text.text);
  return std::any_of(lines.begin(), lines.end(),
                     [](std::string_view line) { return line.starts_with("#SBATCH ") || sets_library_variable(line); });
}

Device& job_of(const ConfigText& text, const std::string& name, std::uint32_t line, Estate& estate) {
  Device& job = device_of(estate, name, DeviceKind::job, Dialect::environment);
  job.files.push_back({text.file, line, 0});
  return job;
}

/// Notes in Markdown: each fenced text is a job of the heading above it.
bool is_markdown(const ConfigText& text) { return contains(text.text, "```") && contains(text.text, "\n## "); }

Diagnostics read_markdown(const ConfigText& text, Estate& estate) {
  const auto lines = lines_of(text.text);
  std::string heading, fenced;
  std::uint32_t first = 0, number = 0;
  for (const std::string_view line : lines) {
    number++;
    if (line.starts_with("```")) {
      const bool ends = first != 0;
      if (ends && contains(fenced, "CCL_"))
        JobShell(job_of(text, heading.empty() ? text.device : heading, first, estate), text.file, lines)
            .read_script(fenced, first);
      first = ends ? 0 : number + 1;
      fenced.clear();
    } else if (first != 0) {
      fenced += std::string(line) + "\n";
    } else if (line.starts_with('#')) {
      heading = std::string(trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size()))));
    }
  }
  return {};
}

/// Files with nothing but NAME=VALUE and comments are read as NCCL reads its own; with `export` they are shell.
bool is_plain(const std::vector<std::string_view>& lines) {
  return std::all_of(lines.begin(), lines.end(), [](std::string_view raw) {
    const std::string_view line = trimmed(raw);
    return line.empty() || (line.starts_with('#') && !line.starts_with("#SBATCH")) || !assigned_name(line).empty();
  });
}

bool is_nccl_conf(std::string_view file) { return file.ends_with("nccl.conf"); }

Diagnostics read_job_text(const ConfigText& text, Estate& estate) {
  if (is_markdown(text)) return read_markdown(text, estate);
  const auto lines = lines_of(text.text);
  Device& job = job_of(text, text.device, 0, estate);
  JobShell shell(job, text.file, lines);
  if (is_nccl_conf(text.file) && is_plain(lines)) {
    // In a host's own folder it is /etc/nccl.conf of that host.
    if (text.file.ends_with("/nccl.conf") && text.device != "nccl") job.nodes.push_back(text.device);
    shell.read_plain(text.text);
  } else {
    shell.read_script(text.text, 1);
  }
  return {};
}

}  // namespace

}  // namespace railyard::host_text

namespace railyard {

std::vector<FileReader> job_readers() {
  using namespace host_text;
  return {{"Kubernetes manifest of a job", is_kubernetes_job, read_kubernetes_job},
          {"job script or file of NCCL variables", is_job_text, read_job_text}};
}

}  // namespace railyard
