// A file that grows line by line and survives whoever writes it being killed.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace railyard {

/// What a journal is about: "search", the name of the one it belongs to, and the program that writes it (program_name()), where
/// what one program measured is nothing to another. The first line of the file has all.
struct JournalHead {
  std::string kind, name, program = {};

  /// The same of any program.
  [[nodiscard]] std::string question() const { return "railyard-" + kind + "/1 " + name; }
  [[nodiscard]] std::string line() const { return program.empty() ? question() : question() + " " + program; }
};

/// The lines of a file after its head; a last one that was cut off is dropped. RY-SEA-002 where it is of another question, or
/// no journal; RY-SEA-003 where it cannot be read; RY-SEA-004 where another program wrote it, or one that did not say which.
Result<std::vector<std::string>> read_journal_lines(const std::filesystem::path& path, const JournalHead& head);

/// Of the same place and name: a journal's line that cannot be understood.
Diagnostic bad_journal_line(const std::filesystem::path& path, const std::string& line);

/// Thread-safe. Without a file nothing is kept.
class LineJournal {
 public:
  LineJournal() = default;
  ~LineJournal();
  LineJournal(const LineJournal&) = delete;
  LineJournal& operator=(const LineJournal&) = delete;

  /// What the file has, if it exists; from here on it is added to, by this alone. Refused as above, and RY-SEA-003 where it
  /// cannot be written or somebody else writes it.
  Result<std::vector<std::string>> open(const std::filesystem::path& path, const JournalHead& head);

  /// The line is on disk when this returns, as far as the operating system is concerned. Newlines in it become blanks.
  void add(std::string line);

  /// False once something could not be written.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  std::mutex mutex_;
  int file_ = -1;
  bool is_whole_ = true;
};

}  // namespace railyard
