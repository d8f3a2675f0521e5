#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "tools/accuracy/accuracy.h"

namespace railyard {

namespace {

std::string percent(double share) { return fmt::format("{:+.1f} %", share * 100); }

std::string_view reason(Exclusion excluded) {
  switch (excluded) {
    case Exclusion::none:
      return "";
    case Exclusion::repeated:
      return "the same measurement as another row";
    case Exclusion::calibrated:
      return "a constant was set with it in sight";
  }
  return "";
}

Status status_of(const Comparison& comparison, const std::string& network) {
  for (const PublishedNetwork& known : comparison.networks)
    if (known.name == network) return known.status;
  return Status::assumed;
}

/// Where the networks of a table's rows are described.
std::string network_sources(const Comparison& comparison, const PublishedTable& table) {
  std::string text;
  for (const PublishedNetwork& network : comparison.networks) {
    const auto is_on = [&](const PublishedRow& row) { return row.network == network.name; };
    if (std::any_of(table.rows.begin(), table.rows.end(), is_on))
      text += fmt::format(" Network {}, {}: {}", network.name, name_of(network.status), network.source);
  }
  return text;
}

Report::Section section_of(const Comparison& comparison, const PublishedTable& table) {
  const bool on_networks = comparison.engine == Fidelity::flow;
  TextTable rows{{"row", "GPUs", "published s", "predicted s", "error", "remark"},
                 {Align::left, Align::right, Align::right, Align::right, Align::right, Align::left},
                 {}};
  if (on_networks) rows.header.insert(rows.header.end() - 1, "network"), rows.align.push_back(Align::left);
  for (const PublishedRow& row : table.rows) {
    std::string remark(reason(row.excluded));
    if (!remark.empty()) remark = "not counted: " + remark;
    if (!row.note.empty()) remark += (remark.empty() ? "" : "; ") + row.note;
    rows.rows.push_back({row.name, format_count(row.gpus), fmt::format("{:.3f}", row.published_s),
                         fmt::format("{:.3f}", row.predicted_s), percent(row.error()), remark});
    if (on_networks) rows.rows.back().insert(rows.rows.back().end() - 1, row.network);
  }
  std::string source = "Source: " + table.source;
  if (!table.left_out.empty()) source += " Left out: " + table.left_out;
  if (on_networks) source += network_sources(comparison, table);
  return {table.title, {rows, source}};
}

std::vector<std::string> summary_row(const std::string& name, const ErrorSummary& s) {
  return {name,
          fmt::format("{}", s.rows),
          fmt::format("{:.1f} %", s.median * 100),
          fmt::format("{:.1f} %", s.p90 * 100),
          fmt::format("{:.1f} %", s.mean * 100),
          percent(s.bias),
          fmt::format("{:.0f} %", s.within_5 * 100),
          fmt::format("{:.0f} %", s.within_12 * 100),
          fmt::format("{:.1f} %", s.worst * 100)};
}

std::vector<PublishedTable> tables_for(TableRole role, const Comparison& comparison) {
  std::vector<PublishedTable> some;
  for (const PublishedTable& table : comparison.tables)
    if (table.role == role) some.push_back(table);
  return some;
}

/// The rows of models with experts alone, or those of the others.
std::vector<PublishedTable> rows_of(std::vector<PublishedTable> tables, bool experts) {
  for (PublishedTable& table : tables)
    std::erase_if(table.rows, [&](const PublishedRow& row) { return row.experts != experts; });
  return tables;
}

/// "Validation (…): median error 6.7 % of 119 counted rows, 8.7 % with the 53 that are not counted."
std::string headline_of(TableRole role, const Comparison& comparison) {
  const std::vector<PublishedTable> tables = tables_for(role, comparison);
  const ErrorSummary counted = summarise(tables), all = summarise(tables, true);
  if (all.rows == 0) return {};
  const bool calibration = role == TableRole::calibration;
  std::string text = fmt::format(" {}: median error {:.1f} % of {} counted rows",
                                 calibration ? "Calibration (constants were set with these rows in sight)"
                                             : "Validation (no constant was set with these rows)",
                                 counted.median * 100, counted.rows);
  if (all.rows > counted.rows)
    text += fmt::format(", {:.1f} % with the {} that are not counted", all.median * 100, all.rows - counted.rows);
  return text + ".";
}

}  // namespace

ErrorSummary summarise(std::span<const PublishedTable> tables, bool all) {
  std::vector<double> errors;
  ErrorSummary summary;
  for (const PublishedTable& table : tables)
    for (const PublishedRow& row : table.rows)
      if (row.excluded == Exclusion::none || (all && row.excluded != Exclusion::repeated)) {
        errors.push_back(std::abs(row.error()));
        summary.bias += row.error();
      }
  summary.rows = errors.size();
  if (errors.empty()) return summary;
  std::sort(errors.begin(), errors.end());
  const auto count = static_cast<double>(errors.size());
  const std::size_t middle = errors.size() / 2;
  summary.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  summary.worst = errors.back();
  summary.p90 = errors[(errors.size() * 9 + 9) / 10 - 1];
  summary.bias /= count;
  for (const double error : errors) {
    summary.mean += error / count;
    summary.within_5 += error <= 0.05 ? 1 / count : 0;
    summary.within_12 += error <= 0.12 ? 1 / count : 0;
  }
  return summary;
}

Report accuracy_report(const Comparison& comparison) {
  const bool on_networks = comparison.engine == Fidelity::flow;
  Report report{fmt::format("Predicted against published step times, {} engine", name_of(comparison.engine)), {}};
  TextTable summary{
      {"table", "rows", "median", "p90", "mean", "bias", "≤ 5 %", "≤ 12 %", "worst"}, std::vector<Align>(9, Align::right), {}};
  summary.align[0] = Align::left;
  for (const PublishedTable& table : comparison.tables) {
    report.sections.push_back(section_of(comparison, table));
    summary.rows.push_back(summary_row(table.name, summarise(std::span(&table, 1))));
  }
  std::string headline = "How far predicted step times are from published ones.";
  for (const TableRole role : {TableRole::calibration, TableRole::validation}) {
    const std::vector<PublishedTable> some = tables_for(role, comparison);
    const ErrorSummary counted = summarise(some), all = summarise(some, true);
    headline += headline_of(role, comparison);
    if (some.size() > 1) summary.rows.push_back(summary_row(fmt::format("all for {}", name_of(role)), counted));
    if (all.rows > counted.rows) summary.rows.push_back(summary_row("  and those not counted", all));
    const ErrorSummary dense = summarise(rows_of(some, false)), experts = summarise(rows_of(some, true));
    if (dense.rows > 0 && experts.rows > 0) {
      summary.rows.push_back(summary_row("  of dense models", dense));
      summary.rows.push_back(summary_row("  of models with experts", experts));
    }
  }
  report.sections.insert(report.sections.begin(), {"", {headline}});
  report.sections.push_back(
      {"Summary",
       {summary,
        fmt::format(
            "Medians, means and worst are of absolute errors of step time; bias is the mean of signed ones, negative "
            "where the prediction is too fast. One set of constants per GPU (railyard catalog speeds), set with the tables "
            "for calibration in sight, by the analytic engine; those for validation were not used. {}",
            on_networks ? "Every step is played over the network it was measured on, as far as that is known."
                        : "Collectives take their closed forms on an idle network; --engine flow plays them.")}});
  return report;
}

std::string accuracy_csv(const Comparison& comparison) {
  std::string text = "table,role,row,gpus,published_s,predicted_s,error,excluded,engine,network,network_status\n";
  for (const PublishedTable& table : comparison.tables)
    for (const PublishedRow& row : table.rows)
      text += fmt::format("{},{},\"{}\",{},{:.6g},{:.6g},{:.5f},{},{},{},{}\n", table.name, name_of(table.role), row.name,
                          row.gpus, row.published_s, row.predicted_s, row.error(), name_of(row.excluded),
                          name_of(comparison.engine), row.network, name_of(status_of(comparison, row.network)));
  return text;
}

}  // namespace railyard
