// The files that a sweep's scenario is made of, so that others need none of them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scenario/load.h"

namespace railyard {

/// Remembers every file that was read, and gives it again without reading it. Thread-safe; copies share what they hold.
class FileBundle {
 public:
  /// What is not in the bundle is read with `read`, and is in it from then on. May outlive this.
  [[nodiscard]] ReadFile reader(ReadFile read) const;

  /// Names and texts as one text, and back. Equal bundles have equal texts.
  [[nodiscard]] std::string packed() const;
  static FileBundle unpacked(std::string_view text);

  [[nodiscard]] std::vector<std::filesystem::path> paths() const;
  /// Texts by name.
  [[nodiscard]] std::map<std::string, std::string> texts() const;

  /// What is on disk alone (OnDisk): where it was named, and where it is. Copies of it are the others' business
  /// (sweep/disk_copies.h).
  struct Place {
    std::string named;
    OnDisk what = OnDisk::trace;
    std::filesystem::path at;
  };
  /// Remembers what was named, and leads to copies. May outlive this.
  [[nodiscard]] FindOnDisk finder() const;
  /// Everything that was named, by name.
  [[nodiscard]] std::vector<Place> places() const;
  void add_copy(const std::string& named, std::filesystem::path at) const;

 private:
  struct Files {
    std::mutex mutex;
    std::map<std::string, std::string> texts;
    std::map<std::string, OnDisk> named;
    std::map<std::string, std::filesystem::path> copies;
  };
  std::shared_ptr<Files> files_ = std::make_shared<Files>();
};

/// Texts one after the other, each with its length before it.
void pack_text(std::string_view text, std::string& out);
/// Takes the first of them. Nothing where the rest is no such text.
std::optional<std::string> unpack_text(std::string_view& packed);

}  // namespace railyard
