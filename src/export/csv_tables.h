// Every table of a document as comma-separated values, for spreadsheets and data frames.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"

namespace railyard {

/// One file: a header line, then a line for every row. Columns are named as members of the document are, so that their names
/// say their units (docs/results.md).
class CsvTable {
 public:
  explicit CsvTable(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const { return name_; }  // "network.tiers": where it is in the document
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return first_.size(); }
  /// Empty where the row has no such member.
  [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const;
  /// The file.
  [[nodiscard]] std::string text() const;

  /// The column of that name, which is added where it is new. Mostly it is `expected`, the one after the last.
  std::size_t column(std::string_view name, std::size_t expected);
  /// A row, and its cells one after the other in the order of columns; those at its end may be missing.
  void begin_row() { first_.push_back(ends_.size()); }
  void add_cell(std::string_view text);
  /// The same: numbers with all their digits, texts without quotes, nothing for null; lists in lists as JSON has them.
  void add_cell(const Document& value);

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::string cells_;               // of all rows, one after the other
  std::vector<std::size_t> ends_;   // of each, in `cells_`
  std::vector<std::size_t> first_;  // of each row, in `ends_`
};

/// All of them: `summary` has every single value with its path; a list of objects is a table, and members of objects in it are
/// columns ("fct_us.p99"); lists inside its rows are tables of their own, with the number of the row they belong to and what it
/// is called; lists of numbers that belong together (samples) are the columns of one table.
std::vector<CsvTable> csv_tables(const Document& document);

/// The first of them alone.
CsvTable csv_summary(const Document& document);

}  // namespace railyard
