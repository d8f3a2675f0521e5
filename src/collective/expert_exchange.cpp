#include "collective/expert_exchange.h"

#include <algorithm>

#include "base/check.h"

namespace railyard {

namespace {

constexpr double kMessageHeader = 16;  // of a low-latency dispatch: where the token comes from

double token_bytes(ExchangePhase phase, const ExpertExchange& exchange) {
  const double hidden = exchange.hidden;
  return phase == ExchangePhase::dispatch && exchange.fp8_dispatch ? hidden * (1 + 4.0 / 128) : hidden * 2;
}

/// Shares of evenly spread copies that leave the node, and that leave the GPU but not the node.
struct Shares {
  double nodes = 1, away = 0, beside = 0;
};

Shares shares_of(const ExpertExchange& exchange) {
  RY_CHECK(exchange.ranks >= 2, "an exchange has at least two ranks");
  const bool one = exchange.ranks <= exchange.per_node;
  RY_CHECK(one || exchange.ranks % exchange.per_node == 0, "ranks are spread evenly over nodes");
  Shares found;
  found.nodes = one ? 1 : exchange.ranks / exchange.per_node;
  found.away = 1 - 1 / found.nodes;
  found.beside = 1 - 1.0 / std::min(exchange.ranks, exchange.per_node);
  return found;
}

/// Bytes of one GPU by NIC and by links, each at its rate; both at once.
struct Loads {
  double network_bytes = 0, network_rate = 0;
  double link_bytes = 0, link_rate = 0;
};

ExchangeEstimate slower_of(const Loads& loads, double fixed, double counted) {
  const double network = loads.network_bytes / loads.network_rate, links = loads.link_bytes / loads.link_rate;
  const double slower = std::max(network, links), time = slower + fixed;
  const ExchangeLimit limit = fixed > slower    ? ExchangeLimit::latency
                              : network > links ? ExchangeLimit::network
                                                : ExchangeLimit::scale_up;
  return {from_seconds(time), counted / time, loads.network_bytes, loads.link_bytes, limit};
}

}  // namespace

ExchangeEstimate normal_exchange(ExchangePhase phase, const ExpertExchange& exchange) {
  const Shares shares = shares_of(exchange);
  const double bytes = exchange.tokens * token_bytes(phase, exchange);
  const bool across = shares.nodes > 1;
  const Loads loads{bytes * exchange.nodes_visited * shares.away, exchange.nic * exchange.kernels.nic_share,
                    bytes * exchange.ranks_visited * shares.beside,
                    exchange.link * exchange.kernels.link_share * (across ? exchange.kernels.forward_share : 1)};
  // Inside a node, what a GPU receives is counted, its own tokens among it; across, what it sends to nodes, its own among them.
  const double counted = bytes * (across ? exchange.nodes_visited : exchange.ranks_visited);
  return slower_of(loads, 0, counted);
}

ExchangeEstimate low_latency_exchange(ExchangePhase phase, const ExpertExchange& exchange) {
  const Shares shares = shares_of(exchange);
  const double header = phase == ExchangePhase::dispatch ? kMessageHeader : 0;
  const double bytes = double(exchange.tokens) * exchange.top_k * (token_bytes(phase, exchange) + header);
  const Loads loads{bytes * shares.away, exchange.nic * exchange.kernels.nic_share, bytes * (1 - shares.away) * shares.beside,
                    exchange.link * exchange.kernels.link_share};
  return slower_of(loads, seconds(exchange.kernels.decode_latency), bytes);
}

double distinct(std::uint32_t experts, std::uint32_t parts, std::uint32_t top_k) {
  RY_CHECK(parts > 0 && experts % parts == 0 && top_k <= experts, "experts are dealt evenly over parts");
  const std::uint32_t others = experts - experts / parts;
  double missed = 1;  // chance that all top_k experts lie outside one part: C(others, k) / C(experts, k)
  for (std::uint32_t i = 0; i < top_k; i++) missed *= others > i ? double(others - i) / (experts - i) : 0;
  return parts * (1 - missed);
}

}  // namespace railyard
