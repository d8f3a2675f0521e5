#include "tools/compare/trials.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"

namespace railyard {

namespace {

bool keeps_paths(const Scenario& s) {
  return s.routing.policy == RoutingPolicy::ecmp || s.routing.policy == RoutingPolicy::enhanced_ecmp ||
         s.routing.policy == RoutingPolicy::pinned;
}

bool is_roce(const Scenario& s) { return s.transport.kind == TransportKind::roce; }

/// Switches and NICs that carry the other transport, with latencies of their own. The fabric keeps its shape: its radix is said
/// outright.
std::vector<std::string> other_hardware(const Scenario& s, TransportKind kind) {
  std::vector<std::string> set{fmt::format("transport.kind={}", name_of(kind)),
                               fmt::format("fabric.switch={}", kind == TransportKind::roce ? "Tomahawk-5" : "Quantum-2")};
  if (s.fabric.radix) set.push_back(fmt::format("fabric.radix={}", *s.fabric.radix));
  if (kind == TransportKind::infiniband) set.push_back("cluster.nic=ConnectX-7");
  if (kind == TransportKind::infiniband && s.keys.given("transport.dcqcn")) set.push_back("transport.dcqcn=");
  return set;
}

/// The same job over RoCE whose switches hash, RoCE that spreads packets, and InfiniBand. What the scenario has is not tried.
void add_transports(const Scenario& s, std::vector<Trial>& out) {
  const auto add = [&](const char* kind, std::vector<std::string> set) {
    out.push_back({.kind = kind, .change = kind, .set = std::move(set), .is_advice = false});
  };
  const std::vector<std::string> roce = is_roce(s) ? std::vector<std::string>{} : other_hardware(s, TransportKind::roce);
  const bool plain = is_roce(s) && s.routing.policy == RoutingPolicy::ecmp && s.routing.qps_per_connection == 1;
  if (!plain) add(kOverRoceEcmp, joined(roce, {"routing.policy=ecmp", "transport.qps_per_connection=1"}));
  if (!is_roce(s) || s.routing.policy != RoutingPolicy::adaptive)
    add(kOverRoceAdaptive, joined(roce, {"routing.policy=adaptive"}));
  if (s.transport.kind != TransportKind::infiniband)
    add(kOverInfiniband, joined(other_hardware(s, TransportKind::infiniband), {"routing.policy=adaptive"}));
}

void add_routing(const Scenario& s, std::vector<Trial>& out) {
  if (!keeps_paths(s)) {
    if (is_roce(s))
      out.push_back({.kind = "adaptive routing",
                     .change = "let switches hash flows to paths (plain ECMP) instead",
                     .set = {"routing.policy=ecmp"}});
    return;
  }
  out.push_back({.kind = "adaptive routing",
                 .change = "let switches choose the path of every packet by load",
                 .set = {"routing.policy=adaptive"}});
  if (s.routing.policy == RoutingPolicy::pinned) {
    out.push_back({.kind = "queue pairs and hashing",
                   .change = "16 queue pairs, and switches that hash their numbers (E-ECMP) instead of pinned paths",
                   .set = {"routing.policy=e-ecmp", "transport.qps_per_connection=16"}});
    return;
  }
  const std::uint32_t qps = s.routing.qps_per_connection;
  if (qps < 4)
    out.push_back({.kind = "queue pairs",
                   .change = "spread every connection over 4 queue pairs",
                   .set = {"transport.qps_per_connection=4"}});
  if (qps > 1)
    out.push_back({.kind = "queue pairs",
                   .change = fmt::format("use one queue pair for every connection instead of {}", qps),
                   .set = {"transport.qps_per_connection=1"}});
  if (s.routing.policy == RoutingPolicy::ecmp)
    out.push_back({.kind = "hashing",
                   .change = "let switches hash the numbers of queue pairs too (E-ECMP)",
                   .set = {"routing.policy=e-ecmp"}});
  if (s.routing.policy == RoutingPolicy::ecmp)
    out.push_back({.kind = "queue pairs and hashing",
                   .change = "4 queue pairs, and switches that hash their numbers too (E-ECMP)",
                   .set = {"routing.policy=e-ecmp", "transport.qps_per_connection=4"}});
}

void add_placement(const Scenario& s, std::vector<Trial>& out) {
  const bool in_order = s.placement.policy == PlacementPolicy::in_order;
  out.push_back(
      {.kind = "placement",
       .change = in_order
                     ? "spread ranks over the leaves round-robin instead of placing those that communicate next to each other"
                     : "place ranks that communicate next to each other",
       .set = {in_order ? "placement.policy=round-robin" : "placement.policy=in-order"}});
}

void add_bandwidth(const Scenario& s, std::vector<Trial>& out) {
  if (const double above = oversubscription_above_pods(s); above > 1 && s.fabric.spine_uplinks)
    out.push_back({.kind = "oversubscription",
                   .change = fmt::format("as many links above the spines as below ({:.2g}:1 today)", above),
                   .set = {fmt::format("fabric.spine_uplinks={}", *s.fabric.hosts_per_pod / *s.fabric.hosts_per_leaf)}});
}

/// What the documents name beside the network, or do not: the pipeline's bubble is the largest loss of most steps.
void add_pipeline(const Scenario& s, std::vector<Trial>& out) {
  const ParallelPlan& p = s.workload.parallel;
  if (p.pipeline < 2 || p.schedule == PipelineSchedule::zero_bubble || !p.stage_layers.empty()) return;
  const std::uint32_t chunks = p.virtual_pipeline * 2;
  const std::uint32_t layers = s.workload.model->layers;
  if (layers == 0 || layers % (p.pipeline * chunks) != 0) return;
  out.push_back(
      {.kind = "pipeline",
       .change = fmt::format("{} model chunks per stage instead of {} (interleaved schedule)", chunks, p.virtual_pipeline),
       .set = {fmt::format("parallel.virtual_pipeline={}", chunks), "parallel.schedule=interleaved"}});
}

/// How much one late collective and one slow GPU cost.
void add_disturbances(std::vector<Trial>& out) {
  out.push_back({.kind = kJitter,
                 .change = "the last call of every collective of the first stage begins 100 µs late",
                 .set = {"jitter.delay=100 us", "jitter.which=last", "jitter.ranks=[0]"},
                 .is_advice = false});
  out.push_back({.kind = kStraggler,
                 .change = "in every stage a GPU computes 5 % slower, and all wait for it",
                 .set = {"training.straggler=0.05"},
                 .is_advice = false});
}

}  // namespace

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double oversubscription_above_pods(const Scenario& s) {
  const FabricPlan& f = s.fabric;
  if (!f.spine_uplinks || !f.hosts_per_pod || !f.hosts_per_leaf) return s.fabric.spine_oversubscription;
  return static_cast<double>(*f.hosts_per_pod) / *f.hosts_per_leaf / *f.spine_uplinks;
}

std::vector<Trial> trials_for(const Scenario& scenario) {
  std::vector<Trial> out;
  if (scenario.engine.fidelity == Fidelity::flow) {
    add_routing(scenario, out);
    add_placement(scenario, out);
    add_bandwidth(scenario, out);
    add_transports(scenario, out);
  }
  add_pipeline(scenario, out);
  add_disturbances(out);
  return out;
}

}  // namespace railyard
