// One file that a command writes.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/temporary_file.h"

namespace railyard {

/// What a file is, whatever it is called: its device and its number there.
using FileIdentity = std::pair<dev_t, ino_t>;

/// Of what a path leads to; none where that is nothing, or a device that anybody may write to at any time.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

/// A regular file appears whole or not at all, where links lead to, with the permissions of the one it replaces. A device, a
/// pipe or an open descriptor (/dev/fd/3) is written through. "-" is standard output, and so is whatever else leads there; it
/// gets what is written byte by byte.
class OutputFile {
 public:
  /// `option` is what named it: "--json".
  OutputFile(std::string option, std::string name) : option_(std::move(option)), name_(std::move(name)) {}
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // what is not finished does not appear

  /// Finds where it leads and makes sure that it can be written. Opens what is written through, tries a folder with a file.
  /// Returns what is wrong, if anything.
  [[nodiscard]] std::optional<std::string> prepare();

  [[nodiscard]] const std::string& option() const { return option_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_standard_output() const { return kind_ == Kind::standard_output; }

  // REQUIRES from here on: prepare() found nothing wrong.

  /// Whether both would be written to one place. Several may go to one device.
  [[nodiscard]] bool is_same_place(const OutputFile& other) const;
  [[nodiscard]] bool is(const FileIdentity& file) const { return identity_ == file; }

  /// Adds to it; what is wrong shows when it is finished.
  void write(std::string_view text);

  /// Returns what is wrong, if anything.
  [[nodiscard]] std::optional<std::string> finish();

 private:
  enum class Kind { standard_output, regular, through };

  std::optional<std::string> follow_links();
  std::optional<std::string> open_descriptor(int descriptor);
  std::optional<std::string> prepare_place();
  void flush(std::string_view text);
  [[nodiscard]] std::string cannot(int error) const;

  std::string option_, name_;
  Kind kind_ = Kind::regular;
  std::filesystem::path place_;  // behind all links
  std::optional<FileIdentity> identity_, folder_;
  mode_t mode_ = 0666;
  int descriptor_ = -1;  // of what is written through
  std::optional<TemporaryFile> temporary_;
  std::string waiting_;  // text
  int error_ = 0;
};

}  // namespace railyard
