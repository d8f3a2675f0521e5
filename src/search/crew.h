// Who measures: threads of this process, or of all processes that mpirun started with the same command.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/journal.h"
#include "search/team_work.h"

namespace railyard {

/// Processes of a team all do the same, step by step, and share what takes long: each point is measured by one of them, and all
/// go on with what came out, in the same order. So each finds what one alone would find. Copies are of one crew, and one thread
/// of a process uses it at a time.
class Crew {
 public:
  /// This process alone, with so many threads; 0: as many as the machine has.
  Crew(unsigned threads = 0) : threads_(threads) {}
  /// One of several, each with so many threads, at least one. The link is there as long as this, and nobody else receives by
  /// it.
  Crew(const RailyardTeamLink& link, unsigned threads);

  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] bool is_alone() const { return team_ == nullptr; }
  /// The only one that reads and writes journals, and that anybody hears.
  [[nodiscard]] bool is_first() const;

  /// Before anything is shared, and when all is done: every process says what it is about to do, or why it cannot. What any of
  /// them cannot, and different questions, are refused in all of them (RY-SEA-005).
  [[nodiscard]] Diagnostics agree(const std::string& question, const Diagnostics& own) const;

  /// Texts by number, from 0 on. The first process has those that are `known`, where it has any; each of the others is made on
  /// some thread of some process. REQUIRES: not alone. Throws TeamBroken, Cancelled.
  [[nodiscard]] std::vector<std::string> share(std::size_t count,
                                               const std::function<std::optional<std::string>(std::size_t)>& known,
                                               const MakeText& make,
                                               const std::function<void(std::size_t, const std::string&)>& keep,
                                               Progress& progress) const;

 private:
  struct Team;
  unsigned threads_;
  std::shared_ptr<Team> team_;
};

/// Opens the journal of a search (journal.h) in the first process, and hears whether all search the same.
Diagnostics open_journal(const Crew& crew, Journal& journal, const std::filesystem::path& path, const std::string& question,
                         std::size_t values = 0);

/// Processes of a team went different ways: what they do depends on more than their question.
struct TeamBroken {
  std::string why;
};

/// What a journal knows an outcome by.
struct SearchTrial {
  std::size_t level = 0;
  PointId point = 0;
};

/// Outcomes of trials, in their order: from the journal, or measured by whoever has time and then in the journal. `measure` is
/// called with a number of a trial, by several threads, and each call is kNumberWork of `progress`. Throws TeamBroken,
/// Cancelled.
std::vector<Outcome> measure_trials(const Crew& crew, Journal& journal, const std::vector<SearchTrial>& trials,
                                    const std::function<Outcome(std::size_t, Progress&)>& measure, Progress& progress);

}  // namespace railyard
