// Tests of the plan that no file has.
#include <fmt/format.h>

#include <algorithm>

#include "tools/validate/judge.h"

namespace railyard {

namespace {

/// Whether a file has that collective over as many ranks, with the same thing down.
bool is_measured(const PlannedCollective& planned, const std::vector<Curve>& curves) {
  return std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
    const bool names_it = planned.failure && curve.file.find("/" + planned.failure->id + "/") != std::string::npos;
    const bool names_one = phase_of_file(curve.file, ValidationPhase::baseline) == ValidationPhase::failures;
    if (curve.kind != planned.kind || curve.ranks != planned.scope.ranks || curve.points.empty()) return false;
    return planned.failure ? names_it : !names_one || planned.phase == ValidationPhase::failures;
  });
}

std::string name_of(const PlannedCollective& one) {
  return fmt::format("{} over {} ranks in {} {}{}", test_name(one.kind), one.scope.ranks, one.scope.nodes,
                     one.scope.nodes == 1 ? "node" : "nodes", one.failure ? " with " + one.failure->id : "");
}

bool has_perftest(const Measurements& measured, bool latency) {
  return std::any_of(measured.perftests.begin(), measured.perftests.end(),
                     [&](const PerftestRun& run) { return run.is_latency == latency; });
}

}  // namespace

std::vector<std::string> missing_tests(ValidationPhase phase, const Measurements& measured, const std::vector<Curve>& curves,
                                       const ValidationCluster& cluster, bool has_model) {
  std::vector<std::string> missing;
  if (phase == ValidationPhase::laboratory && measured.logs.empty()) missing.emplace_back("a log with NCCL_DEBUG=INFO");
  if (phase == ValidationPhase::baseline && !cluster.pairs.empty()) {
    if (!has_perftest(measured, false)) missing.emplace_back("ib_write_bw between NICs");
    if (!has_perftest(measured, true)) missing.emplace_back("ib_write_lat between NICs");
  }
  for (const PlannedCollective& planned : planned_collectives(cluster))
    if (planned.phase == phase && !is_measured(planned, curves)) missing.push_back(name_of(planned));
  if (phase == ValidationPhase::ai_workload && has_model && measured.trainings.empty())
    missing.emplace_back("steps of the training job");
  if (phase == ValidationPhase::operational && measured.counters.empty())
    missing.emplace_back("counters of NICs and switches, before and after");
  return missing;
}

}  // namespace railyard
