#include "scenario/files_outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/toml.h"
#include "scenario/load.h"
#include "scenario/read/renamed_keys.h"
#include "scenario/shipped_files.h"

namespace railyard {

namespace {

constexpr std::string_view kKeys[] = {"fabric.file",  "placement.file",      "qos.from", "trace.file", "trace.groups",
                                      "traffic.file", "training.expert_load"};

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code problem;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, problem);
  if (problem) return false;
  const std::filesystem::path root = std::filesystem::canonical(folder, problem);
  if (problem) return false;
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

class FileNames {
 public:
  FileNames(std::filesystem::path beside, std::filesystem::path folder)
      : beside_(std::move(beside)), folder_(std::move(folder)) {}

  void look_at(const Document& table) {
    for (const std::string_view key : kKeys)
      if (const Document* const value = table.at_path(key)) look_at(key, *value);
  }

  void look_at_extends(const Document& document) {
    if (const Document* const value = document.find("extends")) look_at("extends", *value);
  }

  Diagnostics take() { return std::move(found_); }

 private:
  void look_at(std::string_view key, const Document& value) {
    if (!value.text() || value.text()->empty()) return;  // no file
    std::error_code ignored;
    const std::filesystem::path path = beside_ / *value.text();
    if (is_inside(path, folder_) || (is_shipped(*value.text()) && !std::filesystem::exists(path, ignored))) return;
    found_.push_back({Severity::error, "RY-WEB-040",
                      fmt::format("{} = {} names a file outside {}", key, value.summary(), folder_.filename().string()),
                      fmt::format("name a file in {0}, such as \"{0}/name\"{1}", folder_.filename().string(),
                                  key == "extends" ? ", or a preset, such as \"llama3\"" : ""),
                      value.where()});
  }

  std::filesystem::path beside_, folder_;
  Diagnostics found_;
};

}  // namespace

std::span<const std::string_view> keys_that_name_files() { return kKeys; }

Diagnostics files_outside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const Result<std::string> text = read_file_from_disk(path);
  if (!text) return {};
  const Result<Document> document = parse_toml(*text, path.string(), "RY-SCN-002");
  if (!document) return {};
  Diagnostics renamed;
  const Document current = with_current_names(*document, renamed);
  FileNames names(path.parent_path(), folder);
  names.look_at_extends(current);
  names.look_at(current);
  const Document* const jobs = current.find("job");
  if (jobs && jobs->items())
    for (const Document& job : *jobs->items()) names.look_at(job);
  return names.take();
}

}  // namespace railyard
