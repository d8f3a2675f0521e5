#include "search/line_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/read_text.h"

namespace railyard {

namespace {

constexpr std::size_t kLargestJournal = std::size_t{1} << 32;

Diagnostic journal_refusal(const char* code, const std::filesystem::path& path, std::string message, std::string hint) {
  return {Severity::error, code, std::move(message), std::move(hint), {path.string(), 0, 0}};
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

/// Up to the last newline.
std::size_t whole_lines(const std::string& text) {
  const std::size_t last = text.rfind('\n');
  return last == std::string::npos ? 0 : last + 1;
}

Result<std::string> journal_text(const std::filesystem::path& path) {
  auto read = read_text(path, kLargestJournal);
  if (!read)
    return journal_refusal("RY-SEA-003", path, "this journal cannot be read",
                           "name a file that is yours, or one that is not there");
  return std::move(*read);
}

/// The same question, and not the same program.
bool is_of_another_program(const std::string& line, const JournalHead& head) {
  const std::string question = head.question();
  return line != head.line() && (line == question || line.starts_with(question + " "));
}

Diagnostic another_program(const std::filesystem::path& path, const std::string& line, const JournalHead& head) {
  const std::string question = head.question();
  const std::string writer =
      line == question ? "a railyard that did not say which it was" : "railyard " + line.substr(question.size() + 1);
  return journal_refusal("RY-SEA-004", path,
                         fmt::format("this journal is of {}, and this is railyard {}: what they measure may differ", writer,
                                     head.program.empty() ? "of no name" : head.program),
                         "go on with that program, or name another file");
}

Result<std::vector<std::string>> lines_of(const std::string& text, const std::filesystem::path& path, const JournalHead& head) {
  const std::size_t whole = whole_lines(text);
  const std::string first = head.line(), kind = first.substr(0, first.find(' ') + 1);
  std::istringstream in(text.substr(0, whole));
  std::string line;
  const bool has_head = static_cast<bool>(std::getline(in, line));
  if (has_head && is_of_another_program(line, head)) return another_program(path, line, head);
  if (has_head && line != first)
    return journal_refusal(
        "RY-SEA-002", path,
        (line.starts_with(kind) ? "this journal is of another " : "this file is no journal of a ") + head.kind,
        "name another file; a journal goes with one scenario, its overrides and its axes");
  if (whole == 0 && !std::string_view(first).starts_with(text.substr(0, first.size())))
    return journal_refusal("RY-SEA-002", path, fmt::format("this file is no journal of a {}", head.kind), "name another file");
  std::vector<std::string> lines;
  while (std::getline(in, line)) lines.push_back(line);
  return lines;
}

}  // namespace

Diagnostic bad_journal_line(const std::filesystem::path& path, const std::string& line) {
  return journal_refusal("RY-SEA-002", path, fmt::format("'{}' is no line of a journal", line.substr(0, 60)),
                         "remove the file, or name another");
}

Result<std::vector<std::string>> read_journal_lines(const std::filesystem::path& path, const JournalHead& head) {
  const Result<std::string> text = journal_text(path);
  if (!text) return text.error();
  return lines_of(*text, path, head);
}

LineJournal::~LineJournal() {
  if (file_ >= 0) ::close(file_);
}

Result<std::vector<std::string>> LineJournal::open(const std::filesystem::path& path, const JournalHead& head) {
  const auto unwritable = [&](const std::string& why) {
    return journal_refusal("RY-SEA-003", path, fmt::format("this journal cannot be written: {}", why),
                           "name a file in a folder that is yours");
  };
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {  // looked at before it is opened: it may be somebody's scenario
    Result<std::string> there = journal_text(path);
    if (!there) return there.error();
    if (Result<std::vector<std::string>> lines = lines_of(*there, path, head); !lines) return lines;
  }
  if (file_ >= 0) ::close(file_);
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return unwritable(std::strerror(errno));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) return unwritable("somebody else is writing it");
  Result<std::string> there = journal_text(path);  // whoever wrote it is gone now
  if (!there) return there.error();
  const std::size_t whole = whole_lines(*there);
  Result<std::vector<std::string>> lines = lines_of(*there, path, head);
  if (!lines) return lines;
  if (::ftruncate(file_, static_cast<off_t>(whole)) != 0 || ::lseek(file_, 0, SEEK_END) < 0 ||
      (whole == 0 && !write_all(file_, head.line() + "\n")))
    return unwritable(std::strerror(errno));
  return lines;
}

void LineJournal::add(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');
  const std::lock_guard lock(mutex_);
  if (file_ >= 0 && !write_all(file_, line + "\n")) is_whole_ = false;
}

}  // namespace railyard
