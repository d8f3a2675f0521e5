#include "tools/accuracy/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "base/toml.h"
#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

constexpr SchemaCodes kCodes{.unknown_key = "RY-PUB-002",
                             .wrong_type = "RY-PUB-002",
                             .bad_quantity = "RY-PUB-002",
                             .out_of_range = "RY-PUB-002",
                             .unknown_choice = "RY-PUB-002",
                             .missing_key = "RY-PUB-002"};

/// Which arithmetic a published rate counts.
enum class Convention : std::uint8_t { causal, full, hardware };

}  // namespace

template<>
struct ChoiceNames<Convention> {
  static constexpr std::string_view names[] = {"causal", "full", "hardware"};
};

namespace {

/// What a row says beside the scenario.
struct Measured {
  std::optional<double> step_time_s, tokens_per_s_per_gpu, tflops_per_gpu, mfu_percent;
  Convention convention = Convention::full;
  Exclusion excluded = Exclusion::none;
  std::string note;
};

std::span<const Key<Measured>> measured_keys() {
  const Limits<double> positive{.min = 1e-9};
  static const std::vector<Key<Measured>> keys = {
      key("step_time_s", &Measured::step_time_s, "seconds per step", positive),
      key("tokens_per_s_per_gpu", &Measured::tokens_per_s_per_gpu, "tokens per second and GPU", positive),
      key("tflops_per_gpu", &Measured::tflops_per_gpu, "TFLOP/s per GPU", positive),
      key("mfu_percent", &Measured::mfu_percent, "share of peak bf16 in per cent", positive),
      key("convention", &Measured::convention, "what the two above count"),
      key("excluded", &Measured::excluded, "the rule by which the row does not count"),
      key("note", &Measured::note, "what else is known of it"),
  };
  return keys;
}

double published_seconds(const Measured& m, const StepRun& run, const Scenario& scenario) {
  if (m.step_time_s) return *m.step_time_s;
  const double tokens = static_cast<double>(run.step.tokens), gpus = run.step.layout.ranks();
  if (m.tokens_per_s_per_gpu) return tokens / (*m.tokens_per_s_per_gpu * gpus);
  const double rate = m.tflops_per_gpu ? *m.tflops_per_gpu * 1e12
                                       : *m.mfu_percent / 100 * static_cast<double>(scenario.gpu_plan->gpu.bf16_dense.count());
  const FlopsPerToken& flops = run.step.flops;
  const double full = tokens * (flops.products + flops.attention_full);
  const double causal = tokens * (flops.products + flops.attention_causal);
  const double counted = m.convention == Convention::full     ? full
                         : m.convention == Convention::causal ? causal
                                                              : run.step.hardware_flops;
  return counted / (rate * gpus);
}

Result<PublishedRow> predict(const Document::Member& row, const Document& common, const std::string& file,
                             const Catalog& catalog) {
  static const std::vector<std::string> kScenario = {"model",  "training",  "parallel", "cluster",
                                                     "fabric", "transport", "engine"};
  Measured measured;
  Complaints complaints(kCodes);
  read_table(row.value, measured_keys(), kScenario, measured, complaints);
  if (!measured.step_time_s && !measured.tokens_per_s_per_gpu && !measured.tflops_per_gpu && !measured.mfu_percent)
    complaints.error("RY-PUB-002", row.where, "the row has no measurement",
                     "give step_time_s, tokens_per_s_per_gpu, tflops_per_gpu or mfu_percent");
  if (!complaints.found().empty()) return complaints.take();

  Document document = Document::object();
  document.set("name", Document(row.key));
  document = overlay(std::move(document), common);
  Document own = Document::object();
  for (const Document::Member& member : *row.value.members())
    if (std::find(kScenario.begin(), kScenario.end(), member.key) != kScenario.end())
      own.set(member.key, member.value, member.where);
  const Result<Scenario> scenario = read_scenario(overlay(std::move(document), own), file, catalog);
  if (!scenario) return scenario.error();
  Progress progress;
  const Result<Run> run = simulate(*scenario, {.threads = 1}, progress);
  if (!run) return run.error();
  return PublishedRow{.name = row.key,
                      .note = measured.note,
                      .gpus = run->training->step.layout.ranks(),
                      .published_s = published_seconds(measured, *run->training, *scenario),
                      .predicted_s = seconds(run->training->time),
                      .excluded = measured.excluded};
}

Result<PublishedTable> predict_table(const EmbeddedFile& file, const std::string& name, const Catalog& catalog) {
  const std::string path(file.name);
  const Result<Document> document = parse_toml(file.text, path, "RY-PUB-001");
  if (!document) return document.error();
  PublishedTable table;
  table.name = name;
  for (const auto& [key, to] : {std::pair{"title", &table.title}, {"source", &table.source}, {"left_out", &table.left_out}})
    if (const Document* text = document->find(key); text && text->text()) *to = *text->text();
  if (const Document* role = document->find("role"); role && role->text() && *role->text() == name_of(TableRole::check))
    table.role = TableRole::check;
  const Document* common = document->find("common");
  const Document* rows = document->find("rows");
  if (table.title.empty() || table.source.empty() || !rows || !rows->members())
    return Diagnostics{{Severity::error,
                        "RY-PUB-002",
                        "a table of measurements has a title, a source and rows",
                        "add what is missing",
                        {path, 0, 0}}};
  Diagnostics found;
  Document::Object in_order = *rows->members();  // the reader sorts tables by name
  std::sort(in_order.begin(), in_order.end(),
            [](const Document::Member& a, const Document::Member& b) { return a.where.line < b.where.line; });
  for (const Document::Member& row : in_order) {
    Result<PublishedRow> predicted = predict(row, common ? *common : Document::object(), path, catalog);
    if (predicted)
      table.rows.push_back(std::move(*predicted));
    else
      for (Diagnostic& d : predicted.error()) {
        d.message = row.key + ": " + d.message;
        found.push_back(std::move(d));
      }
  }
  if (!found.empty()) return found;
  return table;
}

std::string percent(double share) { return fmt::format("{:+.1f} %", share * 100); }

std::string_view reason(Exclusion excluded) {
  switch (excluded) {
    case Exclusion::none:
      return "";
    case Exclusion::repeated:
      return "the same measurement as another row";
    case Exclusion::kernels:
      return "attention by a first-generation Triton kernel, beyond 4,096 tokens";
  }
  return "";
}

std::vector<std::string> summary_row(const std::string& name, const ErrorSummary& s) {
  return {name,
          fmt::format("{}", s.rows),
          fmt::format("{:.1f} %", s.median * 100),
          fmt::format("{:.1f} %", s.mean * 100),
          percent(s.bias),
          fmt::format("{:.0f} %", s.within_5 * 100),
          fmt::format("{:.0f} %", s.within_12 * 100),
          fmt::format("{:.1f} %", s.worst * 100)};
}

}  // namespace

