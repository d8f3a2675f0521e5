// Reads JSON lines of NCCL's Inspector plugin: one call of one rank each. Calls of one collective in one communicator are one
// test, whose rows are in the order of the file.
#include <algorithm>
#include <map>
#include <set>

#include "measured/nccl_log_lines.h"
#include "measured/readers.h"
#include "measured/text.h"

namespace railyard::nccl_inspector {

namespace {

using namespace measured_text;

constexpr std::string_view kBroken = "a line of the NCCL Inspector that is cut off or broken";

bool is_inspector(const MeasuredText& text) {
  return contains(text.text, "\"coll_perf\"") && contains(text.text, "\"coll_msg_size_bytes\"");
}

/// What one line says, where it is whole.
std::optional<CollectiveRow> row_in(const Document& call) {
  const auto size = number_in(call, "coll_msg_size_bytes"), time = number_in(call, "coll_exec_time_us");
  const auto algorithm = number_in(call, "coll_algobw_gbs"), bus = number_in(call, "coll_busbw_gbs");
  if (!size || !size_of(*size) || !time || *time < 0 || !algorithm || *algorithm < 0 || !bus || *bus < 0) return std::nullopt;
  CollectiveRow row;
  row.size = *size_of(*size);
  row.time_s = *time * 1e-6;
  row.algorithm_bandwidth = *algorithm * 1e9;
  row.bus_bandwidth = *bus * 1e9;
  return row;
}

class Calls {
 public:
  Calls(const std::string& file, Measurements& all) : file_(file), all_(all) {}

  bool read(const Document& line, std::uint32_t number) {
    const Document *call = line.find("coll_perf"), *header = line.find("header"), *origin = line.find("metadata");
    if (!call || !header) return false;
    auto row = row_in(*call);
    if (!row) return false;
    const std::string collective = nccl_log::collective_name(text_in(*call, "coll"));
    CollectiveTest& test = test_of(text_in(*header, "id"), collective, number);
    if (!test.ranks) test.ranks = small_number_in(*header, "n_ranks");
    if (!test.nodes) test.nodes = small_number_in(*header, "nnodes");
    if (origin && test.version.empty()) test.version = short_text(text_in(*origin, "inspector_output_format_version"));
    row->rank = small_number_in(*header, "rank");
    if (row->rank && origin) add_place(test, *row->rank, text_in(*origin, "hostname"));
    row->where = {file_, number, 0};
    test.rows.push_back(std::move(*row));
    return true;
  }

 private:
  CollectiveTest& test_of(const std::string& communicator, const std::string& collective, std::uint32_t number) {
    const auto [found, is_new] = tests_.try_emplace(communicator + "\n" + collective, all_.tests.size());
    if (!is_new) return all_.tests[found->second];
    CollectiveTest test;
    test.tool = "nccl-inspector";
    test.collective = collective;
    test.finished = true;
    test.where = {file_, number, 0};
    return all_.tests.emplace_back(std::move(test));
  }

  void add_place(CollectiveTest& test, std::uint32_t rank, const std::string& host) {
    if (!places_.insert({&test - all_.tests.data(), rank}).second) return;
    test.places.push_back({rank, short_text(host), 0, {}, {}});
  }

  const std::string& file_;
  Measurements& all_;
  std::map<std::string, std::size_t> tests_;
  std::set<std::pair<std::ptrdiff_t, std::uint32_t>> places_;
};

void read_inspector(const MeasuredText& text, Measurements& all) {
  Calls calls(text.file, all);
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    if (!contains(line.text, "\"coll_perf\"")) continue;
    const auto document = json_value(line.text);
    if (!document || !calls.read(*document, line.number)) add_skipped(all, kBroken, {text.file, line.number, 0});
  }
}

}  // namespace

}  // namespace railyard::nccl_inspector

namespace railyard {

std::vector<MeasuredReader> nccl_inspector_readers() {
  return {{"NCCL Inspector", nccl_inspector::is_inspector, nccl_inspector::read_inspector}};
}

}  // namespace railyard
