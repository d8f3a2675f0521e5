// Any bytes as a trace: every reader must answer with a graph that can be played to its end, or with findings that can be
// shown. What begins with a byte of zero are the groups of a Chakra trace as --groups takes them.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "trace/order.h"
#include "trace/read.h"
#include "trace/readers.h"

namespace {

using namespace railyard;

void show_findings_of_trace(const Diagnostics& findings) {
  RY_CHECK(!findings.empty(), "a refusal has a reason");
  for (const Diagnostic& one : findings) (void)to_text(one);
}

Result<TraceDraft> read_as(TraceFormat format, std::string_view text) {
  constexpr std::uint32_t kRanks = 4;
  const auto bytes = bytes_of_text(text);
  const TraceInput input{"fuzz", *bytes};
  switch (format) {
    case TraceFormat::goal:
      return read_goal(input);
    case TraceFormat::simai:
      return read_simai(input, {}, kRanks);
    case TraceFormat::kineto:
      return read_kineto_trace(input, kRanks);
    case TraceFormat::csv:
      return read_csv_trace(input);
    case TraceFormat::inspector:
      return read_inspector({&input, 1}, {}, kRanks);
    case TraceFormat::automatic:
    case TraceFormat::chakra:
      return read_chakra({&input, 1}, {});
  }
  check_failed("format", "a format is known", __FILE__, __LINE__);
}

/// An all-reduce of the group "1" on each of two ranks.
constexpr const char* kGrouped =
    R"({"workload_graph": [{"Id": 1, "NodeType": 7, "ctrlDeps": [], "data_deps": [], "comm_type": 0, "comm_size": 8,
        "pg_name": "1"}], "ngpus": 2})";

Result<TraceDraft> read_with_groups(std::string_view groups) {
  const auto first = bytes_of_text(kGrouped), second = bytes_of_text(kGrouped);
  const TraceInput inputs[] = {{"fuzz.0.json", *first}, {"fuzz.1.json", *second}};
  return read_chakra(inputs, groups);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kMostRanks = 64;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool is_groups = text.starts_with('\0');
  Result<TraceDraft> draft = is_groups ? read_with_groups(text.substr(1)) : read_as(format_of_trace(text), text);
  if (!draft) return show_findings_of_trace(draft.error()), 0;
  const std::uint32_t own = draft->ranks;
  if (own > kMostRanks || own == 0) return 0;
  Result<TraceDraft> repeated = repeat_trace(std::move(*draft), 2 * own);
  if (!repeated) return show_findings_of_trace(repeated.error()), 0;
  const Result<TraceGraph> graph = finish_trace(std::move(*repeated), own);
  if (!graph) return show_findings_of_trace(graph.error()), 0;
  RY_CHECK(!first_in_circle(*graph).valid(), "a graph that is finished can be played to its end");
  for (const TraceNode node : graph->nodes) RY_CHECK(node.rank < graph->ranks, "a node has a rank");
  return 0;
}
