#include "tools/claims/claims_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/command_text.h"
#include "tools/claims/judge.h"
#include "tools/claims/ledger.h"

namespace railyard {

namespace {

std::size_t count(std::span<const LedgerLine> lines, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [&](const LedgerLine& line) { return line.finding.verdict == verdict; }));
}

std::vector<const LedgerLine*> of_topic(std::span<const LedgerLine> lines, std::string_view topic) {
  std::vector<const LedgerLine*> some;
  for (const LedgerLine& line : lines)
    if (line.claim->topic == topic) some.push_back(&line);
  return some;
}

std::string found_or_dash(const LedgerLine& line) { return finding_text(*line.claim, line.finding); }

std::string title_of(std::string_view topic) {
  if (topic == "mfu") return "MFU";
  std::string title(topic);
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

std::string primary_text(const Claim& claim) {
  return claim.primary ? fmt::format(" Primary source: {} ({}).", claim.primary->value, claim.primary->source) : std::string();
}

std::string command_of(const ClaimValue& value) {
  if (value.command == ClaimCommand::run) return run_command_text(value.scenario, value.set);
  if (value.command == ClaimCommand::jobs)
    return fmt::format("railyard run {} --no-advice{}", shell_word(value.scenario), set_words(value.set));
  const std::string option = value.command == ClaimCommand::faults ? "--singles" : "--no-advice --runs 100";
  return fmt::format("railyard {} {} {}{}", name_of(value.command), shell_word(value.scenario), option, set_words(value.set));
}

TextTable topic_table(std::span<const LedgerLine* const> lines) {
  TextTable table{
      {"claimed", "found", "verdict", "claim (document, id)"}, {Align::right, Align::right, Align::left, Align::left}, {}};
  for (const LedgerLine* line : lines) {
    const Claim& claim = *line->claim;
    table.rows.push_back({claimed_text(claim), found_or_dash(*line), std::string(name_of(line->finding.verdict)),
                          fmt::format("{} ({}, {})", claim_text(claim, line->finding), claim.document, claim.id)});
  }
  return table;
}

std::string summary_sentence(std::span<const LedgerLine> lines) {
  return fmt::format("{} claims: {} reproduced, {} plausible, {} conditional, {} contradicted, {} not testable.", lines.size(),
                     count(lines, Verdict::reproduced), count(lines, Verdict::plausible), count(lines, Verdict::conditional),
                     count(lines, Verdict::contradicted), count(lines, Verdict::not_testable));
}

Document text(std::string words) { return Document(std::move(words)); }

Document value_document(const ClaimValue& value, const Finding& finding) {
  Document out = Document::object();
  out.set("name", text(value.name));
  if (value.from_run()) {
    out.set("command", text(command_of(value)));
    out.set("path", text(value.path));
    if (value.fold != Fold::one) out.set("fold", text(std::string(name_of(value.fold))));
  } else {
    out.set("status", text(std::string(name_of(*value.status))));
    out.set("source", text(value.source));
  }
  for (const auto& [name, number] : finding.values)
    if (name == value.name) out.set("value", Document(number));
  return out;
}

Document test_document(const LedgerLine& line) {
  const Claim& claim = *line.claim;
  Document out = Document::object();
  out.set("kind", text(std::string(name_of(claim.test))));
  const auto run = std::find_if(claim.values.begin(), claim.values.end(), [](const ClaimValue& v) { return v.from_run(); });
  if (run != claim.values.end()) {
    Document set = Document::array();
    for (const std::string& one : run->set) set.push(text(one));
    out.set("scenario", text(run->scenario));
    out.set("set", std::move(set));
    out.set("path", text(run->path));
    out.set("command", text(command_of(*run)));
  }
  if (!claim.expression.empty()) out.set("formula", text(claim.expression));
  if (!claim.otherwise.empty()) out.set("otherwise_formula", text(claim.otherwise));
  if (claim.values.empty()) return out;
  Document values = Document::array();
  for (const ClaimValue& value : claim.values) values.push(value_document(value, line.finding));
  out.set("values", std::move(values));
  return out;
}

Document line_document(const LedgerLine& line) {
  const Claim& claim = *line.claim;
  Document out = Document::object();
  out.set("id", text(claim.id));
  out.set("topic", text(claim.topic));
  out.set("document", text(claim.document));
  out.set("section", text(claim.location));
  out.set("place", text(claim.location));  // the old name, for one version
  out.set("claim", text(claim.claim));
  out.set("claimed", text(claimed_text(claim)));
  if (claim.low) out.set("low", Document(*claim.low));
  if (claim.high) out.set("high", Document(*claim.high));
  out.set("unit", text(claim.unit));
  out.set("test", test_document(line));
  if (line.finding.found) {
    out.set("found", Document(*line.finding.found));
    out.set("found_text", text(found_text(claim, *line.finding.found)));
  }
  if (line.finding.otherwise) {
    out.set("only_when", text(claim.only_when));
    out.set("otherwise", Document(*line.finding.otherwise));
    out.set("otherwise_text", text(found_text(claim, *line.finding.otherwise)));
  }
  out.set("verdict", text(std::string(name_of(line.finding.verdict))));
  out.set("why", text(why_text(claim, line.finding)));
  if (!claim.primary) return out;
  Document primary = Document::object();
  primary.set("verdict", text(claim.primary->verdict));
  primary.set("value", text(claim.primary->value));
  primary.set("source", text(claim.primary->source));
  out.set("primary", std::move(primary));
  return out;
}

/// A cell of a Markdown table.
std::string cell(std::string words) {
  for (std::size_t at = words.find('|'); at != std::string::npos; at = words.find('|', at + 2)) words.insert(at, "\\");
  return words;
}

}  // namespace

