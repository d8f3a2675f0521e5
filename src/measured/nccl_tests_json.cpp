// Reads the report that nccl-tests write with -J.
#include <algorithm>

#include "measured/nccl_tests.h"
#include "measured/text.h"

namespace railyard::nccl_tests {

namespace {

using namespace measured_text;

std::optional<CollectiveRow> result_of(const Document& entry, std::string_view group) {
  const Document* numbers = entry.find(group);
  const auto size = number_in(entry, "size");
  if (!numbers || !numbers->members() || !size || !size_of(*size)) return std::nullopt;
  auto time = number_in(*numbers, "time");
  if (!time) time = number_in(*numbers, "cpu_time");
  const auto algorithm = number_in(*numbers, "alg_bw"), bus = number_in(*numbers, "bus_bw");
  if (!time || !algorithm || !bus || *time < 0 || *algorithm < 0 || *bus < 0) return std::nullopt;
  CollectiveRow row;
  row.size = *size_of(*size);
  row.in_place = group == "in_place";
  row.time_s = *time * 1e-6;
  row.algorithm_bandwidth = *algorithm * 1e9;
  row.bus_bandwidth = *bus * 1e9;
  if (const auto wrong = number_in(*numbers, "nwrong"); wrong && *wrong >= 0 && *wrong < 1e18)
    row.wrong = static_cast<std::uint64_t>(*wrong);
  row.where = entry.where();
  return row;
}

void read_devices(const Document& report, CollectiveTest& test) {
  const Document* devices = report.at_path("config.devices");
  if (!devices || !devices->items()) return;
  for (const Document& device : *devices->items()) {
    const auto rank = small_number_in(device, "rank"), index = small_number_in(device, "device");
    if (!rank || !index) continue;
    test.places.push_back({*rank, short_text(text_in(device, "hostname")), *index, short_text(text_in(device, "device_hex")),
                           short_text(text_in(device, "device_info"))});
  }
}

/// Counts, to tell the ranks by: nccl-tests list one device of each process only.
Row counted(const Document& entry) {
  Row row;
  const auto size = number_in(entry, "size"), count = number_in(entry, "count");
  if (size && *size >= 0 && *size < 1e18) row.size = static_cast<std::uint64_t>(*size);
  if (count && *count >= 0 && *count < 1e18) row.count = static_cast<std::uint64_t>(*count);
  row.type = text_in(entry, "type");
  row.redop = text_in(entry, "redop");
  if (const auto root = number_in(entry, "root"); root && *root >= -1 && *root < 1e9)
    row.root = static_cast<std::int64_t>(*root);
  return row;
}

void read_results(const Document& report, CollectiveTest& test, RankEvidence& evidence) {
  const Document* results = report.find("results");
  if (!results || !results->items()) return;
  for (const Document& entry : *results->items()) {
    for (const std::string_view group : {"out_of_place", "in_place"})
      if (auto row = result_of(entry, group)) test.rows.push_back(std::move(*row));
    evidence.rows.push_back(counted(entry));
    if (test.collective.empty()) test.collective = collective_of(text_in(entry, "experiment_name"));
  }
}

void read_summary(const Document& report, CollectiveTest& test) {
  test.finished = report.find("end_time") != nullptr || report.find("average_bus_bandwidth") != nullptr;
  if (const Document* bounds = report.find("out_of_bounds"))
    if (const auto count = small_number_in(*bounds, "count")) test.out_of_bounds = *count;
  if (const Document* average = report.find("average_bus_bandwidth"))
    if (const auto bandwidth = number_in(*average, "bandwidth")) test.average_bus_bandwidth = *bandwidth * 1e9;
}

}  // namespace

bool is_json_report(const MeasuredText& text) {
  return without_blanks(std::string_view(text.text).substr(0, 64)).starts_with('{') && contains(text.text, "\"alg_bw\"") &&
         contains(text.text, "\"bus_bw\"");
}

void read_json_report(const MeasuredText& text, Measurements& all) {
  const auto report = json_of(text, "a report of nccl-tests", all);
  if (!report) return;
  CollectiveTest test;
  test.tool = "nccl-tests";
  test.where = {text.file, 1, 0};
  if (const auto code = small_number_in(*report, "nccl_version")) test.library = version_of_code(*code);
  if (const Document* args = report->find("args"); args && args->items() && !args->items()->empty())
    if (const std::string* program = args->items()->front().text()) test.collective = collective_of(*program);
  RankEvidence evidence;
  read_devices(*report, test);
  read_results(*report, test, evidence);
  read_summary(*report, test);
  if (test.collective.empty()) test.collective = guessed_collective(evidence);
  std::uint32_t listed = 0;
  for (const RankPlace& place : test.places)
    if (place.rank < 1U << 20U) listed = std::max(listed, place.rank + 1);
  if (listed > 0) evidence.told.push_back(listed);
  test.ranks = ranks_of(test, evidence);
  test.nodes = nodes_of(test);
  if (!test.rows.empty()) all.tests.push_back(std::move(test));
}

}  // namespace railyard::nccl_tests
