// Every table of a document as comma-separated values, for spreadsheets and data frames.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"

namespace railyard {

/// One file: a header line, then a line for every row. Columns are named as members of the document are, so that their names
/// say their units (docs/results.md).
struct CsvTable {
  std::string name;  // "network.tiers": where it is in the document
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as long as `columns`; empty cells where a row has no such member

  [[nodiscard]] std::string text() const;
};

/// All of them: `summary` has every single value with its path; a list of objects is a table, and members of objects in it are
/// columns ("fct_us.p99"); lists inside its rows are tables of their own, with the number of the row they belong to and what it
/// is called; lists of numbers that belong together (samples) are the columns of one table.
std::vector<CsvTable> csv_tables(const Document& document);

/// The first of them alone.
CsvTable csv_summary(const Document& document);

}  // namespace railyard
