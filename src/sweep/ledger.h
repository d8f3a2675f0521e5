// Rows of a sweep as they come: in memory by number, and in a journal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "search/line_journal.h"
#include "sweep/sweep.h"

namespace railyard {

/// Some of the points: those whose number leaves `which` when divided by `of`.
struct SweepShard {
  std::uint32_t which = 0, of = 1;

  [[nodiscard]] bool has(std::size_t point) const { return point % of == which; }
};

/// "3/16", counted from 0. RY-SWP-010 where it is none.
Result<SweepShard> read_shard(const std::string& text);

/// Thread-safe.
class SweepLedger {
 public:
  explicit SweepLedger(const Sweep& sweep) : sweep_(sweep), rows_(sweep.points().size()) {}

  /// Takes what the journal has, if there is one, and adds to it from here on. Refused as LineJournal says.
  Diagnostics open(const std::filesystem::path& path);
  /// Takes what a journal has, and leaves it alone.
  Diagnostics collect(const std::filesystem::path& path);

  /// Keeps a row, on disk too when this returns. A point that has one keeps it.
  void add(std::size_t point, SweepRow row);

  /// Points without a row, in order.
  [[nodiscard]] std::vector<std::size_t> missing(const SweepShard& shard = {}) const;
  /// How many points have a row.
  [[nodiscard]] std::size_t done() const;
  /// Of all points. REQUIRES: none is missing.
  [[nodiscard]] std::vector<SweepRow> rows() const;
  /// False once something could not be written.
  [[nodiscard]] bool is_whole() const { return journal_.is_whole(); }

 private:
  [[nodiscard]] JournalHead head() const { return {"sweep", sweep_.name(), program_name()}; }
  Diagnostics take(const std::vector<std::string>& lines, const std::filesystem::path& path);

  const Sweep& sweep_;
  mutable std::mutex mutex_;
  std::vector<std::optional<SweepRow>> rows_;
  std::size_t done_ = 0;
  LineJournal journal_;
};

}  // namespace railyard
