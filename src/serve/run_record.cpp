#include "serve/run_record.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/check.h"
#include "base/printable.h"

namespace railyard {

namespace {

constexpr std::string_view kStates[] = {"queued", "running", "finished", "failed", "cancelled", "lost"};
constexpr std::size_t kIdDigits = 32;

std::string text_at(const Document& document, std::string_view key) {
  const Document* const value = document.find(key);
  return value && value->text() ? *value->text() : std::string();
}

std::int64_t integer_at(const Document& document, std::string_view key) {
  const Document* const value = document.find(key);
  return value && value->integer() ? *value->integer() : 0;
}

Severity severity_called(const std::string& name) {
  return name == "note" ? Severity::note : name == "warning" ? Severity::warning : Severity::error;
}

}  // namespace

std::string_view name_of(ServedState state) { return kStates[static_cast<std::size_t>(state)]; }

bool has_ended(ServedState state) { return state != ServedState::queued && state != ServedState::running; }

Document problems_document(const Diagnostics& problems) {
  Document out = Document::array();
  for (const Diagnostic& one : problems) {
    Document& item = out.push(Document::object());
    item.set("severity", Document(std::string(name_of(one.severity))));
    item.set("code", Document(one.code));
    item.set("message", Document(one.message));
    item.set("hint", Document(one.hint));
    item.set("file", Document(one.where.file));
    item.set("line", Document(std::int64_t{one.where.line}));
    item.set("column", Document(std::int64_t{one.where.column}));
  }
  return out;
}

Diagnostics read_problems(const Document* list) {
  Diagnostics out;
  if (!list || !list->items()) return out;
  for (const Document& item : *list->items())
    out.push_back({severity_called(text_at(item, "severity")),
                   text_at(item, "code"),
                   text_at(item, "message"),
                   text_at(item, "hint"),
                   {text_at(item, "file"), static_cast<std::uint32_t>(integer_at(item, "line")),
                    static_cast<std::uint32_t>(integer_at(item, "column"))}});
  return out;
}

Document run_document(const RunRecord& run) {
  Document out = Document::object();
  out.set("id", Document(run.id));
  out.set("name", Document(run.name));
  out.set("state", Document(std::string(name_of(run.state))));
  out.set("created_ms", Document(run.created_ms));
  out.set("started_ms", Document(run.started_ms));
  out.set("ended_ms", Document(run.ended_ms));
  out.set("share", Document(run.share));
  out.set("now", Document(run.now));
  out.set("diagnostics", problems_document(run.problems));
  return out;
}

std::optional<RunRecord> read_run(const Document& document) {
  RunRecord run{.id = text_at(document, "id"), .name = text_at(document, "name")};
  const auto state = std::find(std::begin(kStates), std::end(kStates), text_at(document, "state"));
  if (!is_run_id(run.id) || state == std::end(kStates)) return std::nullopt;
  run.state = static_cast<ServedState>(state - std::begin(kStates));
  run.created_ms = integer_at(document, "created_ms");
  run.started_ms = integer_at(document, "started_ms");
  run.ended_ms = integer_at(document, "ended_ms");
  run.share = run.state == ServedState::finished ? 1 : 0;
  run.problems = read_problems(document.find("diagnostics"));
  return run;
}

std::string new_run_id() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, kIdDigits / 2> bytes{};
  RY_CHECK(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "the system has random numbers");
  std::string id;
  for (const unsigned char byte : bytes) (id += kDigits[byte >> 4U]) += kDigits[byte & 15U];
  return id;
}

bool is_run_id(std::string_view text) {
  return text.size() == kIdDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string title_of_scenario(std::string_view text) {
  constexpr std::string_view kNone = "scenario", kBlank = " \t";
  constexpr std::size_t kLongest = 200;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos) continue;
    if (line[first] == '[') break;  // a section: names in it are others'
    if (line.substr(first, 4) != "name") continue;
    const std::size_t open = line.find_first_of("\"'"), equals = line.find('=');
    if (open == std::string_view::npos || equals == std::string_view::npos || equals > open) continue;
    const std::size_t close = line.find(line[open], open + 1);
    if (close == std::string_view::npos || close == open + 1) continue;
    return printable(line.substr(open + 1, std::min(close - open - 1, kLongest)));
  }
  return std::string(kNone);
}

}  // namespace railyard
