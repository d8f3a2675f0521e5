// Reads JSON lines of NCCL's Inspector plugin: one call of one rank each. Calls of one collective in one communicator are one
// test, whose rows are in the order of the file. Sizes are turned into those of nccl-tests.
#include <algorithm>
#include <map>
#include <set>

#include "measured/nccl_log_lines.h"
#include "measured/readers.h"
#include "measured/text.h"
#include "trace/inspector_record.h"

namespace railyard::nccl_inspector {

namespace {

using namespace measured_text;

constexpr std::string_view kBroken = "a line of the NCCL Inspector that is cut off or broken";

bool is_inspector(const MeasuredText& text) {
  return contains(text.text, "\"coll_perf\"") && contains(text.text, "\"coll_msg_size_bytes\"");
}

/// What one line says, where it is whole.
std::optional<CollectiveRow> row_of(const InspectorRecord& call) {
  const auto size = call.buffer_bytes();
  if (!size || call.algorithm_gbs < 0 || call.bus_gbs < 0) return std::nullopt;
  CollectiveRow row;
  row.size = Bytes(*size);
  row.time_s = call.time_us * 1e-6;
  row.algorithm_bandwidth = call.algorithm_gbs * 1e9;
  row.bus_bandwidth = call.bus_gbs * 1e9;
  row.rank = call.rank;
  return row;
}

class Calls {
 public:
  Calls(const std::string& file, Measurements& all) : file_(file), all_(all) {}

  bool read(const InspectorRecord& call, std::uint32_t number) {
    auto row = row_of(call);
    if (!row) return false;
    CollectiveTest& test = test_of(call.communicator, nccl_log::collective_name(call.call), number);
    if (!test.ranks && call.ranks > 0) test.ranks = call.ranks;
    if (!test.nodes && call.nodes > 0) test.nodes = call.nodes;
    if (test.version.empty()) test.version = short_text(call.version);
    add_place(test, call.rank, call.host);
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
  InspectorRecord call;
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    if (!contains(line.text, "\"coll_perf\"")) continue;
    const InspectorLine kind = read_inspector_line(line.text, call);
    if (kind != InspectorLine::call || !calls.read(call, line.number)) add_skipped(all, kBroken, {text.file, line.number, 0});
  }
}

}  // namespace

}  // namespace railyard::nccl_inspector

namespace railyard {

std::vector<MeasuredReader> nccl_inspector_readers() {
  return {{"NCCL Inspector", nccl_inspector::is_inspector, nccl_inspector::read_inspector}};
}

}  // namespace railyard
