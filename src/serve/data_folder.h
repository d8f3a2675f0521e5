// The folder of a server: everything it keeps, and the only place it reads and writes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "serve/run_record.h"

namespace railyard {

/// Writes all of a file under another name and renames it. False, and no new file, if it cannot.
bool write_whole(const std::filesystem::path& file, std::string_view text, unsigned mode = 0644);

/// DATA/files: what scenarios may name. DATA/runs/ID: scenario.toml, results.json, page.html, log.txt, state.json, and a link
/// to files. DATA/checks: what is being checked. DATA/lock: who has it. No name of a request is ever part of a path but ids.
class DataFolder {
 public:
  /// Makes what is missing and takes the lock. RY-WEB-030 if it cannot be used, or another server has it.
  static Result<DataFolder> open(const std::filesystem::path& root);
  DataFolder(DataFolder&& other) noexcept;
  DataFolder& operator=(DataFolder&&) = delete;
  ~DataFolder();

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path files() const { return root_ / "files"; }
  /// REQUIRES: is_run_id(id).
  [[nodiscard]] std::filesystem::path run(const std::string& id) const;

  /// A folder with the scenario and its record. False, and nothing left of it, if it cannot be written.
  [[nodiscard]] bool create(const RunRecord& run, std::string_view scenario) const;
  bool save(const RunRecord& run) const;
  void remove(const std::string& id) const;

  /// All runs that it has, the oldest first. What has no whole record is removed.
  [[nodiscard]] std::vector<RunRecord> load() const;

  /// A new folder with a scenario for a child to look at, for as long as this lives.
  class Bench {
   public:
    Bench(const DataFolder& data, std::string_view scenario);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    [[nodiscard]] bool is_there() const { return is_there_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

   private:
    std::filesystem::path path_;
    bool is_there_;
  };

 private:
  DataFolder(std::filesystem::path root, int lock) : root_(std::move(root)), lock_(lock) {}

  std::filesystem::path root_;
  int lock_;
};

}  // namespace railyard
