#include "sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/json.h"
#include "base/printed_text.h"
#include "export/sqlite.h"
#include "sweep/figures.h"

namespace railyard {

namespace {

constexpr std::int64_t kSweepApplication = 0x52595357;  // "RYSW", in the header of the file
constexpr std::int64_t kSweepVersion = 1;               // of the tables

/// In double quotes, as SQL has names.
std::string sql_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

SqliteCell cell_of(const Document& value) {
  if (value.integer()) return *value.integer();
  if (value.real()) return *value.real();
  return sweep_value_text(value);
}

SqliteCell cell_of(double value) { return std::isnan(value) ? SqliteCell() : SqliteCell(value); }

Document document_of(const SqliteCell& cell) {
  if (const auto* const whole = std::get_if<std::int64_t>(&cell)) return Document(*whole);
  if (const auto* const real = std::get_if<double>(&cell)) return Document(*real);
  const auto* const text = std::get_if<std::string>(&cell);
  return Document(text ? *text : std::string());
}

void write_about(SqliteConnection& connection, const SweepTable& table) {
  connection.execute(
      "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE columns (place INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, unit TEXT, help TEXT);");
  connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kSweepApplication, kSweepVersion));
  SqliteStatement about(connection, "INSERT INTO about VALUES (?, ?)");
  about.with("name", table.title).run();
  about.with("railyard", table.version).run();
  about.with("sweep", table.name).run();
  SqliteStatement column(connection, "INSERT INTO columns (name, role, unit, help) VALUES (?, ?, ?, ?)");
  for (const std::string& axis : table.axes) column.with(axis, "axis", "", "").run();
  for (const std::string& figure : table.figures) {
    const auto all = sweep_figures();
    const auto found = std::find_if(all.begin(), all.end(), [&](const SweepFigure& one) { return one.name == figure; });
    const SweepFigure known = found == all.end() ? SweepFigure{} : *found;
    column.with(figure, "figure", known.unit, known.help).run();
  }
}

void write_points(SqliteConnection& connection, const SweepTable& table) {
  std::string columns = "point INTEGER PRIMARY KEY", places = "?";
  for (const std::string& axis : table.axes) columns += ", " + sql_name(axis), places += ", ?";
  columns += ", status TEXT NOT NULL, code TEXT, message TEXT", places += ", ?, ?, ?";
  for (const std::string& figure : table.figures) columns += ", " + sql_name(figure) + " REAL", places += ", ?";
  connection.execute("CREATE TABLE points (" + columns + ")");
  SqliteStatement insert(connection, "INSERT INTO points VALUES (" + places + ")");
  std::vector<SqliteCell> cells;
  for (std::size_t p = 0; p < table.rows.size(); p++) {
    const SweepRow& row = table.rows[p];
    cells.clear();
    cells.emplace_back(static_cast<std::int64_t>(p));
    for (const Document& value : table.points[p]) cells.push_back(cell_of(value));
    cells.emplace_back(std::string(name_of(row.status)));
    for (const std::string* const text : {&row.code, &row.message})
      cells.push_back(text->empty() ? SqliteCell() : SqliteCell(*text));
    for (const double value : row.values) cells.push_back(cell_of(value));
    insert.with_cells(cells).run();
  }
}

Diagnostic no_sweep(const std::filesystem::path& path, const std::string& why) {
  return {Severity::error,
          "RY-SWP-013",
          fmt::format("this file has no results of a sweep: {}", why),
          "name one that railyard sweep --db wrote",
          {path.string(), 0, 0}};
}

