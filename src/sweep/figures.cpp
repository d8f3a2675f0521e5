#include "sweep/figures.h"

#include <algorithm>
#include <array>

#include "analysis/results.h"
#include "answer/trial.h"
#include "collective/library.h"
#include "report/results_report.h"

namespace railyard {

namespace {

/// In the order of kFigures.
enum FigureColumnId : std::size_t {
  kTime,
  kTokens,
  kTflops,
  kMfu,
  kExposed,
  kHidden,
  kBubble,
  kNetworkShare,
  kMemory,
  kSize,
  kAlgbw,
  kBusbw,
  kFctMean,
  kFctP99,
  kFctMax,
  kSlowdownP99,
  kGoodput,
  kMarked,
  kDropped,
  kPauses,
  kComputeShare,
  kExposedShare,
  kFigureCount
};

constexpr std::array<SweepFigure, kFigureCount> kFigures{{
    {"time_s", "s", "the step, the collective of the largest size, all messages, or the trace"},
    {"tokens_per_s_per_gpu", "1/s", "of a training step"},
    {"tflops_per_gpu", "TFLOP/s", "the model's arithmetic, attention over what a token may see"},
    {"mfu", "", "the same over the GPU's peak in bf16"},
    {"exposed_s", "s", "communication of a step that nothing runs beside, of the mean stage"},
    {"hidden_s", "s", "communication of a step that compute runs beside"},
    {"bubble_s", "s", "time of a step that stages wait for each other"},
    {"network_share", "", "of the step that the network costs"},
    {"memory_bytes", "B", "that the fullest stage of a step needs on a GPU"},
    {"size_bytes", "B", "of the collective's largest buffer"},
    {"algbw_gbs", "GB/s", "that size over its time"},
    {"busbw_gbs", "GB/s", "the same, comparable to a link's rate"},
    {"fct_mean_us", "us", "messages of [traffic], start to the last ACK"},
    {"fct_p99_us", "us", "the same, of the 99th percentile"},
    {"fct_max_us", "us", "the same, of the slowest"},
    {"slowdown_p99", "", "over the same message alone on the fabric"},
    {"goodput_gbps", "Gb/s", "payload delivered over the makespan"},
    {"marked", "", "packets that switches marked"},
    {"dropped", "", "packets that switches dropped"},
    {"pauses", "", "times that a port was stopped"},
    {"compute_share", "", "of a trace's makespan, the mean of its ranks"},
    {"exposed_share", "", "of a trace's makespan in communication alone"},
}};

double sum_of(const StepBreakdown::ByGroup& parts) {
  return parts.tensor + parts.context + parts.expert + parts.pipeline + parts.data;
}

void add_step(const Scenario& scenario, const Run& run, SweepRow& row) {
  const StepResults step = analyse_step(scenario, *run.training);
  row.values[kTokens] = step.tokens_per_s_per_gpu;
  row.values[kTflops] = step.tflops_per_gpu.causal;
  row.values[kMfu] = step.mfu.causal;
  row.values[kExposed] = sum_of(step.breakdown.exposed);
  row.values[kHidden] = sum_of(step.breakdown.hidden);
  row.values[kBubble] = step.breakdown.bubble;
  row.values[kNetworkShare] = 1 - step.cost.without_network / step.step_time_s;
  row.values[kMemory] = static_cast<double>(step.fullest.memory.total().count());
}

void add_collective(const Run& run, SweepRow& row) {
  const CollectiveRun& largest =
      *std::max_element(run.collectives.begin(), run.collectives.end(),
                        [](const CollectiveRun& a, const CollectiveRun& b) { return a.size < b.size; });
  const double time = seconds(largest.time), size = static_cast<double>(largest.size.count());
  row.values[kTime] = time;
  row.values[kSize] = size;
  row.values[kAlgbw] = size / time / 1e9;
  row.values[kBusbw] = size / time / 1e9 * bus_factor(largest.kind, static_cast<std::uint32_t>(run.placement.size()));
}

void add_traffic(const Scenario& scenario, const Run& run, SweepRow& row) {
  const TrafficResults traffic = run.trace ? analyse_trace_messages(scenario, run) : analyse_traffic(scenario, run);
  if (traffic.flows.messages > traffic.flows.undelivered) {
    row.values[kFctMean] = traffic.flows.fct_us.mean;
    row.values[kFctP99] = traffic.flows.fct_us.p99;
    row.values[kFctMax] = traffic.flows.fct_us.max;
    row.values[kSlowdownP99] = traffic.flows.slowdown.p99;
    row.values[kGoodput] = traffic.goodput_gbps;
  }
  if (!traffic.packets) return;
  row.values[kMarked] = static_cast<double>(traffic.packets->marked);
  row.values[kDropped] = static_cast<double>(traffic.packets->drops);
  row.values[kPauses] = static_cast<double>(traffic.packets->pauses);
}

void add_paths(const Scenario& scenario, const Run& run, std::span<const std::string> paths, SweepRow& row,
               MissedFigures& missed) {
  if (paths.empty()) return;
  const Document results = results_document(analyse(scenario, run), 0);
  for (const std::string& path : paths) {
    double storage = 0;
    const Document* const found = results.at_path(path);
    const double* const number = found ? found->number(storage) : nullptr;
    row.values.push_back(number ? *number : SweepRow::none());
    missed.see(path, results, number != nullptr);
  }
}

}  // namespace

std::span<const SweepFigure> sweep_figures() { return kFigures; }

SweepRow row_of_run(const Scenario& scenario, const Run& run, std::span<const std::string> paths, MissedFigures& missed) {
  SweepRow row;
  row.values.assign(kFigureCount, SweepRow::none());
  if (const std::optional<double> time = outcome_s(run)) row.values[kTime] = *time;
  if (run.training)
    add_step(scenario, run, row);
  else if (!run.collectives.empty())
    add_collective(run, row);
  if (run.traffic) add_traffic(scenario, run, row);
  if (run.trace) {
    const TraceResults trace = analyse_trace(scenario, run);
    row.values[kComputeShare] = trace.compute;
    row.values[kExposedShare] = trace.exposed;
  }
  add_paths(scenario, run, paths, row, missed);
  for (const Diagnostic& finding : run.diagnostics) {
    if (finding.severity != Severity::error) continue;
    row.status = PointStatus::failed, row.code = finding.code, row.message = finding.message;
    break;
  }
  return row;
}

}  // namespace railyard