std::vector<LedgerLine> recorded_lines(const Ledger& ledger) {
  std::vector<LedgerLine> lines;
  for (std::size_t i = 0; i < ledger.claims.size(); i++)
    lines.push_back({&ledger.claims[i], ledger.recorded[i].value_or(Finding{})});
  return lines;
}

Report claims_report(std::span<const LedgerLine> lines) {
  Report report{"What five documents claim, and what was found", {{"", {summary_sentence(lines)}}}};
  for (const std::string_view topic : claim_topics())
    if (const auto some = of_topic(lines, topic); !some.empty())
      report.sections.push_back({title_of(topic), {topic_table(some)}});
  for (const auto& [title, verdict] : {std::pair("What holds under a condition", Verdict::conditional),
                                       std::pair("What contradicts them", Verdict::contradicted)}) {
    Report::Section evidence{title, {}};
    for (const LedgerLine& line : lines)
      if (line.finding.verdict == verdict)
        evidence.blocks.emplace_back(
            fmt::format("{}: {}{}", line.claim->id, why_text(*line.claim, line.finding), primary_text(*line.claim)));
    if (!evidence.blocks.empty()) report.sections.push_back(std::move(evidence));
  }
  return report;
}

Report::Section contradictions_section(std::span<const LedgerLine> lines, std::size_t most_per_topic) {
  TextTable table{{"claimed", "found", "claim (id)"}, {Align::right, Align::right, Align::left}, {}};
  std::map<std::string_view, std::size_t> told;
  std::size_t left_out = 0;
  for (const LedgerLine& line : lines) {
    if (line.finding.verdict != Verdict::contradicted || line.claim->test != ClaimTest::run) continue;
    if (++told[line.claim->topic] > most_per_topic)
      left_out++;
    else
      table.rows.push_back(
          {claimed_text(*line.claim), found_or_dash(line), fmt::format("{} ({})", line.claim->claim, line.claim->id)});
  }
  Report::Section section{"Where runs contradict the documents", {}};
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(
      fmt::format("{}{} As last recorded: railyard claims --recorded shows all, railyard claims runs them again.",
                  summary_sentence(lines), left_out == 0 ? "" : fmt::format(" {} more are contradicted by runs.", left_out)));
  return section;
}

Document claims_document(std::span<const LedgerLine> lines) {
  Document summary = Document::object();
  summary.set("claims", Document(static_cast<std::int64_t>(lines.size())));
  for (const Verdict verdict :
       {Verdict::reproduced, Verdict::plausible, Verdict::conditional, Verdict::contradicted, Verdict::not_testable})
    summary.set(name_of(verdict), Document(static_cast<std::int64_t>(count(lines, verdict))));
  Document claims = Document::array();
  for (const LedgerLine& line : lines) claims.push(line_document(line));
  Document out = Document::object();
  out.set("schema", text("railyard-claims/1"));
  out.set("summary", std::move(summary));
  out.set("claims", std::move(claims));
  return out;
}

std::string claims_markdown(std::span<const LedgerLine> lines) {
  std::string page = summary_sentence(lines) + "\n";
  for (const std::string_view topic : claim_topics()) {
    const auto some = of_topic(lines, topic);
    if (some.empty()) continue;
    page += fmt::format(
        "\n### {}\n\n| id | document | claim | claimed | found | test | verdict | evidence "
        "|\n|---|---|---|---|---|---|---|---|\n",
        title_of(topic));
    for (const LedgerLine* line : some) {
      const Claim& claim = *line->claim;
      page +=
          fmt::format("| `{}` | {}, {} | {} | {} | {} | {} | {} | {} |\n", claim.id, claim.document, cell(claim.location),
                      cell(claim_text(claim, line->finding)), claimed_text(claim), found_or_dash(*line), name_of(claim.test),
                      name_of(line->finding.verdict), cell(why_text(claim, line->finding) + primary_text(claim)));
    }
  }
  return page;
}

}  // namespace railyard
