#include "analysis/trace_results.h"

#include <algorithm>
#include <filesystem>

#include "trace/graph.h"

namespace railyard {

namespace {

constexpr std::size_t kMostLastRanks = 10;

TracedRank traced_rank(std::size_t rank, const TraceRankTimes& times) {
  return {.rank = static_cast<std::uint32_t>(rank),
          .end_us = microseconds(times.end),
          .compute_us = microseconds(times.compute),
          .exposed_us = microseconds(times.exposed),
          .waiting_us = microseconds(times.waiting)};
}

/// The last to end first; of equal ones the lowest.
std::vector<TracedRank> last_ranks(const std::vector<TraceRankTimes>& ranks) {
  std::vector<std::size_t> order(ranks.size());
  for (std::size_t i = 0; i < order.size(); i++) order[i] = i;
  const std::size_t most = std::min(kMostLastRanks, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
      [&](std::size_t a, std::size_t b) { return ranks[a].end != ranks[b].end ? ranks[a].end > ranks[b].end : a < b; });
  std::vector<TracedRank> out;
  for (std::size_t i = 0; i < most; i++) out.push_back(traced_rank(order[i], ranks[order[i]]));
  return out;
}

void add_shares(const TraceRun& run, TraceResults& r) {
  if (run.makespan == Picoseconds::zero() || run.ranks.empty()) return;
  const double whole = seconds(run.makespan) * static_cast<double>(run.ranks.size());
  for (const TraceRankTimes& rank : run.ranks) {
    r.compute += seconds(rank.compute) / whole;
    r.exposed += seconds(rank.exposed) / whole;
    r.waiting += seconds(rank.waiting) / whole;
    r.idle += seconds(run.makespan - rank.end) / whole;
  }
}

TraceOpRow row_of(const TraceOpTimes& op) {
  TraceOpRow row{.what = op.what, .ranks = op.ranks, .calls = op.calls, .size = op.size};
  row.mean_us = microseconds(op.time) / static_cast<double>(op.calls);
  row.longest_us = microseconds(op.longest);
  if (op.time > Picoseconds::zero()) row.busbw_gbs = op.bus_bytes / seconds(op.time) / 1e9;
  return row;
}

std::string tool_of(TraceFormat format) {
  switch (format) {
    case TraceFormat::goal:
      return "GOAL";
    case TraceFormat::chakra:
      return "Chakra";
    case TraceFormat::simai:
      return "SimAI";
    case TraceFormat::kineto:
      return "Kineto";
    case TraceFormat::csv:
      return "CSV";
    case TraceFormat::inspector:
      return "NCCL Inspector";
    case TraceFormat::automatic:
      break;
  }
  return "unknown";
}

}  // namespace

TraceResults analyse_trace(const Scenario& scenario, const Run& run) {
  const TraceSpec& spec = *scenario.workload.trace;
  const TraceGraph& graph = *spec.graph;
  TraceResults r;
  r.file = std::filesystem::path(spec.file).filename().string();
  r.format = std::string(name_of(graph.format));
  r.tool = tool_of(graph.format);
  r.sizes = graph.sizes;
  r.ranks = graph.ranks;
  r.file_ranks = graph.file_ranks;
  r.nodes = graph.nodes.size();
  for (const TraceNodeId id : ids(graph.nodes)) {
    r.computes += graph.nodes.op(id) == TraceOp::compute ? 1 : 0;
    r.messages += graph.nodes.op(id) == TraceOp::send ? 1 : 0;
  }
  r.collectives = graph.calls.size();
  r.makespan_us = microseconds(run.trace->makespan);
  add_shares(*run.trace, r);
  r.last = last_ranks(run.trace->ranks);
  if (!r.last.empty()) r.slowest = r.last.front();
  for (const TraceOpTimes& op : run.trace->ops) r.ops.push_back(row_of(op));
  r.by_port = messages_by_port(run);
  return r;
}

TrafficResults analyse_trace_messages(const Scenario& scenario, const Run& run) {
  TrafficResults r = analyse_messages(run.fabric, *run.traffic);
  r.pattern = "trace";
  r.hosts = static_cast<std::uint32_t>(run.placement.size());
  if (scenario.engine.fidelity == Fidelity::flow) r.solving = run.traffic->telemetry.solving;
  return r;
}

}  // namespace railyard
