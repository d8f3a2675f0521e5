#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/files_outside.h"
#include "scenario/load.h"
#include "sim/simulate.h"
#include "sweep/figures.h"

namespace railyard {

namespace {

Diagnostic sweep_refusal(const char* code, std::string message, std::string hint, const SourceSpan& where) {
  return {Severity::error, code, std::move(message), std::move(hint), where};
}

/// { parallel = { tensor = 4 } } for "parallel.tensor". A part in quotes may have dots in it.
Document change_of(const std::string& key, const Document& value) {
  const SourceSpan& where = value.where();
  Document inner = value;
  for (std::size_t end = key.size(); end != std::string::npos;) {
    const std::size_t dot = end == 0 ? std::string::npos : key.rfind('.', end - 1);
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    Document outer(Document::Object{}, where);
    outer.append(key.substr(begin, end - begin), std::move(inner), where);
    inner = std::move(outer);
    end = dot;
  }
  return inner;
}

bool names_files(const std::string& key) {
  const std::span<const std::string_view> keys = keys_that_name_files();
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Keys that nobody knows, at the axis: these are mistakes of the sweep, not of a point.
bool is_unknown_key(const Diagnostic& found, const SweepAxis& axis) {
  return found.code == "RY-SCN-010" && found.where.file == axis.where.file && found.where.line == axis.where.line;
}

}  // namespace

Result<Sweep> Sweep::open(const SweepQuestion& question, const Catalog& catalog, const FileBundle& files) {
  return opened(Sweep(catalog, files, files.reader(disk_or_preset_reader(question.scenario)), true), question);
}

Result<Sweep> Sweep::open(const SweepQuestion& question, const Catalog& catalog, const FileBundle& files,
                          const ReadFile& read) {
  return opened(Sweep(catalog, files, files.reader(read), false), question);
}

Result<Sweep> Sweep::opened(Sweep sweep, const SweepQuestion& question) {
  Result<SweepDocument> document = load_sweep_document(question.scenario, question.overrides, sweep.read_);
  if (!document) return document.error();
  sweep.document_ = std::move(*document);
  const Document& base = sweep.document_.scenario;
  const SourceSpan file{sweep.document_.path.string(), 0, 0};
  for (const char* const unable : {"job", "serving"})
    if (const Document* const section = base.find(unable))
      return sweep_refusal("RY-SWP-009", fmt::format("a sweep cannot run [{}]", unable),
                           "sweep a scenario with a [model], [collective], [traffic] or [trace]", section->where());
  Result<SweepSpec> spec = read_sweep_spec(sweep.document_.sweep, base, file);
  if (!spec) return spec.error();
  sweep.spec_ = std::move(*spec);
  Result<SweepPoints> points = SweepPoints::make(sweep.spec_, base);
  if (!points) return points.error();
  sweep.points_ = std::move(*points);
  sweep.lay_out();
  if (Diagnostics mistakes = sweep.try_axes(); !mistakes.empty()) return mistakes;
  const Document* const title = base.find("name");
  sweep.title_ = title && title->text() ? *title->text() : sweep.document_.path.filename().string();
  sweep.name_ = name_of_sweep(question, sweep.document_.path, sweep.files_, sweep.figures_, sweep.points_.size());
  return sweep;
}

void Sweep::lay_out() {
  for (const SweepAxis& axis : points_.axes()) {
    std::vector<Document>& changes = changes_.emplace_back();
    for (const Document& value : axis.values) changes.push_back(change_of(axis.key, value));
  }
  for (const SweepFigure& figure : sweep_figures()) figures_.emplace_back(figure.name);
  figures_.insert(figures_.end(), spec_.figures.begin(), spec_.figures.end());
}

/// Loads the first value of each axis by itself: unknown keys are found, and files that values name are in the bundle.
Diagnostics Sweep::try_axes() const {
  constexpr std::size_t kFew = 64;  // values of other keys
  Diagnostics mistakes;
  for (std::size_t a = 0; a < changes_.size(); a++) {
    const SweepAxis& axis = points_.axes()[a];
    const std::size_t tried = names_files(axis.key) ? changes_[a].size() : axis.values.front().text() ? kFew : 1;
    for (std::size_t v = 0; v < std::min(tried, changes_[a].size()); v++) {
      const Document* const change = &changes_[a][v];
      const Result<Scenario> scenario = load({&change, 1});
      if (scenario || v > 0) continue;
      for (const Diagnostic& found : scenario.error())
        if (is_unknown_key(found, axis))
          mistakes.push_back(
              sweep_refusal("RY-SWP-005", fmt::format("the axis {}: {}", axis.key, found.message), found.hint, axis.where));
    }
  }
  return mistakes;
}

Result<Scenario> Sweep::load(std::span<const Document* const> changes) const {
  Document document = document_.scenario;
  for (const Document* const change : changes) document = overlay(std::move(document), *change);
  return read_scenario(document, document_.path, *catalog_, read_, {.traces = traces_, .find = find_});
}

Result<Scenario> Sweep::scenario(std::size_t point) const {
  std::vector<const Document*> changes;
  for (std::size_t a = 0; a < changes_.size(); a++) changes.push_back(&changes_[a][points_.choice(point, a)]);
  return load(changes);
}

SweepRow Sweep::run(std::size_t point, Progress& progress) const {
  const Result<Scenario> scenario = this->scenario(point);
  const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, progress) : Result<Run>(Diagnostics(scenario.error()));
  SweepRow row;
  if (run) {
    row = row_of_run(*scenario, *run, spec_.figures, *missed_);
  } else {
    const Diagnostic& why = run.error().front();
    row = {PointStatus::refused, why.code, why.message, std::vector<double>(figures_.size(), SweepRow::none())};
  }
  std::replace(row.message.begin(), row.message.end(), '\n',
               ' ');  // as a journal keeps it: files are the same with and without
  return row;
}

}  // namespace railyard
