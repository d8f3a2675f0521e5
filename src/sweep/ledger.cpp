#include "sweep/ledger.h"

#include <fmt/format.h>

#include <charconv>

#include "base/check.h"

namespace railyard {

Result<SweepShard> read_shard(const std::string& text) {
  SweepShard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.which);
  if (first == std::errc() && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, shard.of);
    if (second == std::errc() && rest == end && shard.which < shard.of) return shard;
  }
  return Diagnostic{Severity::error,
                    "RY-SWP-010",
                    fmt::format("'{}' is no part of a sweep", text),
                    "write for instance --shard 0/16 to --shard 15/16",
                    {}};
}

Diagnostics SweepLedger::take(const std::vector<std::string>& lines, const std::filesystem::path& path) {
  for (const std::string& line : lines) {
    std::optional<NumberedRow> read = read_row_line(line, sweep_.figures().size());
    if (!read || read->point >= rows_.size()) return {bad_journal_line(path, line)};
    if (rows_[read->point]) continue;
    rows_[read->point] = std::move(read->row);
    done_++;
  }
  return {};
}

Diagnostics SweepLedger::open(const std::filesystem::path& path) {
  const Result<std::vector<std::string>> lines = journal_.open(path, head());
  return lines ? take(*lines, path) : lines.error();
}

Diagnostics SweepLedger::collect(const std::filesystem::path& path) {
  const Result<std::vector<std::string>> lines = read_journal_lines(path, head());
  return lines ? take(*lines, path) : lines.error();
}

void SweepLedger::add(std::size_t point, SweepRow row) {
  const std::lock_guard lock(mutex_);
  RY_CHECK(point < rows_.size(), "a row is of a point of the sweep");
  if (rows_[point]) return;
  journal_.add(row_line(point, row));
  rows_[point] = std::move(row);
  done_++;
}

std::size_t SweepLedger::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::vector<std::size_t> SweepLedger::missing(const SweepShard& shard) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < rows_.size(); p++)
    if (shard.has(p) && !rows_[p]) out.push_back(p);
  return out;
}

std::vector<SweepRow> SweepLedger::rows() const {
  const std::lock_guard lock(mutex_);
  std::vector<SweepRow> out;
  for (const std::optional<SweepRow>& row : rows_) {
    RY_CHECK(row, "a sweep that is shown is whole");
    out.push_back(*row);
  }
  return out;
}

}  // namespace railyard
