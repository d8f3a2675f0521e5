// Tables of what is compared: machines, network, plan.
#include <fmt/format.h>

#include "answer/levers.h"
#include "base/quantity_text.h"
#include "catalog/catalog.h"
#include "tools/compare/figures.h"

namespace railyard {

namespace {

Figure given(std::string text, std::string path) { return {std::move(text), std::move(path), "given"}; }

Figure gpus_of(const ComparedRun& run) {
  const WorkloadPlan& w = run.scenario.workload;
  return given(fmt::format("{} {}", format_count(w.gpus.value_or(0)), w.gpu_model.substr(0, w.gpu_model.find('-'))), "ranks");
}

Figure network_of(const ComparedRun& run) {
  const Scenario& s = run.scenario;
  if (!s.keys.given("fabric.topology")) return {};
  const bool infiniband = s.transport.kind == TransportKind::infiniband;
  const std::string routing = infiniband ? "" : ", " + std::string(name_of(s.routing.policy));
  return given(fmt::format("{}, {}{}", name_of(s.fabric.topology), infiniband ? "IB" : name_of(s.transport.kind), routing),
               "inputs");
}

Figure oversubscription_of(const ComparedRun& run) {
  if (!run.analysed.network) return {};
  const double leaf = number_at(run.results, "fabric.oversubscription", run.analysed.fabric.oversubscription);
  const double above = oversubscription_above_pods(run.scenario);
  return given(above > 1 ? fmt::format("{:.3g}:1, pods {:.2g}:1", leaf, above) : fmt::format("{:.3g}:1", leaf),
               "fabric.oversubscription");
}

/// Of one H100 with its share of host, network and cooling: 150 MW for 100,000 of them, as SemiAnalysis estimated.
constexpr double kH100ClusterWatts = 1500;
constexpr double kH100BoardWatts = 700;

std::string power_text(double megawatts) {
  return megawatts >= 1 ? fmt::format("{:.{}f} MW", megawatts, megawatts >= 100 ? 0 : 1)
                        : fmt::format("{:.0f} kW", megawatts * 1000);
}

Figure power_of(const ComparedRun& run) {
  const Scenario& s = run.scenario;
  if (!s.workload.gpu || !s.workload.gpu->gpu.power || !s.workload.gpus) return {};
  const double board = static_cast<double>(s.workload.gpu->gpu.power->count()) / 1000;
  const double megawatts = board * *s.workload.gpus * (kH100ClusterWatts / kH100BoardWatts) / 1e6;
  return {
      power_text(megawatts), {}, "estimated", "catalog: board power of the GPU; SemiAnalysis: about 150 MW for 100,000 H100"};
}

Figure board_power_of(const ComparedRun& run) {
  const Scenario& s = run.scenario;
  if (!s.workload.gpu || !s.workload.gpu->gpu.power || !s.workload.gpus) return {};
  const double megawatts = static_cast<double>(s.workload.gpu->gpu.power->count()) / 1e9 * *s.workload.gpus;
  return {power_text(megawatts), {}, "estimated", "catalog: board power limit of the GPU"};
}

/// "8", or "–" for a degree of one.
FigureColumn degree(const char* id, const char* title, const char* formula,
                    std::function<std::uint32_t(const ComparedRun&)> of) {
  return {id, title, Align::right, formula, [of](const ComparedRun& run) {
            const std::uint32_t ranks = of(run);
            return given(ranks <= 1 ? "" : format_count(ranks), "groups");
          }};
}

std::uint32_t ranks_of(const ComparedRun& run, std::string_view kind) {
  const std::optional<std::size_t> row = row_named(step_of(run).groups, &GroupRow::kind, kind);
  return row ? step_of(run).groups[*row].ranks : 1;
}

/// Where groups of a kind talk: inside scale-up domains, across the network, or both.
std::string reach_word(const ComparedRun& run, const char* kind) {
  const std::optional<std::size_t> row = row_named(step_of(run).groups, &GroupRow::kind, kind);
  if (!row) return "";
  const std::uint32_t ranks = step_of(run).groups[*row].ranks, near = step_of(run).groups[*row].per_domain;
  return ranks <= 1 ? "" : near >= ranks ? "scale-up" : near <= 1 ? "network" : "both";
}

}  // namespace

FigureTable architecture_table() {
  return {
      "architecture",
      "Scale-out architecture",
      "Claimed: by the documents. Published: by those who built it, or the best estimate there is (--explain names it). "
      "Simulated: what the scenario "
      "describes.",
      {claimed_column("gpus", "GPUs claimed"),
       published_column("gpus", "published"),
       {"gpus", "simulated", Align::left, "cluster.gpus and cluster.gpu of the scenario", gpus_of},
       claimed_column("oversubscription", "oversub. claimed"),
       {"oversubscription", "as built", Align::left, "fabric.oversubscription of the scenario, as built", oversubscription_of},
       {"network", "network", Align::left, "fabric.topology, transport.kind and routing.policy of the scenario", network_of}}};
}

FigureTable power_table() {
  return {"estate",
          "Power",
          "Boards: GPUs at their power limit. In all: with hosts, network and cooling, in the proportion estimated for 100,000 "
          "H100.",
          {claimed_column("power", "power claimed"),
           published_column("power"),
           {"boards", "GPU boards", Align::right, "GPUs × board power limit", board_power_of},
           {"power", "in all", Align::right,
            "GPUs × board power limit × 1,500 / 700: what a cluster draws for each H100 over its own 700 W", power_of}}};
}

FigureTable parallelism_table() {
  const auto group = [](const char* kind) { return [kind](const ComparedRun& run) { return ranks_of(run, kind); }; };
  const auto where = [](const char* id, const char* title, const char* kind) {
    return FigureColumn{id, title, Align::left, "members of a group in one scale-up domain: all, one, or some",
                        [kind](const ComparedRun& run) { return given(reach_word(run, kind), "groups"); }};
  };
  return {"parallelism",
          "Parallelism",
          "TP, PP, DP, EP: GPUs that share tensors, pipelines, data and experts. Where a group talks: inside servers "
          "(scale-up), or over "
          "the network.",
          {claimed_column("parallel"), published_column("parallel"), degree("tensor", "TP", "parallel.tensor", group("tensor")),
           degree("pipeline", "PP", "parallel.pipeline",
                  [](const ComparedRun& run) { return run.scenario.workload.parallel.pipeline; }),
           degree("data", "DP", "GPUs over all other degrees", group("data")),
           degree("expert", "EP", "parallel.expert", group("expert")),
           path_column(
               "micro-batches", "micro-batches", "micro_batches", [](const Results& r) { return r.step->micro_batches; },
               "global batch / (micro-batch × data-parallel replicas)", count_text),
           where("tensor-over", "TP over", "tensor"), where("expert-over", "EP over", "expert")}};
}

}  // namespace railyard
