// A comparison for people and for programs, and where each of its numbers comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "report/report.h"
#include "tools/compare/compare.h"
#include "tools/compare/figures.h"

namespace railyard {

/// A cell of a table by its key: "mfu.llama3.simulated" is table, run, column.
struct Explanation {
  std::string key, value;
  std::string run;   // the command that repeats it
  std::string path;  // into its results
  std::string formula, source, status;
};

/// A table of a comparison, filled. Columns without any figure are gone.
struct FilledTable {
  struct Cell {
    std::string text, key;  // the key is empty where there is nothing to explain
  };
  std::string id, title, note;
  std::vector<std::string> header;  // the first is the run's
  std::vector<Align> align;
  std::vector<std::vector<Cell>> rows;
};

std::vector<FilledTable> filled_tables(const Compared& compared);
std::vector<Explanation> explanations(const Compared& compared);

/// Tables and advice. Advice beyond the first `most_advice` is counted only.
Report compare_report(const Compared& compared, std::size_t most_advice);

/// The same with all results (docs/results.md, comparisons); `version` and `command` are those of the program.
Document compare_document(const Compared& compared, const std::string& version, const std::string& command);

/// RY-CMP-001, with the nearest key, where no table can have a number called `key` of these scenarios: known before anything
/// runs. Nothing where one may.
Diagnostics impossible_key(const std::string& key, const std::vector<std::string>& scenarios);

/// What is known of one key; RY-CMP-001 with the nearest key where there is none.
Result<Report> explain_key(const Compared& compared, const std::string& key);

}  // namespace railyard
