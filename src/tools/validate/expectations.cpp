#include "tools/validate/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "answer/recorded_accuracy.h"
#include "collective/library.h"
#include "expected/judged.h"
#include "expected/spread.h"
#include "fabric/build.h"
#include "scenario/presets.h"

namespace railyard {

namespace {

constexpr CollectiveKind kKinds[] = {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
                                     CollectiveKind::all_to_all, CollectiveKind::send};
constexpr Bytes kSizes[] = {1_MiB, 64_MiB, 1_GiB, 8_GiB};
constexpr std::uint32_t kMostRanks = 1024;  // for all kinds and for failures; beyond, all_reduce alone: the others take minutes

Diagnostic no_library(const Scenario& scenario) {
  const bool no_gpu = scenario.workload.gpu_model.empty();
  return {Severity::error, "RY-VAL-002",
          no_gpu ? "the scenario has no GPUs: nothing can be run on it to validate"
                 : fmt::format("no communication library is modelled for {}", scenario.workload.gpu_model),
          no_gpu ? "name them: gpu = \"H100-SXM-80\" in [cluster]" : "use another GPU, or remove library = \"none\"",
          scenario.keys.where("cluster.gpu")};
}

Document probe() {
  Document section = Document::object();
  section.set("kind", Document(std::string("all_reduce")));
  section.set("sizes", Document(std::string("1 MiB")));
  return section;
}

/// Numbers blocks in the order met.
template<class Of>
std::vector<std::uint32_t> numbered(const Fabric& fabric, Of block_of) {
  std::vector<std::uint32_t> out;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < servers_of(fabric); i++) {
    const std::uint32_t block = fabric.drawn ? 0 : block_of(first_of_server(fabric, i)).index();
    out.push_back(numbers.try_emplace(block, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return out;
}

std::uint32_t count_first(const std::vector<std::uint32_t>& numbers) {
  return static_cast<std::uint32_t>(std::count(numbers.begin(), numbers.end(), 0U));
}

void add_scopes(ValidationCluster& out) {
  const std::pair<const char*, std::uint32_t> all[] = {
      {"server", 1}, {"pair", 2}, {"leaf", count_first(out.leaf)}, {"pod", count_first(out.pod)}, {"all", out.nodes}};
  for (const auto& [name, count] : all) {
    const std::uint32_t nodes = count, ranks = nodes * out.gpus_per_node;
    if (nodes > out.nodes || ranks < 2) continue;
    const bool known = std::any_of(out.scopes.begin(), out.scopes.end(), [&](const TestScope& s) { return s.nodes >= nodes; });
    if (!known) out.scopes.push_back({name, nodes, ranks});
  }
}

void add_failures(const Fabric& fabric, ValidationCluster& out) {
  if (fabric.drawn || out.nodes < 2) return;
  const auto add = [&](const std::string& name) {
    std::string id = name + " down";
    std::replace(id.begin(), id.end(), ' ', '-');
    out.failures.push_back({id, name, {fmt::format("failures.\"{}\"=down", name)}});
  };
  add("gpu 0 port 0");
  if (fabric.count(NodeKind::spine) > 0) {
    add("leaf 0 uplink 0");
    add("spine 0");
  }
  if (fabric.count(NodeKind::core) > 0) add("core 0");
  if (fabric.topology != Topology::star) add("leaf 0");
}

Curve sizes_of(CollectiveKind kind, const TestScope& scope) {
  Curve curve;
  curve.kind = kind;
  curve.ranks = scope.ranks;
  curve.nodes = scope.nodes;
  for (const Bytes size : kSizes) curve.points.push_back({size, 0, 0, 1, {}});
  return curve;
}

/// Servers of two leaves where there are as many, so that what fails is on the way; no more than can be followed.
TestScope failure_scope(const ValidationCluster& c) {
  const std::uint32_t most = std::max(2U, kMostRanks / c.gpus_per_node);
  const std::uint32_t nodes = std::min({c.nodes, most, std::max(2U, 2 * count_first(c.leaf))});
  return {"across-leaves", nodes, nodes * c.gpus_per_node};
}

class Predictor {
 public:
  Predictor(const ExpectationRequest& request, const Catalog& catalog, const Scenario& scenario, ValidationCluster& out,
            Progress& progress)
      : request_(request), catalog_(catalog), scenario_(scenario), out_(out), progress_(progress) {}

  void run() {
    for (const PlannedCollective& one : planned_collectives(out_))
      add(one.kind, one.scope, one.phase, one.failure ? *one.failure : FailureTest{});
  }

 private:
  void add(CollectiveKind kind, const TestScope& scope, ValidationPhase phase, const FailureTest& failure) {
    ExpectedCollective one{phase, scope, failure.id, sizes_of(kind, scope), {}, {}};
    Progress part(progress_, 0);
    const Result<PredictedTimes> times = predict(request_, catalog_, scenario_, {one.curve}, failure.set, part);
    if (times)
      one.times = times->front();
    else
      one.refused = times.error().front().message;
    if (!one.times.empty() || !failure.id.empty()) out_.collectives.push_back(std::move(one));
  }

  const ExpectationRequest& request_;
  const Catalog& catalog_;
  const Scenario& scenario_;
  ValidationCluster& out_;
  Progress& progress_;
};

}  // namespace

ValidationPhase phase_of(CollectiveKind kind, std::uint32_t nodes) {
  if (nodes <= 2) return ValidationPhase::baseline;
  const bool is_synthetic = kind == CollectiveKind::all_to_all || kind == CollectiveKind::send;
  return is_synthetic ? ValidationPhase::synthetic : ValidationPhase::ai_workload;
}

std::string test_name(CollectiveKind kind) {
  if (kind == CollectiveKind::all_to_all) return "alltoall";
  return kind == CollectiveKind::send ? "sendrecv" : std::string(name_of(kind));
}

std::vector<PlannedCollective> planned_collectives(const ValidationCluster& cluster) {
  std::vector<PlannedCollective> all;
  for (const TestScope& scope : cluster.scopes)
    for (const CollectiveKind kind : kKinds)
      if (scope.ranks <= kMostRanks || kind == CollectiveKind::all_reduce)
        all.push_back({kind, scope, phase_of(kind, scope.nodes), nullptr});
  if (cluster.failures.empty()) return all;
  const TestScope scope = failure_scope(cluster);
  for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_to_all}) {
    all.push_back({kind, scope, ValidationPhase::failures, nullptr});
    for (const FailureTest& failure : cluster.failures) all.push_back({kind, scope, ValidationPhase::failures, &failure});
  }
  return all;
}

double bus_bandwidth_of(const Curve& curve, Bytes size, double time_s) {
  return static_cast<double>(size.count()) * bus_factor(curve.kind, curve.ranks) / time_s;
}

double least_bandwidth(const ExpectedCollective& one, std::size_t point) {
  double most = 0;
  for (std::size_t i = 0; i < one.times.size(); i++)
    most = std::max(most, bus_bandwidth_of(one.curve, one.curve.points[i].size, one.times[i]));
  const Bytes size = one.curve.points[point].size;
  const double expected = bus_bandwidth_of(one.curve, size, one.times[point]);
  return expected * least_share(size, expected / most);
}

Result<ValidationCluster> described_cluster(const ExpectationRequest& request, const Catalog& catalog, Scenario& scenario) {
  const Result<Scenario> loaded = load_named_scenario(request.scenario, catalog, request.overrides, {.workload = false});
  if (!loaded) return loaded.error();
  scenario = *loaded;
  const Result<Scenario> probed = load_named_scenario(request.scenario, catalog, request.overrides, {.collective = probe()});
  if (scenario.workload.gpu_model.empty() || (probed && !probed->workload.library)) return no_library(scenario);
  if (!probed) return probed.error();
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  ValidationCluster out;
  out.name = scenario.name;
  out.gpu = scenario.workload.gpu_model;
  out.library = probed->workload.library->rccl ? "RCCL" : "NCCL";
  if (const auto given = scenario.keys.by_path.find("cluster.nic"); given != scenario.keys.by_path.end())
    for (const auto& nic : catalog.nics.entries())
      if (given->second.value.find(nic.name) != std::string::npos) out.nic_vendor = nic.fact.vendor;
  out.transport = scenario.transport.kind;
  out.port_rate = scenario.fabric.link_rate;
  out.mtu = scenario.transport.mtu;
  out.nodes = servers_of(*fabric);
  out.gpus_per_node = scenario.fabric.per_node;
  out.nics_per_node = std::max(1U, scenario.fabric.interfaces_per_node);
  out.leaf = numbered(*fabric, [&](EndpointId e) { return fabric->leaf_of(e); });
  out.pod = numbered(*fabric, [&](EndpointId e) { return fabric->pod_of(e); });
  out.pairs = nic_pairs(scenario, *fabric);
  add_scopes(out);
  add_failures(*fabric, out);
  return out;
}

Result<ValidationCluster> expected_cluster(const ExpectationRequest& request, const Catalog& catalog, Progress& progress) {
  Scenario scenario;
  Result<ValidationCluster> out = described_cluster(request, catalog, scenario);
  if (!out) return out;
  Predictor(request, catalog, scenario, *out, progress).run();
  if (scenario.workload.model) {
    out->step_s = expected_step(scenario, progress);
    out->step_error = recorded_accuracy(scenario.workload.model->experts > 0, scenario.engine.fidelity).p90;
  }
  return out;
}

}  // namespace railyard
