#include <map>

#include "effects/cases.h"

namespace railyard::effects {

namespace {

using Values = std::vector<std::string>;

/// Where the type does not say enough.
const std::map<std::string, Values, std::less<>> kPicked = {
    {"name", {"another"}},
    {"model.preset", {"llama3-8b"}},
    {"model.heads", {"8"}},
    {"model.hidden", {"2048"}},
    {"model.layers", {"8"}},
    {"model.kv_heads", {"4"}},
    {"model.head_dim", {"128"}},
    {"model.ffn", {"8192"}},
    {"model.vocabulary", {"16384"}},
    {"model.sequence", {"2048"}},
    {"model.experts", {"16"}},
    {"model.experts_per_token", {"4"}},
    {"model.expert_ffn", {"2048"}},
    {"model.expert_groups", {"4"}},
    {"model.expert_group_limit", {"1"}},
    {"model.encoder_hidden", {"2048"}},
    {"model.encoder_ffn", {"1024"}},
    {"model.parameters", {"1e9"}},
    {"model.active_parameters", {"1e9"}},
    {"training.global_batch", {"32"}},
    {"training.micro_batch", {"2"}},
    {"training.expert_load", {"load.txt"}},
    {"training.capacity_factor", {"1.5", "0.5"}},
    {"training.routing_skew", {"0.5"}},
    {"parallel.tensor", {"1", "4"}},
    {"parallel.pipeline", {"1", "2", "4"}},
    {"parallel.data", {"4"}},
    {"parallel.zero", {"1", "2", "3"}},
    {"parallel.shard_group", {"2"}},
    {"parallel.stage_layers", {"[3, 1]"}},
    {"parallel.bucket", {"1 MB"}},
    {"slice.collective", {"boundary"}},
    {"slice.ranks", {"[0]"}},
    {"slice.from", {"100 us", "5 ms", "6 ms"}},
    {"slice.length", {"5 us"}},
    {"jitter.collective", {"gradients"}},
    {"jitter.delay", {"10 us"}},
    {"jitter.max", {"20 us"}},
    {"jitter.min", {"20 us"}},
    {"jitter.calls", {"[1]"}},
    {"jitter.ranks", {"[0]"}},
    {"jitter.share", {"0.2"}},
    {"traffic.size", {"200 kB"}},
    {"traffic.fan_in", {"4"}},
    {"traffic.hosts", {"12"}},
    {"traffic.burst", {"100 kB"}},
    {"traffic.slow_hosts", {"[1]"}},
    {"traffic.slow_rate", {"5 Gb/s"}},
    {"traffic.file", {"others.csv"}},
    {"traffic.storage.load", {"0.05"}},
    {"traffic.storage.checkpoint", {"200 kB"}},
    {"collective.sizes", {"[\"800 kB\"]"}},
    {"collective.group", {"8"}},
    {"collective.skew", {"0.5"}},
    {"cluster.gpu", {"H100-SXM-80", "A100-SXM-80"}},
    {"cluster.gpus", {"64", "32", "18"}},
    {"cluster.gpus_per_node", {"4", "8", "2"}},
    {"cluster.nic", {"ConnectX-6", "ConnectX-7", "BlueField-3", "ConnectX-8", "Pollara-400"}},
    {"cluster.nics_per_node", {"1", "8"}},
    {"cluster.scale_up_domain", {"4", "2"}},
    {"cluster.scale_up_rate", {"800 Gb/s"}},
    {"cluster.scale_up_latency", {"9 us"}},
    {"fabric.topology", {"rail-optimized", "multi-plane", "clos3"}},
    {"fabric.gpus", {"64"}},
    {"fabric.switch", {"Tomahawk-3", "Quantum-2", "Spectrum-4", "Tomahawk-Ultra"}},
    {"fabric.oversubscription", {"2"}},
    {"fabric.radix", {"12", "8", "6"}},
    {"fabric.spine_radix", {"8", "12", "16"}},
    {"fabric.hosts_per_leaf", {"8", "2"}},
    {"fabric.hosts_per_pod", {"8", "16"}},
    {"fabric.uplinks", {"2", "1"}},
    {"fabric.spine_uplinks", {"2", "1"}},
    {"fabric.spines", {"1", "2", "4"}},
    {"fabric.cores", {"1", "2", "4"}},
    {"fabric.planes", {"4"}},
    {"fabric.link_rate", {"50 Gb/s"}},
    {"fabric.uplink_rate", {"50 Gb/s"}},
    {"fabric.core_rate", {"25 Gb/s", "50 Gb/s"}},
    {"fabric.buffer", {"400 kB", "80 kB"}},
    {"fabric.port_mtu", {"6000"}},
    {"fabric.file", {"slow fabric.txt"}},
    {"fabric.island.gpus", {"4", "8"}},
    {"fabric.island.hosts_per_leaf", {"2"}},
    {"fabric.island.link_rate", {"50 Gb/s"}},
    {"fabric.island.gateways", {"2"}},
    {"fabric.island.boundary_rate", {"25 Gb/s"}},
    {"transport.mtu", {"1024"}},
    {"transport.header", {"200"}},
    {"transport.message_header", {"100"}},
    {"transport.qps_per_connection", {"4"}},
    {"transport.qp_use", {"round-robin"}},
    {"transport.ack_every", {"3", "1"}},
    {"transport.ack_size", {"200"}},
    {"transport.cnp_size", {"300"}},
    {"transport.retries", {"1"}},
    {"transport.reorder_window", {"2"}},
    {"transport.window", {"8192"}},
    {"transport.first_window", {"8192"}},
    {"transport.delay_target", {"1 us"}},
    {"transport.flow_rate", {"10 Gb/s"}},
    {"transport.admission", {"2"}},
    {"transport.queue_limit", {"20 kB"}},
    {"transport.trim_size", {"64"}},
    {"transport.credits", {"20 kB"}},
    {"transport.credit_step", {"6 kB"}},
    {"transport.retransmit_timeout", {"4 us"}},
    {"transport.host_rate", {"20 Gb/s"}},
    {"transport.receive_buffer", {"100 kB"}},
    {"transport.dcqcn.rpg_time_reset", {"5 us"}},
    {"transport.dcqcn.rpg_byte_reset", {"2 kB"}},
    {"transport.dcqcn.rpg_threshold", {"5"}},
    {"transport.dcqcn.rpg_max_rate", {"20 Gb/s"}},
    {"transport.dcqcn.rpg_ai_rate", {"1 Gb/s"}},
    {"transport.dcqcn.rpg_hai_rate", {"2 Gb/s"}},
    {"transport.dcqcn.rpg_gd", {"10"}},
    {"transport.dcqcn.rpg_min_dec_fac", {"90"}},
    {"transport.dcqcn.rpg_min_rate", {"40 Gb/s"}},
    {"transport.dcqcn.rate_to_set_on_first_cnp", {"10 Gb/s"}},
    {"transport.dcqcn.dce_tcp_g", {"500"}},
    {"transport.dcqcn.dce_tcp_rtt", {"3 us"}},
    {"transport.dcqcn.rate_reduce_monitor_period", {"20 us"}},
    {"transport.dcqcn.initial_alpha_value", {"200"}},
    {"transport.dcqcn.min_time_between_cnps", {"20 us"}},
    {"transport.dcqcn.cnp_dscp", {"10"}},
    {"transport.dcqcn.cnp_802p_prio", {"5"}},
    {"transport.ibcc.ccti_increase", {"100"}},
    {"transport.ibcc.ccti_limit", {"1"}},
    {"transport.ibcc.ccti_timer", {"2 us"}},
    {"transport.pfc.enabled", {"false", "true"}},
    {"transport.pfc.priorities", {"[4]", "[3, 0]"}},
    {"transport.pfc.alpha", {"0.02"}},
    {"transport.pfc.xon_offset", {"9 kB"}},
    {"transport.pfc.xoff", {"15 kB"}},
    {"transport.pfc.xon", {"2 kB"}},
    {"transport.pfc.headroom", {"30 kB"}},
    {"transport.pfc.small_packets", {"0.1"}},
    {"transport.pfc.reserve", {"6 kB"}},
    {"transport.pfc.response", {"2 us"}},
    {"transport.pfc.frame_size", {"0", "1000"}},
    {"transport.pfc.watchdog_detection", {"50 us"}},
    {"transport.pfc.watchdog_restoration", {"50 us"}},
    {"transport.pfc.watchdog_poll", {"7 us"}},
    {"transport.ecn.kmin", {"5 kB"}},
    {"transport.ecn.kmax", {"100 kB", "3 kB"}},
    {"transport.ecn.pmax", {"0.9", "0.01"}},
    {"transport.classes.data_weight", {"5"}},
    {"transport.classes.background_weight", {"5"}},
    {"transport.classes.background_priority", {"2", "3"}},
    {"transport.classes.storage_weight", {"5"}},
    {"transport.classes.storage_priority", {"2", "3"}},
    {"transport.classes.control_weight", {"2"}},
    {"routing.seeds", {"[7, 8, 9]"}},
    {"routing.paths", {"1"}},
    {"routing.flowlet_gap", {"1 us"}},
    {"placement.file", {"other_ranks.txt"}},
    {"engine.fidelity", {"analytic", "flow", "packet"}},
    {"engine.seed", {"7"}},
    {"engine.quantum", {"1 us", "1 ms"}},
    {"engine.efficiency", {"0.5"}},
};

Values choices_beside(const std::string& type, const std::string& fallback) {
  Values others;
  for (std::size_t at = 0; at < type.size();) {
    const std::size_t end = std::min(type.find(" | ", at), type.size());
    const std::string word = type.substr(at, end - at);
    if (word != fallback && "\"" + word + "\"" != fallback) others.push_back(word);
    at = end + 3;
  }
  return others;
}

}  // namespace

Values values_of(const std::string& path, const KeyInfo& key) {
  if (const auto picked = kPicked.find(path); picked != kPicked.end()) return picked->second;
  const std::string type = key.type.starts_with("list of ") ? key.type.substr(8) : key.type;
  if (type.find(" | ") != std::string::npos) return choices_beside(type, key.fallback);
  if (type == "integer") return {"2", "3"};
  if (type == "number") return {"0.25"};
  if (type == "duration") return {"7 us"};
  if (type == "rate") return {"30 Gb/s"};
  if (type == "size") return {"30 kB"};
  if (type == "length") return {"200 m"};
  return {"RY-RUN-020"};
}

}  // namespace railyard::effects