Result<std::vector<PublishedTable>> predict_published(std::span<const EmbeddedFile> files, const Catalog& catalog,
                                                      const std::string& only) {
  constexpr std::string_view kFolder = "catalog/published/", kEnding = ".toml";
  std::vector<PublishedTable> tables;
  std::vector<std::string> names;
  Diagnostics found;
  for (const EmbeddedFile& file : files) {
    if (!file.name.starts_with(kFolder)) continue;
    const std::string name(file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
    names.push_back(name);
    if (!only.empty() && name != only) continue;
    Result<PublishedTable> table = predict_table(file, name, catalog);
    if (table)
      tables.push_back(std::move(*table));
    else
      found.insert(found.end(), table.error().begin(), table.error().end());
  }
  if (!found.empty()) return found;
  if (tables.empty()) {
    const std::string guess = nearest(only, names);
    return Diagnostics{{Severity::error,
                        "RY-PUB-003",
                        fmt::format("there is no table of measurements \"{}\"", printable(only)),
                        guess.empty() ? "there are " + schema::join(names, ", ") : fmt::format("did you mean \"{}\"?", guess),
                        {}}};
  }
  return tables;
}

ErrorSummary summarise(std::span<const PublishedTable> tables) {
  std::vector<double> errors;
  ErrorSummary summary;
  for (const PublishedTable& table : tables)
    for (const PublishedRow& row : table.rows)
      if (row.excluded == Exclusion::none) {
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
  summary.bias /= count;
  for (const double error : errors) {
    summary.mean += error / count;
    summary.within_5 += error <= 0.05 ? 1 / count : 0;
    summary.within_12 += error <= 0.12 ? 1 / count : 0;
  }
  return summary;
}

Report accuracy_report(std::span<const PublishedTable> tables) {
  Report report{"Predicted against published step times", {}};
  TextTable summary{
      {"table", "rows", "median", "mean", "bias", "≤ 5 %", "≤ 12 %", "worst"}, std::vector<Align>(8, Align::right), {}};
  summary.align[0] = Align::left;
  for (const PublishedTable& table : tables) {
    TextTable rows{{"row", "GPUs", "published s", "predicted s", "error", "remark"},
                   {Align::left, Align::right, Align::right, Align::right, Align::right, Align::left},
                   {}};
    for (const PublishedRow& row : table.rows) {
      std::string remark(reason(row.excluded));
      if (!remark.empty()) remark = "not counted: " + remark;
      if (!row.note.empty()) remark += (remark.empty() ? "" : "; ") + row.note;
      rows.rows.push_back({row.name, format_count(row.gpus), fmt::format("{:.3f}", row.published_s),
                           fmt::format("{:.3f}", row.predicted_s), percent(row.error()), remark});
    }
    const std::string left_out = table.left_out.empty() ? "" : " Left out: " + table.left_out;
    report.sections.push_back({table.title, {rows, "Source: " + table.source + left_out}});
    summary.rows.push_back(summary_row(table.name, summarise(std::span(&table, 1))));
  }
  for (const TableRole role : {TableRole::calibration, TableRole::check}) {
    std::vector<PublishedTable> some;
    for (const PublishedTable& table : tables)
      if (table.role == role) some.push_back(table);
    if (some.size() > 1) summary.rows.push_back(summary_row(fmt::format("all for {}", name_of(role)), summarise(some)));
  }
  report.sections.push_back(
      {"Summary",
       {summary,
        std::string(
            "Medians, means and worst are of absolute errors of step time; bias is the mean of signed ones, negative "
            "where the prediction is too fast. One set of constants per GPU (railyard catalog speeds), set with the tables "
            "for calibration in sight; those for check were not used.")}});
  return report;
}

std::string accuracy_csv(std::span<const PublishedTable> tables) {
  std::string text = "table,row,gpus,published_s,predicted_s,error,excluded\n";
  for (const PublishedTable& table : tables)
    for (const PublishedRow& row : table.rows)
      text += fmt::format("{},\"{}\",{},{:.6g},{:.6g},{:.5f},{}\n", table.name, row.name, row.gpus, row.published_s,
                          row.predicted_s, row.error(), name_of(row.excluded));
  return text;
}

}  // namespace railyard
