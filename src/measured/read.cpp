#include "measured/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/read_text.h"
#include "measured/readers.h"
#include "measured/snapshots.h"
#include "measured/text.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestMeasured = std::size_t{256} << 20;

Diagnostic unreadable(const fs::path& path, std::string why) {
  return {Severity::error,
          "RY-MSR-001",
          std::move(why),
          "name files or folders of measurements that can be read; cut larger files into several",
          {path.string(), 0, 0}};
}

/// Files below a folder, in the order of their names; a file is itself. Hidden ones are left out.
void collect_measured(const fs::path& path, std::vector<fs::path>& files, Diagnostics& errors) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) {
    files.push_back(path);
    return;
  }
  std::vector<fs::path> inside;
  for (fs::directory_iterator it(path, problem), end; !problem && it != end; it.increment(problem))
    if (it->path().filename().string().front() != '.') inside.push_back(it->path());
  if (problem) errors.push_back(unreadable(path, fmt::format("this folder cannot be read: {}", problem.message())));
  std::sort(inside.begin(), inside.end());
  for (const fs::path& one : inside) collect_measured(one, files, errors);
}

std::string why_not(const fs::path& file, ReadProblem problem) {
  std::error_code unknown;
  if (problem == ReadProblem::too_large) return fmt::format("this file is larger than {}", size_limit_text(kLargestMeasured));
  if (problem == ReadProblem::broken_off) return "reading this file broke off";
  if (!fs::exists(file, unknown) && !fs::is_symlink(file, unknown)) return "there is no file or folder of this name";
  return "this file cannot be read";
}

/// By the first bytes of gzip and of Zstandard.
bool is_compressed(std::string_view text) { return text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5\x2f\xfd"); }

}  // namespace

const std::vector<MeasuredReader>& measured_readers() {
  static const std::vector<MeasuredReader> all = [] {
    std::vector<MeasuredReader> out;
    for (const auto& some :
         {nccl_tests_readers(), nccl_log_readers(), nccl_inspector_readers(), perftest_readers(), host_counter_readers(),
          switch_counter_readers(), prometheus_readers(), training_log_readers(), kineto_readers()})
      out.insert(out.end(), some.begin(), some.end());
    return out;
  }();
  return all;
}

bool read_measured(const MeasuredText& text, Measurements& all) {
  bool known = false;
  const std::size_t counters = all.counters.size();
  for (const MeasuredReader& reader : measured_readers()) {
    if (!reader.recognises(text)) continue;
    reader.read(text, all);
    known = true;
  }
  number_snapshots(all, counters);
  return known;
}

Result<Measurements> read_measurements(const std::vector<fs::path>& paths) {
  Measurements all;
  Diagnostics errors;
  for (const fs::path& root : paths) {
    std::vector<fs::path> files;
    collect_measured(root, files, errors);
    for (const fs::path& file : files) {
      auto text = read_text(file, kLargestMeasured);
      if (!text) {
        errors.push_back(unreadable(file, why_not(file, text.error())));
        continue;
      }
      if (is_compressed(*text)) {
        measured_text::add_skipped(all, "a compressed file: unpack it first (gunzip, unzstd)", {file.string(), 0, 0});
        continue;
      }
      if (!read_measured({file.string(), measured_device(root, file), std::move(*text)}, all))
        all.unknown_files.push_back(file.string());
    }
  }
  if (!errors.empty()) return errors;
  number_snapshots(all, 0);
  return all;
}

}  // namespace railyard
