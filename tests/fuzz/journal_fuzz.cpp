// Any bytes as the journal of a search: its lines are read or refused; an outcome that is read is written and read the same.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "search/journal.h"
#include "search/line_journal.h"

namespace {

using namespace railyard;

void look_at_outcome(const std::string& line) {
  const std::optional<Outcome> outcome = read_outcome(line);
  if (!outcome) return;
  const std::string written = outcome_text(*outcome);
  const std::optional<Outcome> again = read_outcome(written);
  RY_CHECK(again && outcome_text(*again) == written, "outcomes survive a journal");
}

void look_at_file(std::string_view text, const JournalHead& head) {
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  RY_CHECK(file >= 0, "a file in memory can be made");
  RY_CHECK(::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "it has room");
  const auto lines = read_journal_lines("/proc/self/fd/" + std::to_string(file), head);
  ::close(file);
  if (!lines) {
    RY_CHECK(!lines.error().empty(), "a refusal has a reason");
    for (const Diagnostic& one : lines.error()) (void)to_text(one);
    return;
  }
  for (const std::string& line : *lines) {
    RY_CHECK(line.find('\n') == std::string::npos, "a line is one");
    look_at_outcome(line);
    if (const std::size_t blank = line.find(' ', line.find(' ') + 1); blank != std::string::npos)
      look_at_outcome(line.substr(blank + 1));  // behind its level and its point
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const JournalHead head{"search", "fuzz", "1"};
  look_at_file(text, head);
  look_at_file(head.line() + "\n" + text, head);
  look_at_outcome(text);
  return 0;
}
