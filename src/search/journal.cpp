#include "search/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/fingerprint.h"
#include "base/read_text.h"

namespace railyard {

namespace {

constexpr std::string_view kKind = "railyard-search/1 ";
constexpr std::size_t kLargestJournal = std::size_t{1} << 32;

Diagnostic refusal(const char* code, const std::filesystem::path& path, std::string message, std::string hint) {
  return {Severity::error, code, std::move(message), std::move(hint), {path.string(), 0, 0}};
}

/// "1 4711 0x1.8p+1 0x1p+0", or "1 4711 ! why not".
std::string line_of(std::size_t level, PointId point, const Outcome& outcome) {
  std::string line = fmt::format("{} {}", level, point);
  if (!outcome.refused.empty()) {
    std::string why = outcome.refused;
    for (char& c : why)
      if (c == '\n') c = ' ';
    return line + " ! " + why + "\n";
  }
  for (const double value : outcome.values) line += fmt::format(" {:a}", value);
  return line + "\n";
}

bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
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

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

bool Journal::take_line(const std::string& line) {
  std::istringstream in(line);
  std::size_t level = 0;
  PointId point = 0;
  if (!(in >> level >> point)) return false;
  Outcome outcome;
  for (std::string word; in >> word;) {
    if (word == "!") {
      std::getline(in >> std::ws, outcome.refused);
      break;
    }
    char* end = nullptr;
    outcome.values.push_back(std::strtod(word.c_str(), &end));
    if (*end != '\0') return false;
  }
  outcomes_[{level, point}] = std::move(outcome);
  return true;
}

Diagnostics Journal::open(const std::filesystem::path& path, const std::string& question) {
  const std::string head = std::string(kKind) + question;
  std::string text;
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  if (exists) {
    auto read = read_text(path, kLargestJournal);
    if (!read)
      return {
          refusal("RY-SEA-003", path, "this journal cannot be read", "name a file that is yours, or one that is not there")};
    text = std::move(*read);
  }
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  if (std::getline(lines, line) && line != head)
    return {refusal("RY-SEA-002", path,
                    line.starts_with(kKind) ? "this journal is of another search" : "this file is no journal of a search",
                    "name another file; a journal goes with one scenario, its overrides and its axes")};
  if (whole == 0 && !std::string_view(head).starts_with(text.substr(0, head.size())))
    return {refusal("RY-SEA-002", path, "this file is no journal of a search", "name another file")};
  while (std::getline(lines, line))
    if (!take_line(line))
      return {refusal("RY-SEA-002", path, fmt::format("'{}' is no line of a journal", line.substr(0, 60)),
                      "remove the file, or name another")};
  found_ = outcomes_.size();
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(whole)) != 0 || ::lseek(file_, 0, SEEK_END) < 0 ||
      (whole == 0 && !write_all(file_, head + "\n")))
    return {refusal("RY-SEA-003", path, fmt::format("this journal cannot be written: {}", std::strerror(errno)),
                    "name a file in a folder that is yours")};
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
  if (file_ >= 0 && !write_all(file_, line_of(level, point, outcome))) is_whole_ = false;
}

}  // namespace railyard
