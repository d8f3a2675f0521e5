// Everything that a command writes to files, and what it must leave alone.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output_file.h"

namespace railyard {

/// The outputs of a command. They are prepared before it begins, so that a long run does not end with a sentence about a
/// folder; none is written over another or over what was read, whatever it is called there. Sentences go to stderr.
class Outputs {
 public:
  /// An output that was asked for: "--json", "results.json".
  void add(std::string option, std::string file) { files_.emplace_back(std::move(option), std::move(file)); }

  /// False (and a sentence) if one cannot be written, or two are the same.
  [[nodiscard]] bool prepare();

  /// True (and a sentence) if one of them is `file`, which `option` names and something else writes.
  [[nodiscard]] bool has_taken(std::string_view option, const std::filesystem::path& file) const;

  /// Whether `option` goes to standard output, by whatever name.
  [[nodiscard]] bool goes_to_standard_output(std::string_view option) const;

  /// From here on `paths` are not written over. For several threads.
  void keep(const std::vector<std::filesystem::path>& paths);

  /// True (and a sentence) if an output is among what is kept: better said before a run than after it.
  [[nodiscard]] bool overwrite_inputs() const;

  // REQUIRES below: the option was added.

  [[nodiscard]] OutputFile& file(std::string_view option);

  /// Writes all of one. False (and a sentence) if it could not be; then no file has appeared.
  bool write(std::string_view option, std::string_view text);

  /// Writes one file of a folder that `option` names. False as above.
  bool write_to_folder(const std::string& option, const std::filesystem::path& folder, const std::string& name,
                       std::string_view text) const;

  /// Removes one that an earlier command wrote there, unless it was read.
  void remove_from_folder(const std::filesystem::path& folder, const std::string& name) const;

  /// Ends one that was written bit by bit. False as above.
  bool finish(std::string_view option);

 private:
  [[nodiscard]] bool overwrites_input(const OutputFile& file) const;

  std::vector<OutputFile> files_;
  std::vector<FileIdentity> kept_;
  mutable std::mutex mutex_;  // of kept_
};

}  // namespace railyard
