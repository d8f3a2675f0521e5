// A file under another name until it is whole.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace railyard {

/// A new file that nobody else has: made with O_EXCL and O_NOFOLLOW, so that it is neither a file that was there nor one that a
/// link leads to. It is removed unless `publish` gave it its name, also where SIGINT, SIGTERM, SIGHUP, SIGPIPE or SIGABRT end
/// the program; SIGKILL leaves it. At most eight live at a time. Not for several threads at once.
class TemporaryFile {
 public:
  /// In `folder`, for a file with the permissions `mode` (less the umask). Nothing, and errno, if there can be none.
  static std::optional<TemporaryFile> create(const std::filesystem::path& folder, mode_t mode);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Brings it to the disk and gives it the name `target`, over a regular file or none. False, and errno, if it cannot.
  bool publish(const std::filesystem::path& target);

 private:
  TemporaryFile(int descriptor, std::size_t slot) : descriptor_(descriptor), slot_(slot) {}

  int descriptor_;  // -1 once it is closed
  std::size_t slot_;
};

}  // namespace railyard
