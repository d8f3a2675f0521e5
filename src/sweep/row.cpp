#include "sweep/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace railyard {

std::string row_text(const SweepRow& row) {
  std::string line = fmt::format("{} {}", name_of(row.status), row.code.empty() ? "-" : row.code);
  for (const double value : row.values)
    if (std::isnan(value))
      line += " -";
    else
      fmt::format_to(std::back_inserter(line), " {:a}", value);
  if (!row.message.empty()) line += " ! " + row.message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string row_line(std::size_t point, const SweepRow& row) { return fmt::format("{} {}", point, row_text(row)); }

std::optional<PointStatus> status_called(std::string_view name) {
  const auto* const found =
      std::find(std::begin(ChoiceNames<PointStatus>::names), std::end(ChoiceNames<PointStatus>::names), name);
  if (found == std::end(ChoiceNames<PointStatus>::names)) return std::nullopt;
  return static_cast<PointStatus>(found - std::begin(ChoiceNames<PointStatus>::names));
}

std::optional<SweepRow> read_row(std::string_view text, std::size_t figures) {
  SweepRow row;
  std::istringstream in{std::string(text)};
  std::string status;
  if (!(in >> status >> row.code)) return std::nullopt;
  const std::optional<PointStatus> known = status_called(status);
  if (!known) return std::nullopt;
  row.status = *known;
  if (row.code == "-") row.code.clear();
  for (std::string word; in >> word;) {
    if (word == "!") {
      std::getline(in >> std::ws, row.message);
      break;
    }
    char* end = nullptr;
    row.values.push_back(word == "-" ? SweepRow::none() : std::strtod(word.c_str(), &end));
    if (end && *end != '\0') return std::nullopt;
  }
  return row.values.size() == figures ? std::optional(std::move(row)) : std::nullopt;
}

std::optional<NumberedRow> read_row_line(std::string_view line, std::size_t figures) {
  std::size_t point = 0;
  const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), point);
  if (problem != std::errc()) return std::nullopt;
  std::optional<SweepRow> row = read_row(line.substr(static_cast<std::size_t>(end - line.data())), figures);
  return row ? std::optional(NumberedRow{point, std::move(*row)}) : std::nullopt;
}

}  // namespace railyard
