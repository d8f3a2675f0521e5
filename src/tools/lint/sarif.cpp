// Findings as a log of the Static Analysis Results Interchange Format (OASIS, 2.1.0).
#include <fmt/format.h>

#include <cctype>
#include <map>

#include "tools/lint/lint.h"

namespace railyard {

namespace {

Document text_of(std::string_view text) { return Document(std::string(text)); }

/// A message or description: { "text": … }.
Document message_of(std::string_view text) {
  Document out = Document::object();
  out.set("text", text_of(text));
  return out;
}

/// A path as a URI reference: what has a meaning in URIs is written in hexadecimal.
std::string uri_of(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("/._-~").find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", byte);
  }
  return out.starts_with('/') ? "file://" + out : out;
}

Document rule_document(const LintRule& rule) {
  Document out = Document::object();
  out.set("id", text_of(rule.code));
  out.set("shortDescription", message_of(rule.title));
  out.set("fullDescription", message_of(rule.why));
  out.set("help", message_of(fmt::format("{} Source: {}.", rule.fix, rule.source)));
  out.set("defaultConfiguration", Document::object()).set("level", text_of(name_of(rule.severity)));
  out.set("properties", Document::object()).set("harm", Document(std::int64_t{rule.harm}));
  return out;
}

Document physical_location(const SourceSpan& where) {
  Document physical = Document::object();
  physical.set("artifactLocation", Document::object()).set("uri", text_of(uri_of(where.file)));
  if (where.line > 0) {
    Document& region = physical.set("region", Document::object());
    region.set("startLine", Document(std::int64_t{where.line}));
    if (where.column > 0) region.set("startColumn", Document(std::int64_t{where.column}));
  }
  return physical;
}

/// The place in a file, the device, and its ports.
Document location_of(const LintFinding& finding) {
  Document out = Document::object();
  if (!finding.where.file.empty()) out.set("physicalLocation", physical_location(finding.where));
  Document& logical = out.set("logicalLocations", Document::array());
  const auto add = [&](const std::string& name, const std::string& full, const char* kind) {
    Document& one = logical.push(Document::object());
    one.set("name", text_of(name));
    one.set("fullyQualifiedName", text_of(full));
    one.set("kind", text_of(kind));
  };
  add(finding.device, finding.device, "device");
  for (const std::string& port : finding.ports) add(port, finding.device + "/" + port, "port");
  return out;
}

Document result_document(const LintFinding& finding, std::int64_t index) {
  Document out = Document::object();
  out.set("ruleId", text_of(finding.rule->code));
  out.set("ruleIndex", Document(index));
  out.set("level", text_of(name_of(finding.rule->severity)));
  out.set("message", message_of(fmt::format("{}: {}{}{}", finding.device, finding.message, finding.detail.empty() ? "" : ". ",
                                            finding.detail)));
  out.set("locations", Document::array()).push(location_of(finding));
  out.set("partialFingerprints", Document::object())
      .set("railyardLint/v1", text_of(fmt::format("{}|{}|{}", finding.rule->code, finding.device, finding.message)));
  return out;
}

Document invocation_of(const LintResult& result) {
  Document out = Document::object();
  out.set("executionSuccessful", Document(true));
  Document& notes = out.set("toolExecutionNotifications", Document::array());
  for (const Device::Unread& one : result.unread) {
    Document& note = notes.push(Document::object());
    note.set("level", text_of("note"));
    note.set("message", message_of(fmt::format("not looked at ({} times): {}", one.times, one.statement)));
    if (!one.where.file.empty()) {
      Document location = Document::object();
      location.set("physicalLocation", physical_location(one.where));
      note.set("locations", Document::array()).push(location);
    }
  }
  return out;
}

}  // namespace

Document sarif_document(const LintResult& result, const std::string& version) {
  Document out = Document::object();
  out.set("$schema", text_of("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"));
  out.set("version", text_of("2.1.0"));
  Document run = Document::object();
  Document& driver = run.set("tool", Document::object()).set("driver", Document::object());
  driver.set("name", text_of("railyard lint"));
  driver.set("version", text_of(version));
  Document& rules = driver.set("rules", Document::array());
  std::map<const LintRule*, std::int64_t> indices;
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) {
      indices.emplace(&rule, static_cast<std::int64_t>(indices.size()));
      rules.push(rule_document(rule));
    }
  run.set("invocations", Document::array()).push(invocation_of(result));
  Document& results = run.set("results", Document::array());
  for (const LintFinding& finding : result.findings) results.push(result_document(finding, indices.at(finding.rule)));
  for (const SuppressedFinding& one : result.suppressed) {
    Document& added = results.push(result_document(one.finding, indices.at(one.finding.rule)));
    Document suppression = Document::object();
    suppression.set("kind", text_of("external"));
    suppression.set("justification", text_of(one.reason));
    added.set("suppressions", Document::array()).push(suppression);
  }
  out.set("runs", Document::array()).push(std::move(run));
  return out;
}

}  // namespace railyard
