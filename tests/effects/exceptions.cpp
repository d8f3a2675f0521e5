#include <map>

#include "effects/cases.h"

namespace railyard::effects {

namespace {

using Names = std::vector<std::string>;

/// By key or section: the longest that a key begins with counts.
const std::map<std::string, Names, std::less<>> kShownIn = {
    {"model.experts_per_token", {"experts"}},
    {"model.shared_experts", {"experts"}},
    {"model.expert_ffn", {"experts"}},
    {"model.dense_layers", {"experts"}},
    {"model.expert_group", {"deduplicated"}},
    {"model.attention", {"latent"}},
    {"model.mla_", {"latent"}},
    {"model.encoder_", {"encoder"}},
    {"training.fp8_scaling", {"fp8"}},
    {"training.attention_precision", {"wide heads"}},
    {"training.fused_rotary", {"scaled rotary"}},
    {"model.scaled_rotary", {"rotary apart"}},
    {"model.biases", {"layers apart"}},
    {"training.parameters", {"zero 1"}},
    {"training.dispatch", {"experts"}},
    {"training.combine", {"experts"}},
    {"training.capacity_factor", {"experts"}},
    {"training.routing_skew", {"experts"}},
    {"training.expert_load", {"experts"}},
    {"parallel.expert", {"experts"}},
    {"parallel.shared_expert_overlap", {"shared experts"}},
    {"parallel.shard_group", {"zero 1", "zero 3"}},
    {"parallel.context_method", {"context"}},
    {"parallel.data_overlap", {"preset"}},
    {"jitter.", {"jitter", "jitter calls"}},
    {"traffic.pattern", {"uniform"}},
    {"traffic.flows_per_host", {"uniform"}},
    {"traffic.interval", {"rounds"}},
    {"traffic.burst", {"bursts"}},
    {"traffic.slow_", {"slow"}},
    {"traffic.file", {"file"}},
    {"traffic.storage.", {"storage", "checkpoints"}},
    {"collective.library", {"library"}},
    {"collective.protocol", {"library"}},
    {"collective.skew", {"all-to-all"}},
    {"cluster.gpu", {"nodes"}},
    {"cluster.gpus_per_node", {"rails"}},
    {"cluster.nic", {"catalog", "no nic", "no spines", "rails"}},
    {"cluster.host_nics_per_node", {"plain leaf", "no spines"}},
    {"cluster.scale_up", {"rails"}},
    {"fabric.gpus", {"plain leaf", "fat-tree"}},
    {"fabric.switch", {"plain leaf", "no spines", "hybrid"}},
    {"fabric.cable", {"no cable"}},
    {"fabric.radix", {"plain leaf"}},
    {"fabric.spine_radix", {"plain leaf"}},
    {"fabric.hosts_per_pod", {"clos3"}},
    {"fabric.spine_uplinks", {"clos3"}},
    {"fabric.core", {"clos3"}},
    {"fabric.rails", {"rails"}},
    {"fabric.planes", {"multi-plane"}},
    {"fabric.link_delay", {"lossy"}},
    {"fabric.buffer", {"optical", "lossy", "adaptive"}},
    {"fabric.port_mtu", {"rails", "paused", "flowlet"}},
    {"fabric.circuits", {"optical"}},
    {"fabric.reconfiguration", {"changing circuits"}},
    {"fabric.file", {"drawn"}},
    {"fabric.island.", {"hybrid"}},
    {"fabric.haul.", {"two sites"}},
    {"fabric.credit_delay", {"scheduled"}},
    {"fabric.cell_overhead", {"scheduled"}},
    {"transport.kind", {"catalog", "no nic"}},
    {"transport.mtu", {"stored"}},
    {"transport.qp_use", {"pairs"}},
    {"transport.nic_split", {"failing nic", "failing library"}},
    {"transport.control", {"pinned", "spray"}},
    {"transport.ack_", {"adaptive"}},
    {"transport.loss_recovery", {"adaptive", "no control", "lossy"}},
    {"transport.cnp_size", {"rails"}},
    {"transport.retries", {"limited", "stuck"}},
    {"transport.reorder_window", {"adaptive", "selective", "spray"}},
    {"transport.first_window", {"hpcc"}},
    {"transport.delay_target", {"swift", "timely"}},
    {"transport.flow_rate", {"hpcc", "ibcc"}},
    {"transport.admission", {"no control"}},
    {"transport.queue_limit", {"rails", "flowlet", "optical"}},
    {"transport.trimming", {"trimmed", "limited"}},
    {"transport.trim_size", {"trimmed"}},
    {"transport.retransmit_timeout", {"adaptive", "spray", "catalog", "limited"}},
    {"transport.receive_buffer", {"slow", "storm"}},
    {"transport.dcqcn.", {"rails", "fixed", "checkpoints", "rounds", "no spines", "recovering"}},
    {"transport.dcqcn.clamp_tgt_rate", {"rounds", "rails", "timed"}},
    {"transport.ibcc.", {"ibcc"}},
    {"transport.pfc.", {"rails", "paused", "fixed", "flowlet", "lossy"}},
    {"transport.pfc.small_packets", {"spectrum"}},
    {"transport.pfc.watchdog", {"storm", "stuck"}},
    {"transport.ecn.", {"rails", "nscc", "ibcc", "adaptive"}},
    {"transport.classes.storage_", {"storage"}},
    {"transport.classes.control_", {"pinned", "optical", "rails", "storage"}},
    {"qos.", {"rails", "paused", "lossy", "fixed", "limited"}},
    {"qos.xon", {"fixed", "paused", "rails"}},
    {"qos.watchdog", {"storm", "stuck"}},
    {"qos.marks.storage", {"storage"}},
    {"routing.paths", {"adaptive"}},
    {"routing.flowlet_gap", {"flowlet"}},
    {"placement.file", {"seated"}},
    {"placement.lost_servers", {"fragmented"}},
    {"engine.seed", {"jitter"}},
    {"engine.quantum", {"quantised"}},
};

}  // namespace

std::vector<std::string> shown_in(std::string_view path) {
  const Names* found = nullptr;
  std::size_t longest = 0;
  for (const auto& [prefix, names] : kShownIn)
    if (path.starts_with(prefix) && prefix.size() > longest) found = &names, longest = prefix.size();
  return found ? *found : Names{};
}

std::string excused(const std::string& path, const Case& at, std::string_view transport) {
  if (path == "name" || path.starts_with("expect.")) return "it is not about the run";
  if (path.starts_with("reliability.") || path == "training.tokens")
    return "it is for weeks of training, which tools/goodput/goodput_test.cpp has";
  if (path.starts_with("cost.")) return "it is for what a cluster costs, which answer/cluster_cost_test.cpp has";
  if (path == "parallel.data") return "it is derived, and only checked";
  if (path == "engine.device") return "it changes no result, which tests/properties/gpu_properties.cpp has";
  if (path == "engine.cache") return "it spares work and changes no result";
  if (path == "transport.dcqcn.cnp_802p_prio") return "it names a queue of the results, and names are left out here";
  if (path == "transport.dcqcn.enabled" && std::string_view(at.fidelity) == "flow")
    return "flows ask for it beside rpg_max_rate alone; railyard compare always does";
  if (path == "transport.dcqcn.clamp_tgt_rate_after_time_inc")
    return "it takes cuts between increases by timer, which engine/packet/dcqcn_test.cpp has";
  if (path == "cluster.nic" && transport != "roce") return "NICs that speak it are as quick as the usual one";
  return {};
}

}  // namespace railyard::effects
