#include "scenario/read/scenario_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/toml.h"
#include "scenario/read/renamed_keys.h"

namespace railyard {

namespace {

constexpr std::size_t kDeepestExtends = 16;
constexpr std::size_t kDeepestOverride = 16;

Diagnostic error(std::string code, SourceSpan where, std::string message, std::string hint) {
  return {Severity::error, std::move(code), std::move(message), std::move(hint), std::move(where)};
}

/// The file at `path` laid over what it extends. `chain` holds the files that led here.
Result<Document> load_extended(const std::filesystem::path& path, const SourceSpan& asked_at, const ReadFile& read,
                               std::vector<std::filesystem::path> chain, Diagnostics& renamed) {
  const std::filesystem::path normal = path.lexically_normal();
  if (std::find(chain.begin(), chain.end(), normal) != chain.end() || chain.size() >= kDeepestExtends)
    return error("RY-SCN-003", asked_at, fmt::format("extends = \"{}\" forms a cycle or is nested too deeply", path.string()),
                 "remove the cycle: let a scenario extend one that extends nothing");
  chain.push_back(normal);
  Result<std::string> text = read(path);
  if (!text) {
    if (asked_at.line == 0) return text.error();
    return error("RY-SCN-001", asked_at, fmt::format("cannot read \"{}\", which this scenario extends", path.string()),
                 "check the path: it is relative to the file that says extends");
  }
  Result<Document> document = parse_toml(*text, path.string(), "RY-SCN-002");
  if (!document) return document;
  *document = with_current_names(*document, renamed);
  const Document* extends = document->find("extends");
  if (!extends) return document;
  if (!extends->text() || extends->text()->empty())
    return error("RY-SCN-011", extends->where(), fmt::format("extends = {} is {}", extends->summary(), extends->kind_name()),
                 "write the path of another scenario as text, \"other.toml\"");
  Result<Document> base =
      load_extended(path.parent_path() / *extends->text(), extends->where(), read, std::move(chain), renamed);
  if (!base) return base;
  return overlay(std::move(*base), *document);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// Whether no value of TOML begins like this, as most that people type do: a word, or a number with a unit after a blank. To
/// see that is much quicker than to let a reader of TOML fail.
bool is_plain_text(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const std::size_t unit = text.find_first_not_of("0123456789.");
  if (text.empty() || unit == std::string::npos) return false;
  if (unit > 0) {
    const std::size_t after = text.find_first_not_of(' ', unit);
    return after > unit && after != std::string::npos && is_letter(text[after]);
  }
  constexpr std::string_view kWords[] = {"true", "false", "inf", "nan"};
  return is_letter(text.front()) &&
         std::none_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return text.starts_with(word); });
}

/// The value of an override: TOML if it is TOML, else text, so that quotes may be left out. An integer that TOML cannot hold
/// stays an integer, the largest there is, and will be found out of range.
Document override_value(const std::string& text, const SourceSpan& where) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() > 18) return Document(std::numeric_limits<std::int64_t>::max(), where);
  if (digits && (text.size() == 1 || text.front() != '0')) return Document(std::int64_t{std::stoll(text)}, where);
  if (is_plain_text(text)) return Document(text, where);
  const Result<Document> parsed = parse_toml("value = " + text, where.file, "RY-SCN-004");
  if (!parsed || parsed->members()->size() != 1) return Document(text, where);
  return Document(parsed->find("value")->value(), where);
}

struct Override {
  std::vector<std::string> path;  // a part may have been in quotes, as TOML has them: failures."spine 0"
  std::string value;
};

/// Nothing if it is not of the form path.to.key=value.
std::optional<Override> split_override(const std::string& text) {
  Override out{{""}, {}};
  char quote = 0;
  std::size_t at = 0;
  for (; at < text.size() && (quote || text[at] != '='); at++) {
    const char c = text[at];
    if (quote ? c == quote : (c == '"' || c == '\'') && trimmed(out.path.back()).empty())
      quote = quote ? 0 : c;
    else if (c == '.' && !quote)
      out.path.emplace_back();
    else
      out.path.back() += c;
  }
  if (at == text.size()) return std::nullopt;
  for (std::string& part : out.path) part = trimmed(part);
  if (std::find(out.path.begin(), out.path.end(), "") != out.path.end() || out.path.size() > kDeepestOverride + 1)
    return std::nullopt;
  out.value = trimmed(text.substr(at + 1));
  return out;
}

