#include "answer/levers.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/parts.h"
#include "base/quantity_text.h"
#include "fabric/wiring.h"

namespace railyard {

namespace {

using TrialList = std::vector<Trial>;

bool keeps_paths(const Scenario& s) {
  return s.routing.policy == RoutingPolicy::ecmp || s.routing.policy == RoutingPolicy::enhanced_ecmp ||
         s.routing.policy == RoutingPolicy::pinned;
}

/// Whether equal paths may be found between leaves. SRD spreads packets by itself.
bool has_choices(const Scenario& s) {
  return s.fabric.topology != Topology::star && s.fabric.topology != Topology::rail_only &&
         s.transport.kind != TransportKind::srd;
}

void add_routing(const Scenario& s, TrialList& out) {
  if (!has_choices(s)) return;
  if (!keeps_paths(s)) {
    if (s.transport.kind == TransportKind::roce)
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

void add_placement(const Scenario& s, TrialList& out) {
  const bool in_order = s.placement.policy == PlacementPolicy::in_order;
  out.push_back(
      {.kind = "placement",
       .change = in_order
                     ? "spread ranks over the leaves round-robin instead of placing those that communicate next to each other"
                     : "place ranks that communicate next to each other",
       .set = {in_order ? "placement.policy=round-robin" : "placement.policy=in-order"},
       .of = ChangeOf::job});
}

void add_repair(const Scenario& s, TrialList& out) {
  if (s.workload.traffic && !s.workload.traffic->slow_hosts.empty())
    out.push_back({.kind = "failure",
                   .change = "let slow hosts take packets in as fast as they come",
                   .set = {"traffic.slow_hosts=", "traffic.slow_rate="},
                   .of = ChangeOf::repair});
  if (s.failures.empty()) return;
  const std::string what = s.failures.size() == 1 ? s.failures.front().name : fmt::format("all {} failures", s.failures.size());
  out.push_back({.kind = "failure", .change = "repair " + what, .set = {"failures="}, .of = ChangeOf::repair});
}

/// Links above all leaves, and those below for each of them by rate: what wiring makes of a ratio that was asked for.
struct LeafLinks {
  std::uint64_t above = 0;
  double ratio = 1;
};

std::optional<LeafLinks> leaf_links(const Scenario& s, double oversubscription) {
  FabricPlan plan = s.fabric;
  plan.oversubscription = oversubscription;
  if (plan.topology == Topology::hybrid || plan.topology == Topology::file) return std::nullopt;
  const Result<Wiring> w = wire(plan, s.keys);
  if (!w || w->uplinks == 0) return std::nullopt;
  const double below = static_cast<double>(w->per_leaf) * (plan.ports / w->tors) * static_cast<double>(plan.link_rate.count());
  return LeafLinks{std::uint64_t{w->leaves} * w->tors * w->uplinks,
                   below / (w->uplinks * static_cast<double>(plan.uplink_rate.count()))};
}

/// Links above the leaves: as many as below, and half of what there is, or what comes next to it.
void add_oversubscription(const Scenario& s, TrialList& out) {
  if (s.keys.given("fabric.uplinks") || s.keys.given("fabric.spines") || !has_choices(s)) return;
  const double today = s.fabric.oversubscription, above = s.fabric.spine_oversubscription;
  const std::optional<LeafLinks> now = leaf_links(s, today);
  const auto add = [&](double asked, ChangeOf of) {
    const std::optional<LeafLinks> then = leaf_links(s, asked);
    if (now && (!then || then->above == now->above)) return;
    const std::string words = now ? fmt::format("{} links above the leaves instead of {} ({:.3g}:1 instead of {:.3g}:1)",
                                                format_count(then->above), format_count(now->above), then->ratio, now->ratio)
                                  : fmt::format("{:.3g}:1 above the leaves instead of {:.3g}:1", asked, today);
    out.push_back({.kind = "oversubscription",
                   .change = words,
                   .set = {"fabric.oversubscription=" +
                           (above == 1 ? fmt::format("{:g}", asked) : fmt::format("[{:g}, {:g}]", asked, above))},
                   .of = of});
  };
  if (today > 1) add(1, ChangeOf::hardware);
  add(today * 2, ChangeOf::less_hardware);
}

void add_links_above_pods(const Scenario& s, TrialList& out) {
  if (const double above = oversubscription_above_pods(s); above > 1 && s.fabric.spine_uplinks)
    out.push_back({.kind = "oversubscription",
                   .change = fmt::format("as many links above the spines as below ({:.2g}:1 today)", above),
                   .set = {fmt::format("fabric.spine_uplinks={}", *s.fabric.hosts_per_pod / *s.fabric.hosts_per_leaf)},
                   .of = ChangeOf::hardware});
}

/// The same fabric with links of another rate.
std::vector<std::string> at_rate(const Scenario& s, BitsPerSecond rate, const PartsAtRate& parts) {
  std::vector<std::string> set{fmt::format("fabric.link_rate={}", format(rate))};
  if (s.keys.given("fabric.uplink_rate")) set.push_back(fmt::format("fabric.uplink_rate={}", format(rate)));
  if (s.keys.given("fabric.core_rate")) set.push_back(fmt::format("fabric.core_rate={}", format(rate)));
  if (parts.radix) set.push_back(fmt::format("fabric.radix={}", *parts.radix));
  if (!parts.nic.empty()) set.push_back("cluster.nic=" + parts.nic);
  if (!parts.switch_model.empty()) set.push_back("fabric.switch=" + parts.switch_model);
  return set;
}

/// "NICs and links of 800 Gb/s (Thor-Ultra, Tomahawk-6) instead of 400 Gb/s"
std::string rate_words(const Scenario& s, BitsPerSecond rate, const PartsAtRate& parts) {
  const std::string both = parts.nic + (parts.nic.empty() || parts.switch_model.empty() ? "" : ", ") + parts.switch_model;
  return fmt::format("NICs and links of {}{} instead of {}", format(rate), both.empty() ? both : " (" + both + ")",
                     format(s.fabric.link_rate));
}

/// Twice the rate and half of it, where such parts can be bought.
void add_rate(const Scenario& s, const Catalog& catalog, TrialList& out) {
  if (s.fabric.topology == Topology::file || s.transport.kind == TransportKind::srd) return;
  const auto add = [&](BitsPerSecond rate, ChangeOf of) {
    if (const std::optional<PartsAtRate> parts = parts_at(s, rate, catalog))
      out.push_back({.kind = "link rate", .change = rate_words(s, rate, *parts), .set = at_rate(s, rate, *parts), .of = of});
  };
  add(s.fabric.link_rate * 2, ChangeOf::hardware);
  add(BitsPerSecond(s.fabric.link_rate.count() / 2), ChangeOf::less_hardware);
}

void add_rails(const Scenario& s, TrialList& out) {
  const bool can = s.fabric.topology == Topology::leaf_spine || s.fabric.topology == Topology::clos3;
  if (can && s.fabric.per_node > 1 && !s.fabric.rails.value_or(false))
    out.push_back({.kind = "rails",
                   .change = "connect NIC i of every server to leaf i of its group (rails)",
                   .set = {"fabric.rails=true"},
                   .of = ChangeOf::hardware});
}

/// More model chunks: the pipeline's bubble is the largest loss of many steps.
void add_chunks(const Scenario& s, TrialList& out) {
  const ParallelPlan& p = s.workload.parallel;
  const bool is_fixed = p.schedule == PipelineSchedule::zero_bubble || p.schedule == PipelineSchedule::dualpipe;
  if (p.pipeline < 2 || is_fixed || !p.stage_layers.empty()) return;
  const std::uint32_t layers = s.workload.model->layers;
  for (const std::uint32_t chunks : {p.virtual_pipeline * 2, p.virtual_pipeline * 4})
    if (layers > 0 && layers % (p.pipeline * chunks) == 0)
      out.push_back(
          {.kind = "pipeline",
           .change = fmt::format("{} model chunks per stage instead of {} (interleaved schedule)", chunks, p.virtual_pipeline),
           .set = {fmt::format("parallel.virtual_pipeline={}", chunks), "parallel.schedule=interleaved"},
           .of = ChangeOf::job});
}

void add_order(const Scenario& s, TrialList& out) {
  if (s.workload.parallel.pipeline < 2) return;
  const bool data_inside = s.workload.parallel.order == RankOrder::data_inside;
  out.push_back({.kind = "order of ranks",
                 .change = data_inside ? "place the stages of a pipeline next to each other instead of its replicas"
                                       : "place replicas next to each other instead of the stages of a pipeline",
                 .set = {data_inside ? "parallel.order=tp-cp-pp-dp" : "parallel.order=tp-cp-dp-pp"},
                 .of = ChangeOf::job});
}

void add_micro_batch(const Scenario& s, TrialList& out) {
  const std::uint32_t today = s.workload.training.micro_batch_size;
  const auto add = [&](std::uint32_t size) {
    out.push_back({.kind = "micro-batch",
                   .change = fmt::format("micro-batches of {} instead of {}", size, today),
                   .set = {fmt::format("training.micro_batch={}", size)},
                   .of = ChangeOf::job});
  };
  add(today * 2);
  if (today % 2 == 0) add(today / 2);
}

/// What could run beside compute, and does not.
void add_overlap(const Scenario& s, TrialList& out) {
  const ParallelPlan& p = s.workload.parallel;
  const auto add = [&](std::string change, std::string set) {
    out.push_back({.kind = "overlap", .change = std::move(change), .set = {std::move(set)}, .of = ChangeOf::job});
  };
  if (p.tensor > 1 && p.tensor_overlap != TensorOverlap::full)
    add("run all tensor-parallel collectives beside matrix products", "parallel.tensor_overlap=full");
  if (p.expert > 1 && !p.expert_overlap && p.schedule != PipelineSchedule::dualpipe)
    add("run dispatch and combine beside the compute of another micro-batch", "parallel.expert_overlap=true");
  if (!p.data_overlap) add("send gradients and parameters while GPUs compute", "parallel.data_overlap=true");
  if (p.pipeline > 1 && !p.pipeline_overlap) add("let stages send while they compute", "parallel.pipeline_overlap=true");
  if (s.workload.training.recompute != Recompute::none)
    out.push_back({.kind = "recomputation",
                   .change = "keep activations instead of computing them again",
                   .set = {"training.recompute=none"},
                   .of = ChangeOf::job});
}

/// Switches that can add up gradients, and are not asked to.
void add_switch_reduction(const Scenario& s, TrialList& out) {
  const ParallelPlan& p = s.workload.parallel;
  const std::uint32_t model = p.tensor * p.context * p.pipeline;
  if (!s.fabric.reduces || p.switch_reduction || s.workload.gpus.value_or(0) <= model) return;
  out.push_back({.kind = "in-network reduction",
                 .change = "let switches add up gradients (SHARP)",
                 .set = {"parallel.switch_reduction=true"}});
}

/// What RoCE does about queues, where single packets are played. Nobody is told to switch DCQCN off: what that costs falls on
/// others.
void add_congestion_control(const Scenario& s, TrialList& out) {
  if (s.engine.fidelity != Fidelity::packet || s.transport.kind != TransportKind::roce) return;
  const bool reacts = s.transport.control == CongestionControl::dcqcn;
  if (s.transport.control == CongestionControl::none)
    out.push_back({.kind = "ECN and PFC",
                   .change = "let senders react to marks (DCQCN) before PFC has to",
                   .set = {"transport.dcqcn.enabled=true"}});
  if (reacts)
    out.push_back({.kind = "ECN and PFC",
                   .change = "mark packets from 2 MB of queue on, all from 8 MB on",
                   .set = {"transport.ecn.kmin=2 MB", "transport.ecn.kmax=8 MB"}});
}

}  // namespace

double oversubscription_above_pods(const Scenario& s) {
  const FabricPlan& f = s.fabric;
  if (!f.spine_uplinks || !f.hosts_per_pod || !f.hosts_per_leaf) return s.fabric.spine_oversubscription;
  return static_cast<double>(*f.hosts_per_pod) / *f.hosts_per_leaf / *f.spine_uplinks;
}

std::vector<Trial> levers_for(const Scenario& scenario, const Catalog& catalog) {
  TrialList out;
  const bool is_step = scenario.workload.model.has_value();
  if (!is_step || scenario.engine.fidelity != Fidelity::analytic) {
    add_repair(scenario, out);
    add_routing(scenario, out);
    add_placement(scenario, out);
    add_oversubscription(scenario, out);
    add_links_above_pods(scenario, out);
    add_rails(scenario, out);
  }
  add_rate(scenario, catalog, out);
  if (!is_step) {
    add_congestion_control(scenario, out);
    return out;
  }
  add_switch_reduction(scenario, out);
  add_order(scenario, out);
  add_chunks(scenario, out);
  add_micro_batch(scenario, out);
  add_overlap(scenario, out);
  return out;
}

}  // namespace railyard
