// Traces and folders of configurations, which a scenario names and no bundle of texts has, on their way to other processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/file_bundle.h"

namespace railyard {

/// A file by the place that was named, and where below a folder of copies it goes.
struct CopiedFile {
  std::string from, to;
  std::uint64_t size = 0;
};

/// What a scenario names, and the same below a folder of copies.
struct CopiedPlace {
  std::string named, copy;
};

struct CopyList {
  std::vector<CopiedPlace> places;
  std::vector<CopiedFile> files;
};

/// All that scenarios of the bundle named so far.
CopyList list_copies(const FileBundle& bundle);

/// Of every byte of them, of their names below what was named, and of what `name_of` calls that: equal for equal copies,
/// wherever they are.
std::string fingerprint_of(const CopyList& list, const std::function<std::string(const std::string& named)>& name_of);

std::string packed(const CopyList& list);
/// Nothing where it is no such text.
std::optional<CopyList> unpacked_copies(std::string_view text);

/// A part of a file, as DiskCopies::next() asks for it; empty where it cannot be read.
std::string part_of(const CopyList& list, std::string_view asked);

/// A folder that is filled part by part, and goes with this.
class DiskCopies {
 public:
  explicit DiskCopies(CopyList list);
  ~DiskCopies();
  DiskCopies(const DiskCopies&) = delete;
  DiskCopies& operator=(const DiskCopies&) = delete;

  /// What to ask for; empty when all is there, or something is wrong.
  [[nodiscard]] std::string next();
  void take(std::string_view part);
  /// Why it cannot be filled; empty if it can.
  [[nodiscard]] const std::string& wrong() const { return wrong_; }

  /// From here on the bundle leads to copies. REQUIRES: all is there.
  void lend(const FileBundle& bundle) const;

 private:
  [[nodiscard]] std::filesystem::path place_of(const CopiedFile& file) const { return folder_ / file.to; }
  void begin_file();

  CopyList list_;
  std::filesystem::path folder_;
  std::size_t file_ = 0;
  std::uint64_t taken_ = 0;  // of it
  std::string wrong_;
};

}  // namespace railyard
