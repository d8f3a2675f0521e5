// The rows of a sweep as tables: CSV, a database, and back from it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/result.h"
#include "sweep/row.h"
#include "sweep/sweep.h"

namespace railyard {

/// A sweep that was run, as far as tables have it. Rows are points by number.
struct SweepTable {
  std::string title, version, name;  // the last is what its journal is called
  std::vector<std::string> axes, figures;
  std::vector<std::vector<Document>> points;  // by point, values of the axes
  std::vector<SweepRow> rows;                 // by point, values of the figures
};

/// `rows` are of all points. Figures that no point has are left out.
SweepTable table_of(const Sweep& sweep, const std::string& version, const std::vector<SweepRow>& rows);

/// A header, then a line for each point: number, axes, status, code, figures, message. The same bytes for the same rows.
std::string sweep_csv(const SweepTable& table);

/// A SQLite file: `about`, `columns` and `points`. The same bytes for the same rows.
std::string sweep_database(const SweepTable& table);

/// What sweep_database() wrote. RY-SWP-013 where the file is none.
Result<SweepTable> read_sweep_database(const std::filesystem::path& path);

}  // namespace railyard
