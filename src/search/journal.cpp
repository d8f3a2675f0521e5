#include "search/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/fingerprint.h"
#include "base/program.h"

namespace railyard {

namespace {

/// "1 4711 0x1.8p+1 0x1p+0", or "1 4711 ! why not".
std::string line_of(std::size_t level, PointId point, const Outcome& outcome) {
  return fmt::format("{} {} {}", level, point, outcome_text(outcome));
}

}  // namespace

std::string name_of_search(const Problem& problem, const std::vector<std::string>& words) {
  Fingerprint name;
  const auto add = [&](const std::string& word) {
    name.add(word.size());
    for (const char c : word) name.add(static_cast<unsigned char>(c));
  };
  for (const std::string& word : words) add(word);
  for (const Axis& axis : problem.space.axes()) {
    add(axis.name);
    for (const AxisValue& value : axis.values) add(value.text);
  }
  for (const Measure& measure : problem.measures) add(measure.name);
  for (const Level& level : problem.levels) add(level.name);
  return name.text();
}

std::string outcome_text(const Outcome& outcome) {
  std::string text;
  for (const double value : outcome.values) text += fmt::format("{}{:a}", text.empty() ? "" : " ", value);
  if (!outcome.refused.empty()) text += (text.empty() ? "! " : " ! ") + outcome.refused;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::optional<Outcome> read_outcome(const std::string& text) {
  std::istringstream in(text);
  Outcome outcome;
  for (std::string word; in >> word;) {
    if (word == "!") {
      std::getline(in >> std::ws, outcome.refused);
      break;
    }
    char* end = nullptr;
    outcome.values.push_back(std::strtod(word.c_str(), &end));
    if (*end != '\0') return std::nullopt;
  }
  return outcome;
}

bool Journal::take_line(const std::string& line, std::size_t values) {
  std::istringstream in(line);
  std::size_t level = 0;
  PointId point = 0;
  if (!(in >> level >> point)) return false;
  std::string rest;
  std::getline(in >> std::ws, rest);
  std::optional<Outcome> outcome = read_outcome(rest);
  if (!outcome) return false;
  if (outcome->refused.empty() && (outcome->values.empty() || (values > 0 && outcome->values.size() != values))) return false;
  outcomes_[{level, point}] = std::move(*outcome);
  return true;
}

Diagnostics Journal::open(const std::filesystem::path& path, const std::string& question, std::size_t values) {
  const Result<std::vector<std::string>> lines = file_.open(path, {"search", question, program_name()});
  if (!lines) return lines.error();
  for (const std::string& line : *lines)
    if (!take_line(line, values)) return {bad_journal_line(path, line)};
  found_ = outcomes_.size();
  return {};
}

std::optional<Outcome> Journal::find(std::size_t level, PointId point) const {
  const std::lock_guard lock(mutex_);
  const auto found = outcomes_.find({level, point});
  return found == outcomes_.end() ? std::nullopt : std::optional(found->second);
}

void Journal::add(std::size_t level, PointId point, const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  outcomes_[{level, point}] = outcome;
  file_.add(line_of(level, point, outcome));
}

}  // namespace railyard