void read_points(SqliteConnection& connection, SweepTable& table) {
  std::string columns = "status, code, message";
  for (const std::string& axis : table.axes) columns += ", " + sql_name(axis);
  for (const std::string& figure : table.figures) columns += ", " + sql_name(figure);
  SqliteStatement rows(connection, "SELECT " + columns + " FROM points ORDER BY point");
  while (rows.step()) {
    SweepRow row;
    row.status = status_called(rows.text(0)).value_or(PointStatus::refused);
    row.code = rows.text(1), row.message = rows.text(2);
    int place = 3;
    std::vector<Document>& point = table.points.emplace_back();
    for (std::size_t a = 0; a < table.axes.size(); a++) point.push_back(document_of(rows.cell(place++)));
    for (std::size_t f = 0; f < table.figures.size(); f++) {
      const SqliteCell cell = rows.cell(place++);
      const double* const value = std::get_if<double>(&cell);
      row.values.push_back(value ? *value : SweepRow::none());
    }
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

SweepTable table_of(const Sweep& sweep, const std::string& version, const std::vector<SweepRow>& rows) {
  RY_CHECK(rows.size() == sweep.points().size(), "every point has a row");
  SweepTable table{sweep.title(), version, sweep.name(), {}, {}, {}, {}};
  for (const SweepAxis& axis : sweep.points().axes()) table.axes.push_back(axis.key);
  std::vector<std::size_t> kept;
  for (std::size_t f = 0; f < sweep.figures().size(); f++)
    if (std::any_of(rows.begin(), rows.end(), [&](const SweepRow& row) { return !std::isnan(row.values[f]); }))
      kept.push_back(f);
  for (const std::size_t f : kept) table.figures.push_back(sweep.figures()[f]);
  for (std::size_t p = 0; p < rows.size(); p++) {
    std::vector<Document>& point = table.points.emplace_back();
    for (std::size_t a = 0; a < table.axes.size(); a++) point.push_back(sweep.points().value(p, a));
    SweepRow& row = table.rows.emplace_back(SweepRow{rows[p].status, rows[p].code, rows[p].message, {}});
    for (const std::size_t f : kept) row.values.push_back(rows[p].values[f]);
  }
  return table;
}

std::string sweep_csv(const SweepTable& table) {
  std::string out = "point";
  for (const std::string& axis : table.axes) out += "," + csv_cell(axis);
  out += ",status,code";
  for (const std::string& figure : table.figures) out += "," + csv_cell(figure);
  out += ",message\n";
  for (std::size_t p = 0; p < table.rows.size(); p++) {
    const SweepRow& row = table.rows[p];
    out += std::to_string(p);
    for (const Document& value : table.points[p]) out += "," + csv_cell(sweep_value_text(value));
    out += fmt::format(",{},{}", name_of(row.status), row.code);
    for (const double value : row.values) out += std::isnan(value) ? std::string(",") : fmt::format(",{}", value);
    out += "," + csv_cell(row.message) + "\n";
  }
  return out;
}

std::string sweep_database(const SweepTable& table) {
  SqliteConnection connection(":memory:", true);
  SqliteTransaction all(connection);
  write_about(connection, table);
  write_points(connection, table);
  all.commit();
  return connection.bytes();
}

Result<SweepTable> read_sweep_database(const std::filesystem::path& path) {
  try {
    SqliteConnection connection(path, false);
    if (connection.number("PRAGMA application_id") != kSweepApplication) return no_sweep(path, "it is of another kind");
    if (connection.number("PRAGMA user_version") != kSweepVersion) return no_sweep(path, "another version wrote it");
    SweepTable table;
    SqliteStatement about(connection, "SELECT key, value FROM about");
    while (about.step())
      (about.text(0) == "name" ? table.title : about.text(0) == "railyard" ? table.version : table.name) = about.text(1);
    SqliteStatement columns(connection, "SELECT name, role FROM columns ORDER BY place");
    while (columns.step()) (columns.text(1) == "axis" ? table.axes : table.figures).push_back(columns.text(0));
    read_points(connection, table);
    if (table.axes.empty() || table.rows.empty()) return no_sweep(path, "it has no points");
    return table;
  } catch (const SqliteError& error) {
    return no_sweep(path, error.sentence);
  }
}

}  // namespace railyard
