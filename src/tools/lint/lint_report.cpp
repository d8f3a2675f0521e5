#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/quantity_text.h"
#include "tools/lint/lint.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(n), n == 1 ? one : many);
}

std::string looked_at(const LintResult& r) {
  std::vector<std::string> parts;
  if (r.switches != 0) parts.push_back(counted(r.switches, "switch", "switches"));
  if (r.hosts != 0) parts.push_back(counted(r.hosts, "host", "hosts"));
  if (r.jobs != 0) parts.push_back(counted(r.jobs, "job", "jobs"));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); i++) text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text.empty() ? "nothing" : text;
}

std::size_t count_of(const LintResult& r, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(r.findings.begin(), r.findings.end(), [&](const LintFinding& f) { return f.rule->severity == severity; }));
}

/// "leaf01 (Ethernet0, Ethernet8), leaf02 and 6 more"
std::string devices_text(const LintEntry& entry) {
  constexpr std::size_t kNamed = 5;  // as many as some_of shows
  std::vector<std::string> names;
  std::map<std::string, std::size_t> known;
  for (const LintFinding* finding : entry.at) {
    if (!known.try_emplace(finding->device, names.size()).second) continue;
    std::set<std::string> ports;
    if (names.size() < kNamed)
      for (const LintFinding* other : entry.at)
        if (other->device == finding->device) ports.insert(other->ports.begin(), other->ports.end());
    names.push_back(ports.empty() ? finding->device
                                  : fmt::format("{} ({})", finding->device, some_of({ports.begin(), ports.end()})));
  }
  return some_of(names);
}

std::string answer(const LintResult& r, const std::vector<LintEntry>& entries) {
  if (entries.empty()) return fmt::format("Nothing found at {}.", looked_at(r));
  std::set<std::string> devices;
  for (const LintFinding& finding : r.findings) devices.insert(finding.device);
  const LintEntry& worst = entries.front();
  return fmt::format("{} at {} of {}. The worst, {}, at {}: {}.", counted(r.findings.size(), "finding", "findings"),
                     counted(devices.size(), "device", "devices"), looked_at(r), worst.rule->code, devices_text(worst),
                     worst.message);
}

std::string entry_text(const LintEntry& entry) {
  std::string text = fmt::format("{} {}: {}", entry.rule->code, devices_text(entry), entry.message);
  if (text.back() != '.') text += '.';
  if (!entry.detail.empty()) text += " " + entry.detail;
  text += fmt::format(" {}", entry.rule->fix);
  const SourceSpan& where = entry.at.front()->where;
  return where.file.empty() ? text : fmt::format("{} [{}]", text, to_text(where));
}

void add_entries(const std::vector<LintEntry>& entries, Severity severity, const char* title, Report& report) {
  Report::Section section{title, {}};
  for (const LintEntry& entry : entries)
    if (entry.rule->severity == severity) section.blocks.emplace_back(entry_text(entry));
  if (!section.blocks.empty()) report.sections.push_back(std::move(section));
}

void add_unread(const LintResult& r, Report& report) {
  if (r.unread.empty()) return;
  constexpr std::size_t kMost = 20;
  TextTable table{{"times", "statement", "first at"}, {Align::right}, {}};
  for (std::size_t i = 0; i < std::min(kMost, r.unread.size()); i++)
    table.rows.push_back({format_count(r.unread[i].times), shortened(r.unread[i].statement, 60), to_text(r.unread[i].where)});
  Report::Section section{"Not looked at", {table}};
  if (r.unread.size() > kMost)
    section.blocks.emplace_back(
        fmt::format("… and {} more kinds of statements; --json lists them all.", r.unread.size() - kMost));
  report.sections.push_back(std::move(section));
}

Document place_document(const SourceSpan& where) {
  Document out = Document::object();
  out.set("file", Document(where.file));
  out.set("line", Document(std::int64_t{where.line}));
  out.set("column", Document(std::int64_t{where.column}));
  return out;
}

Document finding_document(const LintFinding& finding) {
  Document out = Document::object();
  out.set("code", Document(std::string(finding.rule->code)));
  out.set("severity", Document(std::string(name_of(finding.rule->severity))));
  out.set("harm", Document(std::int64_t{finding.rule->harm}));
  out.set("title", Document(std::string(finding.rule->title)));
  out.set("device", Document(finding.device));
  Document& ports = out.set("ports", Document::array());
  for (const std::string& port : finding.ports) ports.push(Document(port));
  out.set("message", Document(finding.message));
  if (!finding.detail.empty()) out.set("detail", Document(finding.detail));
  out.set("fix", Document(std::string(finding.rule->fix)));
  if (!finding.where.file.empty()) out.set("where", place_document(finding.where));
  return out;
}

}  // namespace

Report lint_report(const LintResult& result) {
  const std::vector<LintEntry> entries = lint_entries(result);
  Report report{"Configurations", {}};
  report.sections.push_back({"", {answer(result, entries)}});
  add_entries(entries, Severity::error, "Errors", report);
  add_entries(entries, Severity::warning, "Warnings", report);
  add_entries(entries, Severity::note, "Notes", report);
  if (!result.suppressed.empty()) {
    std::map<std::string, std::size_t> reasons;
    for (const SuppressedFinding& one : result.suppressed)
      reasons[fmt::format("{} ({})", one.finding.rule->code, one.reason)]++;
    Report::Section section{"Suppressed by the policy", {}};
    for (const auto& [reason, times] : reasons) section.blocks.emplace_back(fmt::format("{} × {}", times, reason));
    report.sections.push_back(std::move(section));
  }
  if (!result.owners.empty() && !entries.empty()) {
    std::set<std::string> devices;
    for (const LintFinding& finding : result.findings) devices.insert(finding.device);
    TextTable table{{"device", "owner"}, {}, {}};
    for (const auto& [device, owner] : result.owners)
      if (devices.contains(device)) table.rows.push_back({device, owner});
    if (!table.rows.empty()) report.sections.push_back({"Whom to ask", {table}});
  }
  add_unread(result, report);
  return report;
}

Document lint_document(const LintResult& result) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-lint/1")));
  Document& looked = out.set("looked_at", Document::object());
  for (const auto& [name, count] :
       {std::pair{"switches", result.switches}, {"hosts", result.hosts}, {"jobs", result.jobs}, {"ports", result.ports}})
    looked.set(name, Document(static_cast<std::int64_t>(count)));
  Document& counts = out.set("counts", Document::object());
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
    counts.set(name_of(severity), Document(static_cast<std::int64_t>(count_of(result, severity))));
  counts.set("suppressed", Document(static_cast<std::int64_t>(result.suppressed.size())));
  Document& findings = out.set("findings", Document::array());
  for (const LintFinding& finding : result.findings) findings.push(finding_document(finding));
  Document& suppressed = out.set("suppressed", Document::array());
  for (const SuppressedFinding& one : result.suppressed)
    suppressed.push(finding_document(one.finding)).set("reason", Document(one.reason));
  Document& unread = out.set("unread", Document::array());
  for (const Device::Unread& one : result.unread) {
    Document& statement = unread.push(Document::object());
    statement.set("statement", Document(one.statement));
    statement.set("times", Document(std::int64_t{one.times}));
    statement.set("where", place_document(one.where));
  }
  return out;
}

}  // namespace railyard