/// "transport.mtu=1024" as a document with that one key.
Result<Document> override_document(const std::string& text) {
  const SourceSpan where{"--set " + text, 0, 0};
  const std::optional<Override> given = split_override(text);
  if (!given)
    return error("RY-SCN-004", where, fmt::format("'{}' is not of the form path.to.key=value", text),
                 "write for instance --set transport.mtu=1024");
  if (given->path.front() == "extends")
    return error("RY-SCN-004", where, "extends cannot be set with --set",
                 "write a file that extends both, or name the other one");
  Document inner = override_value(given->value, where);
  for (auto part = given->path.rbegin(); part != given->path.rend(); ++part) {
    Document outer(Document::Object{}, where);
    outer.set(*part, std::move(inner), where);
    inner = std::move(outer);
  }
  return inner;
}

/// `table` without the key at `path` ("transport.dcqcn"); as it is where there is none.
Document without(const Document& table, std::string_view path) {
  const std::string_view first = path.substr(0, path.find('.'));
  Document out(Document::Object{}, table.where());
  for (const Document::Member& member : *table.members()) {
    const bool ends_here = member.key == first && first == path;
    const bool goes_on = member.key == first && first != path && member.value.members();
    if (!ends_here)
      out.append(member.key, goes_on ? without(member.value, path.substr(first.size() + 1)) : member.value, member.where);
  }
  return out;
}

/// The document as if the key of "transport.dcqcn=" had never been written, nor where it comes from.
Result<Document> removed(const Document& document, const std::string& text) {
  const std::string path = current_name(fmt::format("{}", fmt::join(split_override(text)->path, ".")));
  if (path.find('[') != std::string::npos || !document.at_path(path))
    return error("RY-SCN-004", {"--set " + text, 0, 0}, fmt::format("the scenario has no key {} to remove", path),
                 "an empty value removes a key of the file; give one, or leave this out");
  Document out = without(document, path);
  const Document* const origins = out.find("origins");
  if (!origins || !origins->members()) return out;
  Document kept(Document::Object{}, origins->where());
  for (const Document::Member& member : *origins->members())
    if (member.key != path && !member.key.starts_with(path + ".")) kept.set(member.key, member.value, member.where);
  out.set("origins", std::move(kept));
  return out;
}

}  // namespace

Result<Document> load_document(const std::filesystem::path& path, const ReadFile& read, Diagnostics& renamed) {
  return load_extended(path, {}, read, {}, renamed);
}

Result<Document> overridden(Document document, const std::string& text, Diagnostics& renamed) {
  const Result<Document> over = override_document(text);
  if (!over) return over.error();
  if (split_override(text)->value.empty()) return removed(document, text);
  return overlay(std::move(document), with_current_names(*over, renamed));
}

Document with_workload(const Document& document, const std::string& section, const Document& workload) {
  constexpr std::string_view kLeftOut[] = {"model",   "training",   "parallel", "slice", "jitter",
                                           "traffic", "collective", "expect",   "trace"};
  const auto left_out = [&](std::string_view path) {
    const std::string_view part = path.substr(0, path.find('.'));
    return std::find(std::begin(kLeftOut), std::end(kLeftOut), part) != std::end(kLeftOut);
  };
  Document out(Document::Object{}, document.where());
  for (const Document::Member& member : *document.members()) {
    if (left_out(member.key)) continue;
    if (member.key != "origins" || !member.value.members()) {
      out.set(member.key, member.value, member.where);
      continue;
    }
    Document origins(Document::Object{}, member.value.where());
    for (const Document::Member& origin : *member.value.members())
      if (!left_out(origin.key)) origins.set(origin.key, origin.value, origin.where);
    out.set(member.key, std::move(origins), member.where);
  }
  out.set(section, workload, workload.where());
  return out;
}

}  // namespace railyard
