// One sweep: its scenario, its points, and how a point becomes a run and a row.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/sweep_document.h"
#include "sweep/file_bundle.h"
#include "sweep/missed_figures.h"
#include "sweep/points.h"
#include "sweep/row.h"
#include "sweep/sweep_name.h"

namespace railyard {

class Sweep {
 public:
  /// Reads it, makes its points and tries every axis once. Refused beside what [sweep] gets wrong (sweep_spec.h, points.h): an
  /// axis over what is no key of a scenario (RY-SWP-005), several jobs or serving (RY-SWP-009). Files are those of `files`, and
  /// from disk.
  static Result<Sweep> open(const SweepQuestion& question, const Catalog& catalog, const FileBundle& files);
  /// The same where all files are those that `read` has, and traces are not read: for tests and fuzzers.
  static Result<Sweep> open(const SweepQuestion& question, const Catalog& catalog, const FileBundle& files,
                            const ReadFile& read);

  [[nodiscard]] const SweepPoints& points() const { return points_; }
  [[nodiscard]] const FileBundle& files() const { return files_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  /// Columns after those of the axes.
  [[nodiscard]] const std::vector<std::string>& figures() const { return figures_; }
  /// What a journal of it is called: equal for equal files, overrides, points and versions, wherever the files lie.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Columns that [sweep] names beside those of every sweep.
  [[nodiscard]] const std::vector<std::string>& own_figures() const { return spec_.figures; }
  /// What runs of points, here, found out about those.
  [[nodiscard]] MissedFigures& missed_figures() const { return *missed_; }

  /// The scenario of a point.
  [[nodiscard]] Result<Scenario> scenario(std::size_t point) const;
  /// Runs a point. From any thread; what cannot be run is a row that says so. Throws Cancelled.
  [[nodiscard]] SweepRow run(std::size_t point, Progress& progress) const;

 private:
  Sweep(const Catalog& catalog, FileBundle files, ReadFile read, bool traces)
      : catalog_(&catalog), files_(std::move(files)), read_(std::move(read)), find_(files_.finder()), traces_(traces) {}
  static Result<Sweep> opened(Sweep sweep, const SweepQuestion& question);
  void lay_out();
  [[nodiscard]] Diagnostics try_axes() const;
  [[nodiscard]] Result<Scenario> load(std::span<const Document* const> changes) const;

  const Catalog* catalog_;
  FileBundle files_;
  ReadFile read_;
  FindOnDisk find_;
  bool traces_;
  SweepDocument document_;
  SweepSpec spec_;
  SweepPoints points_;
  std::vector<std::vector<Document>> changes_;  // by axis and value, as documents to lay over the scenario
  std::vector<std::string> figures_;
  std::string title_, name_;
  std::shared_ptr<MissedFigures> missed_ = std::make_shared<MissedFigures>();
};

}  // namespace railyard
