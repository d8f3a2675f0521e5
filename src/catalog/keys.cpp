#include "catalog/keys.h"

#include <vector>

#include "catalog/catalog.h"

namespace railyard {

namespace {

const Limits<std::uint32_t> kCount{.min = 1};
constexpr auto kRequired = [](auto min) { return Limits<decltype(min)>{.min = min, .required = true}; };
const Limits<std::string> kText{.required = true};

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
      key("power", &GpuFact::power, "thermal design power"),
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
      key("latency", &SwitchFact::latency, "one traversal, first bit in to first bit out"),
      key("power", &SwitchFact::power, "typical power"),
      key("transports", &SwitchFact::transports, "what it carries", {.required = true}),
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
std::span<const Key<PriceFact>> fact_keys() {
  static const std::vector<Key<PriceFact>> keys = {
      key("item", &PriceFact::item, "what is bought", kText),
      key("price", &PriceFact::price, "price", {.required = true}),
      key("per", &PriceFact::per, "per what", kText),
      key("date", &PriceFact::date, "when", kText),
  };
  return keys;
}

template<>
std::span<const Key<ModelFact>> fact_keys() {
  static const std::vector<Key<ModelFact>> keys = {
      key("layers", &ModelFact::layers, "transformer blocks", kCount),
      key("hidden", &ModelFact::hidden, "width of the residual stream", kCount),
      key("heads", &ModelFact::heads, "attention heads", kCount),
      key("kv_heads", &ModelFact::kv_heads, "key/value heads; fewer than heads is grouped-query attention", kCount),
      key("head_dim", &ModelFact::head_dim, "width of a head; hidden / heads if not given", kCount),
      key("ffn", &ModelFact::ffn, "width of the dense MLP", kCount),
      key("vocabulary", &ModelFact::vocabulary, "tokens in the vocabulary", kCount),
      key("sequence", &ModelFact::sequence, "tokens per sequence", kCount),
      key("gated", &ModelFact::gated, "MLP with a gate (three matrices) or without (two)"),
      key("tied_embeddings", &ModelFact::tied_embeddings, "input and output embeddings share weights"),
      key("experts", &ModelFact::experts, "routed experts per MoE layer", kCount),
      key("experts_per_token", &ModelFact::experts_per_token, "routed experts each token visits (top-k)", kCount),
      key("shared_experts", &ModelFact::shared_experts, "experts every token visits"),
      key("expert_ffn", &ModelFact::expert_ffn, "width of one expert", kCount),
      key("dense_layers", &ModelFact::dense_layers, "first layers that have a dense MLP instead of experts"),
      key("expert_groups", &ModelFact::expert_groups, "groups the experts are divided into for limited routing", kCount),
      key("expert_group_limit", &ModelFact::expert_group_limit, "groups one token may visit", kCount),
      key("attention", &ModelFact::attention, "kind of attention"),
      key("mla_query_rank", &ModelFact::mla_query_rank, "latent attention: rank of the query projection", kCount),
      key("mla_kv_rank", &ModelFact::mla_kv_rank, "latent attention: rank of the key/value projection", kCount),
      key("mla_nope_dim", &ModelFact::mla_nope_dim, "latent attention: head width without position", kCount),
      key("mla_rope_dim", &ModelFact::mla_rope_dim, "latent attention: head width with rotary position", kCount),
      key("mla_value_dim", &ModelFact::mla_value_dim, "latent attention: value head width", kCount),
      key("parameters", &ModelFact::parameters, "published total, to check the dimensions against", {.min = 1.0}),
      key("active_parameters", &ModelFact::active_parameters, "published active per token", {.min = 1.0}),
  };
  return keys;
}

std::span<const Key<ModelFact>> model_keys() { return fact_keys<ModelFact>(); }

}  // namespace railyard
