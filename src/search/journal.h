// What a search has measured so far, on disk: who is killed goes on from there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "search/line_journal.h"
#include "search/problem.h"

namespace railyard {

/// What a journal is of: axes, measures and levels of the problem, and `words`: all else that outcomes depend on, such as the
/// text of a scenario. Equal searches have equal names.
std::string name_of_search(const Problem& problem, const std::vector<std::string>& words);

/// An outcome as a journal has it, and processes tell it each other: "0x1.8p+1 0x1p+0", "! why not". Newlines in it are blanks.
std::string outcome_text(const Outcome& outcome);
/// Nothing where it is no such text.
std::optional<Outcome> read_outcome(const std::string& text);

/// Outcomes by level and point. Thread-safe. Without a file it only remembers.
class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Reads what the file has, if it exists, and adds to it from here on. A last line that was cut off is dropped. `question`
  /// names what is searched, `values` are those of an outcome (0: any number): RY-SEA-002 where the file is of another
  /// question, or no journal; RY-SEA-003 where it cannot be read or written; RY-SEA-004 where another build of the program
  /// wrote it.
  Diagnostics open(const std::filesystem::path& path, const std::string& question, std::size_t values = 0);

  [[nodiscard]] std::optional<Outcome> find(std::size_t level, PointId point) const;
  /// Each outcome is on disk when this returns, as far as the operating system is concerned.
  void add(std::size_t level, PointId point, const Outcome& outcome);

  /// How many outcomes were in the file.
  [[nodiscard]] std::size_t found() const { return found_; }
  /// False once something could not be written.
  [[nodiscard]] bool is_whole() const { return file_.is_whole(); }

 private:
  bool take_line(const std::string& line, std::size_t values);

  mutable std::mutex mutex_;
  std::map<std::pair<std::size_t, PointId>, Outcome> outcomes_;
  std::size_t found_ = 0;
  LineJournal file_;
};

}  // namespace railyard
