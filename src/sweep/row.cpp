#include "sweep/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace railyard {

std::string row_line(std::size_t point, const SweepRow& row) {
  std::string line = fmt::format("{} {} {}", point, name_of(row.status), row.code.empty() ? "-" : row.code);
  for (const double value : row.values)
    if (std::isnan(value))
      line += " -";
    else
      fmt::format_to(std::back_inserter(line), " {:a}", value);
  if (!row.message.empty()) line += " ! " + row.message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::optional<PointStatus> status_called(std::string_view name) {
  const auto* const found =
      std::find(std::begin(ChoiceNames<PointStatus>::names), std::end(ChoiceNames<PointStatus>::names), name);
  if (found == std::end(ChoiceNames<PointStatus>::names)) return std::nullopt;
  return static_cast<PointStatus>(found - std::begin(ChoiceNames<PointStatus>::names));
}

std::optional<NumberedRow> read_row_line(std::string_view line, std::size_t figures) {
  NumberedRow out;
  std::istringstream in{std::string(line)};
  std::string status;
  if (!(in >> out.point >> status >> out.row.code)) return std::nullopt;
  const std::optional<PointStatus> known = status_called(status);
  if (!known) return std::nullopt;
  out.row.status = *known;
  if (out.row.code == "-") out.row.code.clear();
  for (std::string word; in >> word;) {
    if (word == "!") {
      std::getline(in >> std::ws, out.row.message);
      break;
    }
    char* end = nullptr;
    out.row.values.push_back(word == "-" ? SweepRow::none() : std::strtod(word.c_str(), &end));
    if (end && *end != '\0') return std::nullopt;
  }
  return out.row.values.size() == figures ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace railyard
