// Parts of the reader of nccl-tests and rccl-tests: columns and rows of a table, and how many ranks ran.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measured/read.h"

namespace railyard::nccl_tests {

/// What a header says of the columns behind `type`. Without a header both groups are there, and a root where the row has one.
struct Columns {
  bool known = false;
  bool redop = false, root = false;
  bool starts_in_place = false;     // the only group there is, is in place
  std::vector<std::string> values;  // "time", "algbw", "busbw", "#wrong", "time", …
};

/// The columns of `# size count type redop …`, or none if the line is no header.
[[nodiscard]] std::optional<Columns> columns_of(std::string_view line);

/// Words of one row, as far as they are there.
struct Row {
  std::uint64_t size = 0, count = 0;
  std::string type, redop;  // redop: "" where the table has none
  std::optional<std::int64_t> root;
  std::vector<CollectiveRow> results;  // one or two; `where` is left to the caller
  bool cut_off = false;                // columns are missing at its end
};
[[nodiscard]] std::optional<Row> row_of(std::string_view line, const Columns& columns);

/// Bytes of an element of that type; 0: no type.
[[nodiscard]] std::uint32_t element_size(std::string_view type);

/// "all_reduce" of "./build/all_reduce_perf", "all_reduce_perf_mpi"; "" if the word is no such program.
[[nodiscard]] std::string collective_of(std::string_view program);

/// What tells the number of ranks and the collective of a table that names neither.
struct RankEvidence {
  std::vector<std::uint32_t> told;  // by rank lines, by logs: the surest first
  Columns columns;
  std::vector<Row> rows;  // sizes, counts, reductions and roots
};
[[nodiscard]] std::optional<std::uint32_t> ranks_of(const CollectiveTest& test, const RankEvidence& evidence);
[[nodiscard]] std::string guessed_collective(const RankEvidence& evidence);

/// `#  Rank  0 Group  0 Pid 17 on host device  0 [0x0f] NVIDIA A100`.
[[nodiscard]] std::optional<RankPlace> place_of(std::string_view line);

/// "2.29.3" of 22903.
[[nodiscard]] std::string version_of_code(std::uint64_t code);

/// The report that `-J` writes.
bool is_json_report(const MeasuredText& text);
void read_json_report(const MeasuredText& text, Measurements& all);

/// Number of nodes, where every rank's place is listed, or each node has as many devices as make up all ranks.
[[nodiscard]] std::optional<std::uint32_t> nodes_of(const CollectiveTest& test);

}  // namespace railyard::nccl_tests
