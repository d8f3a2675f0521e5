// Figures of a comparison's tables, each with where it comes from.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "tools/compare/compare.h"

namespace railyard {

/// One cell: what is shown, and whence. An empty text is shown as a dash.
struct Figure {
  std::string text;
  std::string path = {};    // into the results of its run
  std::string status = {};  // "simulated", "claimed", "published", "estimated", "given"
  std::string source = {};  // of what was not simulated; or the command of another run
};

/// One column: how a run's figure comes about.
struct FigureColumn {
  std::string id, title;
  Align align = Align::right;
  std::string formula;  // for --explain
  std::function<Figure(const ComparedRun&)> figure;
};

struct FigureTable {
  std::string id, title, note;
  std::vector<FigureColumn> columns;
};

/// All tables, in the order of the report.
std::vector<FigureTable> comparison_tables();

// Parts of it (tables_*.cpp).
FigureTable architecture_table();
FigureTable power_table();
FigureTable cost_table();
FigureTable parallelism_table();
FigureTable primitives_table_of_all();
FigureTable primitives_table_of_network();
FigureTable patterns_table();
FigureTable bandwidth_table();
FigureTable latency_table();
FigureTable mfu_table();
FigureTable time_table();
FigureTable transports_table();
FigureTable congestion_table();

// What columns are made of.

/// Of a run that is compared: always there.
const StepResults& step_of(const ComparedRun& run);

/// A number of the run's analysis as `text` makes it; empty where there is none. `path` says where the results have the same
/// number, for --explain. REQUIRES: they do, to the digits they are written with.
Figure simulated(const ComparedRun& run, const std::string& path, std::optional<double> value,
                 const std::function<std::string(double)>& text);

/// The number that `document` has at `path`. REQUIRES: it has one, and it is `value` to the digits it is written with.
double number_at(const Document& document, std::string_view path, double value);

/// A figure computed from several numbers of the results; `path` names them.
Figure derived(std::string text, std::string path);

/// Columns of what documents and primary sources say of `what` (tools/compare/document_figures.h).
FigureColumn claimed_column(const std::string& what, const std::string& title = "claimed");
FigureColumn published_column(const std::string& what, const std::string& title = "published");

/// A column of one number of the analysis, which the results have at `path`.
using ReadNumber = std::function<std::optional<double>(const Results&)>;
FigureColumn path_column(std::string id, std::string title, std::string path, ReadNumber value, std::string formula,
                         std::function<std::string(double)> text);

/// Index of the first row whose `member` is `name`.
template<class Row>
std::optional<std::size_t> row_named(const std::vector<Row>& rows, std::string Row::*member, std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); i++)
    if (rows[i].*member == name) return i;
  return std::nullopt;
}

std::string percent_text(double share);    // "41.4 %"
std::string seconds_text(double seconds);  // "6.318 s"
std::string count_text(double count);      // "16,384"
std::string rate_text(double gbps);        // "312 Gb/s", "6.55 Pb/s"
std::string amount_text(double bytes);     // "27.4 GB"

}  // namespace railyard
