// Serving as jobs on a fabric: passes of prefill as often as requests come, passes of decode one after the other, and caches
// from the ones to the others.
#include <algorithm>
#include <cmath>

#include "plan/serving_parts.h"
#include "sim/serving/serving_run.h"

namespace railyard {

namespace {

constexpr double kMostIterations = 200;  // of decode that count

/// Requests of one pass of all groups of prefill come in this time.
Picoseconds period_of(const ServingRun& run) {
  return from_seconds(static_cast<double>(run.prefill.requests) * run.prefill.groups / run.rate);
}

/// Both sides cut a cache alike, so that each piece has one sender and one receiver. Groups of prefill end their passes evenly
/// over the period, and their requests go to groups of decode in turn.
std::vector<TrafficLine> cache_lines(const ServingSpec& serving, const ServingRun& run) {
  const std::uint32_t pieces = std::max(serving.prefill_tensor, serving.decode_tensor);
  const std::uint32_t groups = run.prefill.groups;
  const Bytes piece((run.cache.count() + pieces - 1) / pieces);
  std::vector<TrafficLine> lines;
  for (std::uint32_t group = 0; group < groups; group++)
    for (std::uint32_t request = 0; request < run.prefill.requests; request++) {
      const std::uint32_t to = (group * run.prefill.requests + request) % run.decode.groups;
      for (std::uint32_t i = 0; i < pieces; i++) {
        TrafficLine line;
        line.start = from_seconds(seconds(period_of(run)) * group / groups);
        line.source = group * serving.prefill_tensor + i * serving.prefill_tensor / pieces;
        line.destination = *serving.prefill_gpus + to * serving.decode_tensor + i * serving.decode_tensor / pieces;
        line.size = piece;
        lines.push_back(line);
      }
    }
  return lines;
}

Scenario caches_of(const Scenario& scenario, const ServingRun& run) {
  const ServingSpec& serving = *scenario.workload.serving;
  Scenario out = scenario;
  WorkloadPlan& w = out.workload;
  w.serving.reset();
  w.model.reset();
  w.gpu.reset();
  w.gpus = serving.gpus();
  w.traffic.emplace();
  w.traffic->pattern = TrafficPattern::file;
  w.traffic->hosts = serving.gpus();
  w.traffic->lines = cache_lines(serving, run);
  return out;
}

/// Of the servers that are named, those of prefill come first.
void deal_servers(const ServingSpec& serving, std::uint32_t per_node, JobPlan& prefill, JobPlan& decode) {
  const std::size_t first = std::min<std::size_t>((*serving.prefill_gpus - 1) / per_node + 1, prefill.numbers.size());
  decode.numbers.erase(decode.numbers.begin(), decode.numbers.begin() + static_cast<std::ptrdiff_t>(first));
  prefill.numbers.resize(first);
}

void add_parts(const Scenario& scenario, const ServingRun& run, std::vector<Scenario>& jobs) {
  const ServingSpec& serving = *scenario.workload.serving;
  Scenario prefill = run.prefill.scenario, decode = run.decode.scenario, caches = caches_of(scenario, run);
  const std::string name = scenario.job->name, before = name.empty() ? "" : name + " ";
  const auto call = [&](Scenario& part, const char* what) {
    part.name = part.job->name = before + what;
    part.job->serves = name.empty() ? scenario.name : name;
    part.job->gpus = part.workload.gpus;
  };
  call(prefill, "prefill"), call(decode, "decode"), call(caches, "caches");
  prefill.job->every = caches.job->every = period_of(run);
  caches.job->start += run.prefill.time();
  caches.job->of = prefill.job->name, caches.job->to = decode.job->name;
  caches.job->gpus.reset();
  const double iterations = seconds(period_of(run)) / seconds(run.decode.time()) * scenario.job->turns;
  decode.job->turns = static_cast<std::uint32_t>(std::clamp<double>(iterations, scenario.job->turns, kMostIterations));
  if (!prefill.job->numbers.empty()) deal_servers(serving, scenario.fabric.per_node, *prefill.job, *decode.job);
  jobs.push_back(std::move(prefill)), jobs.push_back(std::move(decode)), jobs.push_back(std::move(caches));
}

}  // namespace

ClusterJobs serving_alone(const Scenario& scenario) {
  constexpr std::uint32_t kTurns = 4;
  ClusterJobs cluster{.name = scenario.name, .jobs = {scenario}};
  cluster.jobs.front().job.emplace();
  cluster.jobs.front().job->turns = kTurns;
  return cluster;
}

Result<ClusterJobs> with_serving_parts(const ClusterJobs& cluster) {
  ClusterJobs out{.name = cluster.name, .jobs = {}};
  Diagnostics refused;
  for (const Scenario& job : cluster.jobs) {
    if (!job.workload.serving) {
      out.jobs.push_back(job);
      continue;
    }
    const Result<ServingRun> run = run_serving(job);
    if (run)
      add_parts(job, *run, out.jobs);
    else
      refused.insert(refused.end(), run.error().begin(), run.error().end());
  }
  if (!refused.empty()) return refused;
  return out;
}

}  // namespace railyard
