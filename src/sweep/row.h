// What came out at a point.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"

namespace railyard {

/// ok: it was run. failed: the same, but something of it never ends. refused: it cannot be run.
enum class PointStatus : std::uint8_t { ok, failed, refused };
template<>
struct ChoiceNames<PointStatus> {
  static constexpr std::string_view names[] = {"ok", "failed", "refused"};
};

struct SweepRow {
  PointStatus status = PointStatus::ok;
  std::string code, message;   // why, unless it is ok
  std::vector<double> values;  // one for each figure of the sweep; none() where there is none

  static double none() { return std::numeric_limits<double>::quiet_NaN(); }
};

/// Without the number: "ok - 0x1.8p+1 nan".
std::string row_text(const SweepRow& row);
/// Nothing where it is no such text.
std::optional<SweepRow> read_row(std::string_view text, std::size_t figures);

/// A line of a journal, without its newline: "17 ok - 0x1.8p+1 nan", "18 refused RY-SCN-012 ! what is wrong".
std::string row_line(std::size_t point, const SweepRow& row);

/// Nothing where there is no such status.
std::optional<PointStatus> status_called(std::string_view name);

struct NumberedRow {
  std::size_t point = 0;
  SweepRow row;
};
/// Nothing where it is no such line.
std::optional<NumberedRow> read_row_line(std::string_view line, std::size_t figures);

}  // namespace railyard
