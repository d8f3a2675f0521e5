#include "tools/compare/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/quantity_text.h"
#include "report/differences.h"
#include "report/json_fields.h"
#include "tools/compare/advice.h"

namespace railyard {

namespace {

std::string title_of(const Compared& compared) {
  return compared.runs.size() == 1 ? "What a training job does to its network"
                                   : fmt::format("What {} training jobs do to their networks", compared.runs.size());
}

std::string key_of(const FigureTable& table, const std::string& run, const FigureColumn& column) {
  return fmt::format("{}.{}.{}", table.id, run, column.id);
}

/// Runs by columns.
std::vector<std::vector<Figure>> figures_of(const FigureTable& table, const Compared& compared) {
  std::vector<std::vector<Figure>> all;
  for (const ComparedRun& run : compared.runs) {
    all.emplace_back();
    for (const FigureColumn& column : table.columns) all.back().push_back(column.figure(run));
  }
  return all;
}

FilledTable filled(const FigureTable& table, const Compared& compared) {
  const std::vector<std::vector<Figure>> figures = figures_of(table, compared);
  FilledTable out{table.id, table.title, table.note, {"model"}, {Align::left}, {}};
  std::vector<std::string> dropped;  // columns that have nothing to show
  for (const ComparedRun& run : compared.runs) out.rows.push_back({{run.label, {}}});
  for (std::size_t c = 0; c < table.columns.size(); c++) {
    if (std::all_of(figures.begin(), figures.end(), [&](const auto& row) { return row[c].text.empty(); })) {
      dropped.push_back(table.columns[c].title);
      continue;
    }
    out.header.push_back(table.columns[c].title);
    out.align.push_back(table.columns[c].align);
    for (std::size_t r = 0; r < figures.size(); r++) {
      const bool there = !figures[r][c].text.empty();
      out.rows[r].push_back(
          {there ? figures[r][c].text : "–", there ? key_of(table, compared.runs[r].id, table.columns[c]) : ""});
    }
  }
  out.note = note_without(table.note, out.header, dropped);
  return out;
}

TextTable text_table(const FilledTable& table) {
  TextTable out{table.header, table.align, {}};
  for (const std::vector<FilledTable::Cell>& row : table.rows) {
    out.rows.emplace_back();
    for (const FilledTable::Cell& cell : row) out.rows.back().push_back(cell.text);
  }
  return out;
}

Diagnostics unknown_number(const std::string& key, const std::vector<std::string>& keys) {
  const std::string guess = nearest(key, keys);
  return {{Severity::error, "RY-CMP-001", fmt::format("no table has a number called '{}'", key),
           guess.empty() ? "keys are table.run.column, such as mfu.llama3.simulated; --explain list shows all"
                         : fmt::format("did you mean '{}'? --explain list shows all", guess),
           SourceSpan{"--explain", 0, 0}}};
}

Explanation explanation_of(const Figure& figure, const FigureTable& table, const ComparedRun& run, const FigureColumn& column) {
  const bool own_command = figure.status == "simulated" && !figure.source.empty();
  return {.key = key_of(table, run.id, column),
          .value = figure.text,
          .run = own_command                                                ? figure.source
                 : figure.status == "simulated" || figure.status == "given" ? run.command
                                                                            : "",
          .path = figure.path,
          .formula = column.formula,
          .source = own_command ? "" : figure.source,
          .status = figure.status};
}

TextTable advice_table(const Compared& compared, std::size_t most) {
  TextTable table{{"", "gain", "of", "kind", "what"}, {Align::right, Align::right}, {}};
  for (std::size_t i = 0; i < std::min(most, compared.advice.size()); i++) {
    const Advice& a = compared.advice[i];
    table.rows.push_back({std::to_string(i + 1), gain_of(a), a.run, a.kind,
                          (a.keeps     ? "keep; not: "
                           : a.cheaper ? "cheaper: "
                                       : "") +
                              a.change});
  }
  return table;
}

Report::Section section_of(std::string title, TextTable table, const std::string& note = {}) {
  Report::Section section{std::move(title), {}};
  section.blocks.emplace_back(std::move(table));
  if (!note.empty()) section.blocks.emplace_back(note);
  return section;
}

Report::Section advice_section(const Compared& compared, std::size_t most) {
  Report::Section section{"What to change, by what a rerun gained", {}};
  if (compared.advice.empty()) {
    const bool idle = std::all_of(compared.runs.begin(), compared.runs.end(),
                                  [](const ComparedRun& run) { return run.scenario.engine.fidelity == Fidelity::analytic; });
    section.blocks.emplace_back(
        std::string(idle ? "On an idle network, which is what closed forms know, nothing of it is tried: --engine flow does."
                         : "Nothing that was tried moves a step by more than 0.05 %."));
    return section;
  }
  section.blocks.emplace_back(advice_table(compared, most));
  const std::vector<std::string> others = without_effect(compared.runs, compared.advice);
  if (!others.empty()) {
    std::string list;
    for (const std::string& one : others) list += (list.empty() ? "" : "; ") + one;
    section.blocks.emplace_back("Tried too, without effect (less than 0.05 % of a step): " + list + ".");
  }
  const std::size_t left = compared.advice.size() > most ? compared.advice.size() - most : 0;
  section.blocks.emplace_back(
      fmt::format("Gain: tokens per second against the same scenario without the change, by simulating both; ≥: a collective "
                  "was simulated, "
                  "and this is what the step's wait for it alone would give. Below 0 the change costs that: keep what is "
                  "there.{} Commands: --json, the page, or --explain advice.1.",
                  left == 0 ? "" : fmt::format(" {} more in --json.", left)));
  return section;
}

Document cell_document(const FilledTable::Cell& cell) {
  Document out = Document::object();
  out.set("text", Document(cell.text));
  if (!cell.key.empty()) out.set("key", Document(cell.key));
  return out;
}

Document table_document(const FilledTable& table) {
  Document out = Document::object();
  out.set("id", Document(table.id));
  out.set("title", Document(table.title));
  out.set("note", Document(table.note));
  Document& columns = out.set("columns", Document::array());
  for (std::size_t i = 0; i < table.header.size(); i++) {
    Document& column = columns.push(Document::object());
    column.set("title", Document(table.header[i]));
    column.set("align", Document(std::string(table.align[i] == Align::right ? "right" : "left")));
  }
  Document& rows = out.set("rows", Document::array());
  for (const std::vector<FilledTable::Cell>& row : table.rows) {
    Document& cells = rows.push(Document::object()).set("cells", Document::array());
    for (const FilledTable::Cell& cell : row) cells.push(cell_document(cell));
  }
  return out;
}

Document latency_document(const MessageLatency& latency) {
  Document out = Document::object();
  const auto set = [&](const char* key, const std::optional<double>& us) {
    if (us) out.set(key, Document(*us));
  };
  set("same_leaf_us", latency.same_leaf_us);
  set("across_leaves_us", latency.across_leaves_us);
  set("across_pods_us", latency.across_pods_us);
  return out;
}

Document trial_document(const Trial& trial) {
  Document out = Document::object();
  out.set("kind", Document(trial.kind));
  out.set("change", Document(trial.change));
  out.set("set", json_value(trial.set));
  out.set("command", Document(trial.command));
  if (trial.refused.empty())
    out.set("step_time_s", Document(trial.step_s));
  else
    out.set("refused", Document(trial.refused));
  return out;
}

/// Queues over time are kept of the slice as it is alone.
Document slice_document(const SliceTrial& trial) {
  Document out = Document::object();
  out.set("kind", Document(trial.kind));
  out.set("change", Document(trial.change));
  out.set("set", json_value(trial.set));
  out.set("command", Document(trial.command));
  if (!trial.refused.empty()) out.set("refused", Document(trial.refused));
  out.set("slowest_gbps", Document(trial.slowest_gbps));
  if (trial.change.empty() && trial.refused.empty()) out.set("slice", trial.slice);
  return out;
}

Document reduction_document(const ReductionTrial& trial) {
  Document out = Document::object();
  out.set("what", Document(trial.what));
  out.set("ring_command", Document(trial.ring_command));
  out.set("in_network_command", Document(trial.in_network_command));
  out.set("ring_s", Document(trial.ring_s));
  if (trial.refused.empty())
    out.set("in_network_s", Document(trial.in_network_s));
  else
    out.set("refused", Document(trial.refused));
  return out;
}

Document run_document(const ComparedRun& run) {
  Document out = Document::object();
  out.set("id", Document(run.id));
  out.set("label", Document(run.label));
  out.set("file", Document(run.path));
  out.set("scenario", Document(run.text));
  out.set("command", Document(run.command));
  out.set("latency", latency_document(run.latency));
  Document& trials = out.set("trials", Document::array());
  for (const Trial& trial : run.trials) trials.push(trial_document(trial));
  Document& slices = out.set("slices", Document::array());
  for (const SliceTrial& trial : run.slices) slices.push(slice_document(trial));
  if (run.reduction) out.set("reduction", reduction_document(*run.reduction));
  out.set("results", run.results);
  return out;
}

Document ranked_document(const Advice& a, std::size_t rank) {
  Document out = advice_document(a);
  out.set("rank", Document(static_cast<std::int64_t>(rank)));
  out.set("key", Document(fmt::format("advice.{}", rank)));
  return out;
}

Document explanation_document(const Explanation& e) {
  Document out = Document::object();
  out.set("key", Document(e.key));
  out.set("value", Document(e.value));
  out.set("run", Document(e.run));
  out.set("path", Document(e.path));
  out.set("formula", Document(e.formula));
  out.set("source", Document(e.source));
  out.set("status", Document(e.status));
  return out;
}

/// Key figures of every two runs.
Document differences_of(const Compared& compared) {
  Document out = Document::array();
  for (std::size_t i = 0; i < compared.runs.size(); i++)
    for (std::size_t k = i + 1; k < compared.runs.size(); k++) {
      Document& item = out.push(Document::object());
      item.set("a", Document(compared.runs[i].id));
      item.set("b", Document(compared.runs[k].id));
      item.set("rows", number_pairs_document(key_figures(compared.runs[i].results, compared.runs[k].results)));
    }
  return out;
}

}  // namespace

std::vector<FilledTable> filled_tables(const Compared& compared) {
  std::vector<FilledTable> tables;
  for (const FigureTable& table : comparison_tables()) {
    FilledTable one = filled(table, compared);
    if (one.header.size() > 1) tables.push_back(std::move(one));
  }
  return tables;
}

std::vector<Explanation> explanations(const Compared& compared) {
  std::vector<Explanation> all;
  for (const FigureTable& table : comparison_tables())
    for (const ComparedRun& run : compared.runs)
      for (const FigureColumn& column : table.columns)
        if (const Figure figure = column.figure(run); !figure.text.empty())
          all.push_back(explanation_of(figure, table, run, column));
  for (std::size_t i = 0; i < compared.advice.size(); i++) {
    const Advice& a = compared.advice[i];
    all.push_back({.key = fmt::format("advice.{}", i + 1),
                   .value = gain_of(a),
                   .run = a.command,
                   .path = a.metric == "step" ? "step_time_s" : "",
                   .formula = "before / after - 1, of " + a.metric + "; docs/models.md, what a comparison tries",
                   .source = a.text,
                   .status = "simulated"});
  }
  return all;
}

Report compare_report(const Compared& compared, std::size_t most_advice) {
  Report report{title_of(compared), {}};
  TextTable jobs{{"model", "scenario", "what"}, {}, {}};
  for (const ComparedRun& run : compared.runs) jobs.rows.push_back({run.label, run.id, run.scenario.name});
  Report::Section answer;
  for (const Sentence& sentence : compared.sentences) answer.blocks.emplace_back(sentence.text);
  report.sections.push_back(std::move(answer));
  report.sections.push_back(section_of("", std::move(jobs)));
  for (const FilledTable& table : filled_tables(compared))
    report.sections.push_back(section_of(table.title, text_table(table), table.note));
  report.sections.push_back(advice_section(compared, most_advice));
  return report;
}

Document compare_document(const Compared& compared, const std::string& version, const std::string& command) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-comparison/1")));
  out.set("railyard", Document(version));
  out.set("kind", Document(std::string("comparison")));
  out.set("title", Document(title_of(compared)));
  out.set("command", Document(command));
  out.set("verdict", sentences_document(compared.sentences));
  Document& runs = out.set("runs", Document::array());
  for (const ComparedRun& run : compared.runs) runs.push(run_document(run));
  Document& tables = out.set("tables", Document::array());
  for (const FilledTable& table : filled_tables(compared)) tables.push(table_document(table));
  Document& advice = out.set("advice", Document::array());
  for (std::size_t i = 0; i < compared.advice.size(); i++) advice.push(ranked_document(compared.advice[i], i + 1));
  out.set("differences", differences_of(compared));
  Document& list = out.set("explanations", Document::array());
  for (const Explanation& e : explanations(compared)) list.push(explanation_document(e));
  return out;
}

