// Any bytes as a trace: every reader must answer with a graph that can be played to its end, or with findings that can be
// shown.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kMostRanks = 64;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Result<TraceDraft> draft = read_as(format_of_trace(text), text);
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
