// Results of perftest as comma-separated values, one row per test, with whatever column names people give: sizes, queue pairs,
// depths, bandwidths or latencies, memory, device and hosts are known by usual ones. Rows that differ in size alone are one
// run.
#include <algorithm>
#include <array>

#include "measured/read.h"
#include "measured/text.h"

namespace railyard::perftest {

namespace {

using namespace measured_text;

enum class Field : std::uint8_t {
  none,
  size,
  queue_pairs,
  depth,
  average,
  peak,
  latency,
  memory,
  device,
  host,
  peer,
  tool,
  iterations
};

struct Column {
  Field field = Field::none;
  double unit = 1;  // of bandwidths and latencies
};

struct KnownColumn {
  std::string_view name;
  Column column;
};
constexpr double kGigabit = 1e9 / 8;
constexpr std::array<KnownColumn, 40> kKnown = {{{"msg_bytes", {Field::size}},
                                                 {"message_bytes", {Field::size}},
                                                 {"msg_size", {Field::size}},
                                                 {"message_size", {Field::size}},
                                                 {"size_bytes", {Field::size}},
                                                 {"bytes", {Field::size}},
                                                 {"#bytes", {Field::size}},
                                                 {"size", {Field::size}},
                                                 {"qps", {Field::queue_pairs}},
                                                 {"queue_pairs", {Field::queue_pairs}},
                                                 {"num_qps", {Field::queue_pairs}},
                                                 {"tx_depth", {Field::depth}},
                                                 {"depth", {Field::depth}},
                                                 {"queue_depth", {Field::depth}},
                                                 {"gbps", {Field::average, kGigabit}},
                                                 {"gbit_s", {Field::average, kGigabit}},
                                                 {"bw_gbps", {Field::average, kGigabit}},
                                                 {"bw_average_gbps", {Field::average, kGigabit}},
                                                 {"bw_avg_gbps", {Field::average, kGigabit}},
                                                 {"bandwidth_gbps", {Field::average, kGigabit}},
                                                 {"bw_average[gb/sec]", {Field::average, kGigabit}},
                                                 {"bw_average[mb/sec]", {Field::average, 1048576}},
                                                 {"bw_peak[gb/sec]", {Field::peak, kGigabit}},
                                                 {"bw_peak[mb/sec]", {Field::peak, 1048576}},
                                                 {"bw_peak_gbps", {Field::peak, kGigabit}},
                                                 {"gb_s", {Field::average, 1e9}},
                                                 {"mb_s", {Field::average, 1e6}},
                                                 {"mib_s", {Field::average, 1048576}},
                                                 {"lat_us", {Field::latency, 1e-6}},
                                                 {"latency_us", {Field::latency, 1e-6}},
                                                 {"t_avg_us", {Field::latency, 1e-6}},
                                                 {"t_avg", {Field::latency, 1e-6}},
                                                 {"memory", {Field::memory}},
                                                 {"device", {Field::device}},
                                                 {"host", {Field::host}},
                                                 {"server", {Field::peer}},
                                                 {"peer", {Field::peer}},
                                                 {"tool", {Field::tool}},
                                                 {"test", {Field::tool}},
                                                 {"iterations", {Field::iterations}}}};

std::vector<Column> columns_in(std::string_view line) {
  std::vector<Column> out;
  for (const std::string_view cell : printed::split_at(line, ',')) {
    std::string name = printed::lower_case(without_blanks(cell));
    std::replace(name.begin(), name.end(), ' ', '_');
    const auto known = std::find_if(kKnown.begin(), kKnown.end(), [&](const KnownColumn& one) { return one.name == name; });
    out.push_back(known == kKnown.end() ? Column() : known->column);
  }
  return out;
}

bool has(const std::vector<Column>& columns, Field field) {
  return std::any_of(columns.begin(), columns.end(), [&](const Column& one) { return one.field == field; });
}

/// Sizes, a value and something of perftest: a table of other things has no queue pairs.
bool is_header(const std::vector<Column>& columns) {
  return has(columns, Field::size) && (has(columns, Field::average) || has(columns, Field::latency)) &&
         (has(columns, Field::queue_pairs) || has(columns, Field::depth) || has(columns, Field::tool));
}

bool is_gpu_memory(std::string_view word) {
  const std::string plain = printed::lower_case(word);
  return plain == "gpu" || plain == "cuda" || plain == "rocm" || plain == "device" || plain == "gdr" || plain == "gpudirect";
}

void apply_cell(const Column& column, std::string_view text, PerftestRun& run, PerftestRow& row, bool& has_size) {
  const auto value = decimal(text);
  const bool is_positive = value && *value >= 0;
  if (column.field == Field::size && is_positive && size_of(*value)) {
    row.size = *size_of(*value);
    has_size = true;
  }
  if (column.field == Field::queue_pairs) run.queue_pairs = small_number(text);
  if (column.field == Field::depth) run.depth = small_number(text);
  if (column.field == Field::average && is_positive) row.average = *value * column.unit;
  if (column.field == Field::peak && is_positive) row.peak = *value * column.unit;
  if (column.field == Field::latency && is_positive) row.average_s = *value * column.unit;
  if (column.field == Field::memory && !text.empty()) run.gpu_memory = is_gpu_memory(text);
  if (column.field == Field::device) run.device = short_text(text);
  if (column.field == Field::host) run.host = short_text(text);
  if (column.field == Field::peer) run.peer = short_text(text);
  if (column.field == Field::tool) run.tool = short_text(text);
  if (column.field == Field::iterations) row.iterations = digits(text).value_or(0);
}

bool same_setup(const PerftestRun& a, const PerftestRun& b) {
  return a.queue_pairs == b.queue_pairs && a.depth == b.depth && a.gpu_memory == b.gpu_memory && a.device == b.device &&
         a.host == b.host && a.peer == b.peer && a.tool == b.tool && a.is_latency == b.is_latency;
}

/// Adds a row to the run of its setup, among those of this file.
void add_result(PerftestRun run, PerftestRow row, std::size_t first, Measurements& all) {
  for (std::size_t i = first; i < all.perftests.size(); i++)
    if (same_setup(all.perftests[i], run)) {
      all.perftests[i].rows.push_back(std::move(row));
      return;
    }
  run.where = row.where;
  run.rows.push_back(std::move(row));
  all.perftests.push_back(std::move(run));
}

/// The line without blanks and notes, or "" for one that says nothing.
std::string_view content_of(const NumberedLine& line) {
  const std::string_view text = without_blanks(line.text);
  return text.starts_with("# ") ? std::string_view() : text;
}

}  // namespace

bool is_table_of_values(const MeasuredText& text) {
  for (const NumberedLine& line : printed::numbered_lines(std::string_view(text.text).substr(0, 4096)))
    if (const std::string_view content = content_of(line); !content.empty())
      return contains(content, ",") && is_header(columns_in(content));
  return false;
}

void read_table_of_values(const MeasuredText& text, Measurements& all) {
  const std::size_t first = all.perftests.size();
  std::vector<Column> columns;
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    const std::string_view content = content_of(line);
    if (content.empty()) continue;
    if (columns.empty()) {
      columns = columns_in(content);
      continue;
    }
    PerftestRun run;
    run.host = text.device;
    PerftestRow row;
    row.where = {text.file, line.number, 0};
    bool has_size = false;
    const std::vector<std::string_view> cells = printed::split_at(content, ',');
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); i++)
      apply_cell(columns[i], without_blanks(cells[i]), run, row, has_size);
    run.is_latency = !row.average && row.average_s;
    if (has_size && cells.size() >= columns.size() && (row.average || row.average_s))
      add_result(std::move(run), std::move(row), first, all);
    else
      add_skipped(all, "a row of comma-separated values without a size or a result", row.where);
  }
}

}  // namespace railyard::perftest