Result<Report> explain_key(const Compared& compared, const std::string& key) {
  std::vector<std::string> keys;
  for (const Explanation& e : explanations(compared)) {
    keys.push_back(e.key);
    if (e.key != key) continue;
    TextTable table{{"", ""}, {}, {{"value", e.value}, {"status", e.status}, {"formula", e.formula}}};
    if (!e.run.empty()) table.rows.push_back({"run", e.run});
    if (!e.path.empty()) table.rows.push_back({"in its JSON", e.path});
    if (!e.source.empty()) table.rows.push_back({"source", e.source});
    Report report{e.key, {}};
    report.sections.push_back(section_of("", std::move(table)));
    return report;
  }
  return unknown_number(key, keys);
}

Diagnostics impossible_key(const std::string& key, const std::vector<std::string>& scenarios) {
  constexpr std::string_view kAdvice = "advice.";
  if (key.starts_with(kAdvice) && key.find_first_not_of("0123456789", kAdvice.size()) == std::string::npos) return {};
  std::vector<std::string> keys;
  for (const FigureTable& table : comparison_tables())
    for (const std::string& run : run_ids(scenarios))
      for (const FigureColumn& column : table.columns) keys.push_back(key_of(table, run, column));
  return std::find(keys.begin(), keys.end(), key) == keys.end() ? unknown_number(key, keys) : Diagnostics();
}

}  // namespace railyard
