#include "catalog/keys.h"

#include <vector>

#include "catalog/catalog.h"

namespace railyard {

namespace {

constexpr auto kRequired = [](auto min) { return Limits<decltype(min)>{.min = min, .required = true}; };
// Far beyond any model, and low enough that products of a few of them stay within 64 bits.
const Limits<std::uint32_t> kBlocks{.min = 1, .max = 1U << 14};
const Limits<std::uint32_t> kWidth{.min = 1, .max = 1U << 22};
const Limits<std::uint32_t> kTokens{.min = 1, .max = 1U << 28};
const Limits<std::string> kText{.required = true};
const Limits<double> kShare{.min = 0.01, .max = 1.0, .required = true};
const Limits<double> kReached{.min = 0.01, .max = 2.0, .required = true};  // unfair sharing may end sooner than fair sharing

}  // namespace

template<>
std::span<const Key<GpuFact>> fact_keys() {
  static const std::vector<Key<GpuFact>> keys = {
      key("vendor", &GpuFact::vendor, "who makes it", kText),
      key("bf16_dense", &GpuFact::bf16_dense, "peak bf16 without sparsity", kRequired(FlopsPerSecond(1))),
      key("fp8_dense", &GpuFact::fp8_dense, "peak fp8 without sparsity"),
      key("matmul_bf16", &GpuFact::matmul_bf16, "best bf16 matrix product measured"),
      key("memory", &GpuFact::memory, "HBM capacity", kRequired(1_B)),
      key("memory_rate", &GpuFact::memory_rate, "HBM bandwidth", kRequired(1_bps)),
      key("scale_up", &GpuFact::scale_up, "the scale-up link", kText),
      key("scale_up_rate", &GpuFact::scale_up_rate, "scale-up bandwidth per direction, whole GPU", kRequired(1_bps)),
      key("scale_up_domain", &GpuFact::scale_up_domain, "GPUs in one scale-up domain", kRequired(std::uint32_t{1})),
      key("nic_rate", &GpuFact::nic_rate, "the NIC it usually comes with"),
      key("host_interface", &GpuFact::host_interface, "what joins it, or its host, to a NIC"),
      key("power", &GpuFact::power, "thermal design power"),
  };
  return keys;
}

template<>
std::span<const Key<SpeedFact>> fact_keys() {
  static const std::vector<Key<SpeedFact>> keys = {
      key("compute_units", &SpeedFact::compute_units, "multiprocessors or compute units", kRequired(std::uint32_t{1})),
      key("gemm_bf16", &SpeedFact::gemm_bf16, "large bf16 matrix products, sustained", kRequired(FlopsPerSecond(1))),
      key("gemm_fp8", &SpeedFact::gemm_fp8, "the same in fp8"),
      key("gemm_fp4", &SpeedFact::gemm_fp4, "the same in fp4"),
      key("block_scaling", &SpeedFact::block_scaling, "rate of fp8 products scaled block by block, over one scale per tensor",
          {.min = 0.01, .max = 1.0}),
      key("gemm_depth", &SpeedFact::gemm_depth, "inner dimension that starting and ending a tile is worth",
          kRequired(std::uint32_t{0})),
      key("attention_forward", &SpeedFact::attention_forward, "fused attention, forward", kRequired(FlopsPerSecond(1))),
      key("attention_backward", &SpeedFact::attention_backward, "fused attention, backward", kRequired(FlopsPerSecond(1))),
      key("portable_attention", &SpeedFact::portable_attention,
          "rate of attention kernels not made for it, over those that are", {.min = 0.01, .max = 1.0}),
      key("triton_attention", &SpeedFact::triton_attention, "the same of Triton kernels of the first generation",
          {.min = 0.01, .max = 1.0}),
      key("narrow_attention", &SpeedFact::narrow_attention, "rate with heads of 64, over heads of 128",
          {.min = 0.1, .max = 1.0}),
      key("memory_share", &SpeedFact::memory_share, "share of memory_rate that element-wise kernels reach", kShare),
      key("kernel_gap", &SpeedFact::kernel_gap, "from one kernel to the next", {.required = true}),
      key("scale_up_share", &SpeedFact::scale_up_share, "share of scale_up_rate that a large collective reaches", kShare),
      key("scale_up_latency", &SpeedFact::scale_up_latency, "of a collective inside the domain", {.required = true}),
  };
  return keys;
}

template<>
std::span<const Key<CommFact>> fact_keys() {
  static const std::vector<Key<CommFact>> keys = {
      key("tuning", &CommFact::tuning, "the library's table for it", {.required = true}),
      key("channels", &CommFact::channels, "channels of a large collective", {.min = 1, .max = 1024, .required = true}),
      key("mesh_peers", &CommFact::mesh_peers, "GPUs with links of their own to it; none behind a switch", {.max = 1024}),
      key("launch", &CommFact::launch, "before the first and after the last byte", {.required = true}),
      key("ll_step", &CommFact::ll_step, "from GPU to GPU inside the domain, LL", {.required = true}),
      key("ll128_step", &CommFact::ll128_step, "the same, LL128", {.required = true}),
      key("simple_step", &CommFact::simple_step, "the same, Simple", {.required = true}),
      key("nvls_latency", &CommFact::nvls_latency, "reduction and multicast in the scale-up switch"),
      key("ll_rate", &CommFact::ll_rate, "bus bandwidth of a ring inside the domain, LL", kRequired(1_bps)),
      key("ll128_rate", &CommFact::ll128_rate, "the same, LL128", kRequired(1_bps)),
      key("ring_rate", &CommFact::ring_rate, "the same, Simple", kRequired(1_bps)),
      key("all_to_all_rate", &CommFact::all_to_all_rate, "bus bandwidth of an all-to-all inside the domain", kRequired(1_bps)),
      key("nvls_rate", &CommFact::nvls_rate, "bus bandwidth of an all-reduce in the scale-up switch, eight GPUs"),
      key("net_share", &CommFact::net_share, "of what the network could carry: rings, trees, messages", kShare),
      key("net_all_to_all_share", &CommFact::net_all_to_all_share, "the same in an all-to-all", kShare),
  };
  return keys;
}

template<>
std::span<const Key<StepFact>> fact_keys() {
  static const std::vector<Key<StepFact>> keys = {
      key("contention", &StepFact::contention, "share of the time with a collective beside it that compute loses", kShare),
      key("gpu_spread", &StepFact::gpu_spread, "standard deviation of the speed of GPUs of one kind", kShare),
      key("static_power", &StepFact::static_power, "share of a GPU's power that does not depend on its clock", kShare),
      key("scale_out_share", &StepFact::scale_out_share, "share of line rate that large collectives reach", kShare),
      key("hop_overhead", &StepFact::hop_overhead, "of a hop of a collective, beside the wire", {.required = true}),
      key("lent_units", &StepFact::lent_units, "compute units that drive communication while passes interleave",
          kRequired(std::uint32_t{0})),
      key("units_lent_from", &StepFact::units_lent_from, "of so many", kRequired(std::uint32_t{1})),
      key("attention_keys", &StepFact::attention_keys, "keys at which fused attention reaches half of its rate",
          kRequired(0.0)),
      key("attention_head", &StepFact::attention_head, "the same for the width of a head", kRequired(0.0)),
      key("expert_launch", &StepFact::expert_launch, "of one kernel by the host, where each expert has kernels of its own",
          {.required = true}),
      key("expert_row", &StepFact::expert_row, "what passes over one row of a product take there", {.required = true}),
      key("layer_launch", &StepFact::layer_launch, "of one pass through a layer with experts by the host, without graphs",
          {.required = true}),
      key("captured_share", &StepFact::captured_share, "part of it that partial graphs save", kShare),
      key("overlap_launch", &StepFact::overlap_launch, "launches of two passes that run interleaved, over those of both apart",
          kRequired(1.0)),
      key("activation_kernels", &StepFact::activation_kernels, "kernels of an activation that is not fused",
          kRequired(std::uint32_t{1})),
  };
  return keys;
}

template<>
std::span<const Key<LibraryFact>> fact_keys() {
  static const std::vector<Key<LibraryFact>> keys = {
      key("level_fill", &LibraryFact::level_fill, "until a level of a tree has its first piece through, at most",
          {.required = true}),
      key("level_loss", &LibraryFact::level_loss, "what it loses beyond that per GiB of a buffer", {.required = true}),
      key("level_loss_up_to", &LibraryFact::level_loss_up_to, "of up to so many bytes", {.required = true}),
      key("chain_share", &LibraryFact::chain_share, "share of a ring's rate that a chain reaches", kShare),
      key("doubt", &LibraryFact::flow_error, "times its best belief up to which its tables rule nothing out", kRequired(1.0)),
  };
  return keys;
}

template<>
std::span<const Key<ExchangeFact>> fact_keys() {
  static const std::vector<Key<ExchangeFact>> keys = {
      key("usable_link_share", &ExchangeFact::usable_link_share, "share of the scale-up rate that links carry", kShare),
      key("nic_share", &ExchangeFact::nic_share, "share of what a NIC carries", kShare),
      key("link_share", &ExchangeFact::link_share, "share of what the links carry", kShare),
      key("forward_share", &ExchangeFact::forward_share, "of that, when what came from the network is passed on", kShare),
      key("decode_latency", &ExchangeFact::decode_latency, "at least, of the low-latency kernels", {.required = true}),
  };
  return keys;
}

template<>
std::span<const Key<NicFact>> fact_keys() {
  static const std::vector<Key<NicFact>> keys = {
      key("vendor", &NicFact::vendor, "who makes it", kText),
      key("rate", &NicFact::rate, "line rate", kRequired(1_bps)),
      key("ethernet_rate", &NicFact::ethernet_rate, "its fastest Ethernet port, where that is less than the line rate"),
      key("host_interface", &NicFact::host_interface, "how it sits in the host"),
      key("transports", &NicFact::transports, "what it speaks", {.required = true}),
      key("latency", &NicFact::latency, "one side of one message, application to wire"),
      key("infiniband_latency", &NicFact::infiniband_latency, "the same on InfiniBand"),
      key("in_order", &NicFact::in_order, "bytes of a message are placed in order; true if not given"),
      key("any_order", &NicFact::any_order, "packets of a queue pair may arrive in any order; not known if not given"),
  };
  return keys;
}

template<>
std::span<const Key<SwitchFact>> fact_keys() {
  static const std::vector<Key<SwitchFact>> keys = {
      key("vendor", &SwitchFact::vendor, "who makes it", kText),
      key("system", &SwitchFact::system, "a box built on it"),
      key("capacity", &SwitchFact::capacity, "sum of all port rates, one direction", kRequired(1_bps)),
      key("port_rate", &SwitchFact::port_rate, "rate of its fastest port", kRequired(1_bps)),
      key("ports", &SwitchFact::ports, "ports at that rate", kRequired(std::uint32_t{1})),
      key("buffer", &SwitchFact::buffer, "usable packet buffer"),
      key("lossless_pool", &SwitchFact::lossless_pool, "buffer a lossless profile leaves"),
      key("cell", &SwitchFact::cell, "cell of the buffer, in SONiC's headroom formula for Spectrum", {.min = 1_B}),
      key("tile_latency", &SwitchFact::tile_latency, "time its tiles add, in the same formula"),
      key("latency", &SwitchFact::latency, "one traversal, first bit in to first bit out"),
      key("power", &SwitchFact::power, "typical power"),
      key("transports", &SwitchFact::transports, "what it carries", {.required = true}),
      key("trimming", &SwitchFact::trimming, "trims packets instead of dropping them; false if not given"),
      key("reduces", &SwitchFact::reduces, "adds up data of collectives that pass through; false if not given"),
  };
  return keys;
}

template<>
std::span<const Key<OpticFact>> fact_keys() {
  static const std::vector<Key<OpticFact>> keys = {
      key("kind", &OpticFact::kind, "copper, active optical cable or transceiver", {.required = true}),
      key("rate", &OpticFact::rate, "line rate", kRequired(1_bps)),
      key("reach", &OpticFact::reach, "how far it goes", kRequired(Millimetres(1))),
      key("power", &OpticFact::power, "power per end"),
      key("connector", &OpticFact::connector, "connector"),
  };
  return keys;
}

template<>
std::span<const Key<TransportFact>> fact_keys() {
  static const std::vector<Key<TransportFact>> keys = {
      key("kind", &TransportFact::kind, "transport.kind", {.required = true}),
      key("policy", &TransportFact::policy, "routing.policy", kText),
      key("control", &TransportFact::control, "transport.control", kText),
      key("efficiency", &TransportFact::efficiency, "share of a port's rate that flows get to use", kShare),
      key("permutation", &TransportFact::permutation, "share of the flow engine's goodput that packets reach, everybody to one",
          kReached),
      key("incast", &TransportFact::incast, "the same, eight to one", kReached),
      key("ring", &TransportFact::ring, "the same, everybody to the next", kReached),
      key("command", &TransportFact::command, "the command that made the entry", kText),
      key("version", &TransportFact::version, "of the program", kText),
      key("fingerprint", &TransportFact::fingerprint, "of what happened in its runs", kText),
  };
  return keys;
}

template<>
std::span<const Key<PriceFact>> fact_keys() {
  static const std::vector<Key<PriceFact>> keys = {
      key("item", &PriceFact::item, "what is bought", kText),
      key("price", &PriceFact::price, "price", {.required = true}),
      key("per", &PriceFact::per, "per what", kText),
      key("date", &PriceFact::date, "when", kText),
      key("switch", &PriceFact::switch_model, "the switch of the catalog that this is the price of"),
      key("nic", &PriceFact::nic, "the same of a NIC"),
      key("optic", &PriceFact::optic, "the same of a cable, or of the transceiver at one end"),
      key("server", &PriceFact::server, "the same of a server with its GPUs and NICs"),
  };
  return keys;
}

template<>
std::span<const Key<ServerFact>> fact_keys() {
  static const std::vector<Key<ServerFact>> keys = {
      key("gpu", &ServerFact::gpu, "its GPUs, of the catalog", kText),
      key("gpus", &ServerFact::gpus, "how many of them", kRequired(std::uint32_t{1})),
      key("nic", &ServerFact::nic, "its NICs, of the catalog, one a GPU"),
      key("power", &ServerFact::power, "what it draws with all of that, at most"),
  };
  return keys;
}

template<>
std::span<const Key<FailureFact>> fact_keys() {
  static const Limits<Milliseconds> kMtbf{.min = 1_min, .max = Milliseconds(std::int64_t{1} << 55)};
  using F = FailureFact;
  static const std::vector<Key<F>> keys = {
      key("node_mtbf", &F::node_mtbf, "between failures of one server, whatever fails in it; beside or instead of its parts",
          kMtbf),
      key("gpu_mtbf", &F::gpu_mtbf, "between failures of one GPU", kMtbf),
      key("host_mtbf", &F::host_mtbf, "between failures of one server without its GPUs and NICs", kMtbf),
      key("nic_mtbf", &F::nic_mtbf, "between failures of one NIC", kMtbf),
      key("link_mtbf", &F::link_mtbf, "between failures of one link from a NIC port to its leaf", kMtbf),
      key("switch_mtbf", &F::switch_mtbf, "between failures of one leaf switch", kMtbf),
      key("software_mtbf", &F::software_mtbf, "between crashes by software, per GPU of the job", kMtbf),
  };
  return keys;
}

template<>
std::span<const Key<ModelFact>> fact_keys() {
  static const std::vector<Key<ModelFact>> keys = {
      key("layers", &ModelFact::layers, "transformer blocks", kBlocks),
      key("hidden", &ModelFact::hidden, "width of the residual stream", kWidth),
      key("heads", &ModelFact::heads, "attention heads", kBlocks),
      key("kv_heads", &ModelFact::kv_heads, "key/value heads; fewer than heads is grouped-query attention", kBlocks),
      key("head_dim", &ModelFact::head_dim, "width of a head; hidden / heads if not given", kBlocks),
      key("ffn", &ModelFact::ffn, "width of the dense MLP", kWidth),
      key("vocabulary", &ModelFact::vocabulary, "tokens in the vocabulary", kTokens),
      key("sequence", &ModelFact::sequence, "tokens per sequence", kTokens),
      key("gated", &ModelFact::gated, "MLP with a gate (three matrices) or without (two)"),
      key("tied_embeddings", &ModelFact::tied_embeddings, "input and output embeddings share weights"),
      key("experts", &ModelFact::experts, "routed experts per MoE layer", kBlocks),
      key("experts_per_token", &ModelFact::experts_per_token, "routed experts each token visits (top-k)", kBlocks),
      key("shared_experts", &ModelFact::shared_experts, "experts every token visits", {.max = 1U << 14}),
      key("expert_ffn", &ModelFact::expert_ffn, "width of one expert", kWidth),
      key("dense_layers", &ModelFact::dense_layers, "first layers that have a dense MLP instead of experts", {.max = 1U << 14}),
      key("expert_groups", &ModelFact::expert_groups, "groups the experts are divided into for limited routing", kBlocks),
      key("expert_group_limit", &ModelFact::expert_group_limit, "groups one token may visit", kBlocks),
      key("attention", &ModelFact::attention, "kind of attention"),
      key("sliding_window", &ModelFact::sliding_window, "keys a token sees in layers with a sliding window", kTokens),
      key("full_attention_every", &ModelFact::full_attention_every,
          "one layer of so many sees all keys in spite of sliding_window; none if not given", kBlocks),
      key("biases", &ModelFact::biases, "matrices of attention and MLP have biases"),
      key("rotary", &ModelFact::rotary, "positions are rotary embeddings; else they are learned, or there are none"),
      key("scaled_rotary", &ModelFact::scaled_rotary, "rotary embeddings are multiplied by a factor, as YaRN's are"),
      key("mla_query_rank", &ModelFact::mla_query_rank, "latent attention: rank of the query projection", kWidth),
      key("mla_kv_rank", &ModelFact::mla_kv_rank, "latent attention: rank of the key/value projection", kWidth),
      key("mla_nope_dim", &ModelFact::mla_nope_dim, "latent attention: head width without position", kBlocks),
      key("mla_rope_dim", &ModelFact::mla_rope_dim, "latent attention: head width with rotary position", kBlocks),
      key("mla_value_dim", &ModelFact::mla_value_dim, "latent attention: value head width", kBlocks),
      key("mtp_layers", &ModelFact::mtp_layers, "extra blocks that predict further tokens while training", {.max = 1U << 14}),
      key("encoder_layers", &ModelFact::encoder_layers, "multimodal encoder: blocks", kBlocks),
      key("encoder_hidden", &ModelFact::encoder_hidden, "multimodal encoder: width", kWidth),
      key("encoder_heads", &ModelFact::encoder_heads, "multimodal encoder: attention heads", kBlocks),
      key("encoder_ffn", &ModelFact::encoder_ffn, "multimodal encoder: width of its MLP", kWidth),
      key("encoder_tokens", &ModelFact::encoder_tokens, "multimodal encoder: patches per sequence", kTokens),
      key("parameters", &ModelFact::parameters, "published total, to check the dimensions against", {.min = 1.0}),
      key("active_parameters", &ModelFact::active_parameters, "published active per token", {.min = 1.0}),
  };
  return keys;
}

std::span<const Key<FailureFact>> failure_keys() { return fact_keys<FailureFact>(); }

std::span<const Key<ModelFact>> model_keys() { return fact_keys<ModelFact>(); }

}  // namespace railyard
