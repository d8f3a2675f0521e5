#include "tools/tune/figures.h"

#include <algorithm>
#include <cmath>

#include "analysis/packets/least_times.h"
#include "analysis/packets/traffic_results.h"
#include "base/check.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

constexpr double kFine = 10;  // for every share of goodput that is lost

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// How much the longest queue swings, and when it has settled.
void add_queue(const QueueSeries& series, WorkloadFigures& out) {
  if (series.lines.empty()) return;
  const std::vector<double>& all = series.lines.front().backlog;
  std::size_t end = all.size();
  while (end > 0 && all[end - 1] == 0) end--;
  const std::vector<double> used(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end));
  const double average = mean(used);
  if (average <= 0) return;
  double squares = 0;
  for (const double value : used) squares += (value - average) * (value - average);
  out.swing = std::sqrt(squares / static_cast<double>(used.size())) / average;
  const std::vector<double> late(used.begin() + static_cast<std::ptrdiff_t>(used.size() / 2), used.end());
  const double settled = 2 * mean(late);
  for (std::size_t i = 0; i < used.size(); i++)
    if (used[i] > settled) out.settled_us = series.at_us[i];
}

/// Of the rates that completion times of equal messages stand for.
double fairness_of(const TrafficResults& traffic) {
  const FlowTimes& flows = traffic.flows;
  if (traffic.receivers > 1) return traffic.fairness;
  return flows.fct_us.max > 0 ? flows.fct_us.mean / flows.fct_us.max : 1;
}

/// What a goal is about, over that of the default; of counts that may be 0, one more.
double ratio_of(const WorkloadFigures& one, const WorkloadFigures& usual, std::string_view by) {
  if (by == "pauses") return (1 + one.pauses) / (1 + usual.pauses);
  if (by == "drops") return (1 + one.drops) / (1 + usual.drops);
  return one.tail_us / usual.tail_us;
}

/// At any port. Ports side by side share what their row counts.
std::uint64_t most_waiting(const Run& run) {
  std::uint64_t most = 0;
  const Table<PortId, PortRecord>& ports = run.traffic->telemetry.packets->ports;
  for (const PortId port : ids(ports)) {
    const std::uint64_t beside = run.fabric.trunk_ports[run.fabric.port_trunk[port]].size();
    most = std::max(most, (static_cast<std::uint64_t>(ports[port].deepest.count()) + 1) * beside);
  }
  return most;
}

}  // namespace

void WorkloadFigures::add_to(std::vector<double>& values) const {
  for (const double value :
       {tail_us, median_us, goodput_gbps, fairness, pauses, drops, deepest_bytes, swing, settled_us, least_us})
    values.push_back(value);
}

WorkloadFigures WorkloadFigures::from(std::span<const double> v) {
  RY_CHECK(v.size() == kCount, "a workload has all its figures");
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]};
}

Result<WorkloadRun> play_workload(const Scenario& scenario, const TuneWorkload& workload) {
  Progress unseen;
  const Result<Run> run = simulate(scenario, {.threads = 1}, unseen);
  if (!run) return run.error();
  const TrafficResults traffic = analyse_traffic(scenario, *run);
  const bool of_bystanders = workload.tail == TailOf::bystanders && traffic.background;
  const FlowTimes& counted = of_bystanders ? *traffic.background : traffic.flows;
  if (traffic.flows.undelivered > 0 || counted.undelivered > 0)
    return Diagnostic{Severity::error,
                      "RY-TUN-004",
                      "some messages never arrive: " + workload.name,
                      "leave out settings that lose packets for good",
                      {}};
  WorkloadRun played;
  WorkloadFigures& out = played.figures;
  out.tail_us = counted.fct_us.p99, out.median_us = counted.fct_us.p50;
  out.least_us = spread_of(least_times_us(*run, of_bystanders ? kBackgroundClass : kDataClass)).p99;
  out.goodput_gbps = traffic.goodput_gbps;
  out.fairness = fairness_of(traffic);
  if (const std::optional<PacketResults>& packets = traffic.packets) {
    out.pauses = static_cast<double>(packets->pauses), out.drops = static_cast<double>(packets->drops);
    out.deepest_bytes = static_cast<double>(packets->depth.max);
    add_queue(packets->over_time, out);
    played.is_marked = packets->marked > 0;
    played.waited_bytes = most_waiting(*run);
  }
  return played;
}

std::vector<WorkloadFigures> mean_over_seeds(const SeededFigures& by_seed) {
  std::vector<WorkloadFigures> out;
  for (std::size_t workload = 0; workload < by_seed.front().size(); workload++) {
    std::vector<WorkloadFigures> draws;
    for (const std::vector<WorkloadFigures>& of_seed : by_seed) draws.push_back(of_seed[workload]);
    out.push_back(mean_of(draws));
  }
  return out;
}

SeededFigures at_best(SeededFigures played, const SeededFigures& usual) {
  RY_CHECK(played.size() == usual.size(), "both were played with the same seeds");
  for (std::size_t seed = 0; seed < played.size(); seed++)
    for (std::size_t workload = played[seed].size(); workload < usual[seed].size(); workload++) {
      WorkloadFigures best = usual[seed][workload];
      best.tail_us = best.least_us, best.pauses = 0, best.drops = 0;
      played[seed].push_back(best);
    }
  return played;
}

WorkloadFigures mean_of(const std::vector<WorkloadFigures>& draws) {
  std::vector<double> sums(WorkloadFigures::kCount, 0);
  for (const WorkloadFigures& draw : draws) {
    std::vector<double> values;
    draw.add_to(values);
    for (std::size_t i = 0; i < sums.size(); i++) sums[i] += values[i] / static_cast<double>(draws.size());
  }
  return WorkloadFigures::from(sums);
}

double score_of(const std::vector<WorkloadFigures>& figures, const std::vector<WorkloadFigures>& defaults,
                const std::vector<TuneWorkload>& workloads, std::string_view by) {
  RY_CHECK(figures.size() == defaults.size() && !figures.empty(), "the default was played on the same workloads");
  RY_CHECK(by != "incasts" || workloads.size() == figures.size(), "it is known which workloads are incasts");
  double logs = 0, worst = 0, least = INFINITY;
  std::size_t count = 0;
  for (std::size_t i = 0; i < figures.size(); i++) {
    const double tail = figures[i].tail_us / defaults[i].tail_us;
    worst = std::max(worst, tail);
    least = std::min(least, figures[i].goodput_gbps / defaults[i].goodput_gbps);
    if (by == "incasts" && !workloads[i].is_incast) continue;
    logs += std::log(ratio_of(figures[i], defaults[i], by));
    count++;
  }
  const double goal = by == "worst" ? worst : count == 0 ? 1 : std::exp(logs / static_cast<double>(count));
  // Whoever asks for incasts alone minds others, and not one of them for another.
  double hurt = worst;
  if (by == "incasts") {
    hurt = 0;
    for (std::size_t i = 0; i < figures.size(); i++)
      if (!workloads[i].is_incast) hurt = std::max(hurt, figures[i].tail_us / defaults[i].tail_us);
  }
  return goal * (1 + std::max(0.0, hurt - kTailKept)) * (1 + kFine * std::max(0.0, kGoodputKept - least));
}

}  // namespace railyard
