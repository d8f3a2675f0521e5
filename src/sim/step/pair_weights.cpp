#include "sim/step/pair_weights.h"

#include <algorithm>

#include "base/check.h"

namespace railyard {

namespace {

/// What the op's bytes between domains are counted for; of a group that was not thought to leave one, all of its bytes.
double busiest_of(const ExpertLoads& loads, const Op& op) {
  const bool counted = op.group.local < op.group.size && op.remote > Bytes::zero();
  return counted ? loads.remote : loads.all;
}

}  // namespace

ExchangeWay exchange_way(const Scenario& scenario, const Fabric& fabric) {
  if (scenario.workload.parallel.expert_dispatch == Dispatch::deduplicated) return ExchangeWay::receiver;
  return fabric.rails > 1 ? ExchangeWay::sender : ExchangeWay::direct;
}

PairWeights::PairWeights(const ExpertLoads& loads, const Op& op, const Placement& seats,
                         const std::vector<std::vector<EndpointId>>& nodes, ExchangeWay way)
    : loads_(loads), way_(way), back_(op.from_experts), busiest_(busiest_of(loads, op)), nodes_(nodes.size()) {
  std::map<std::uint32_t, std::uint32_t> rank_of;
  for (const RankId rank : ids(seats)) rank_of[seats[rank].index()] = rank.index();
  std::size_t rails = nodes.front().size();
  for (const auto& node : nodes) rails = std::min(rails, node.size());
  for (std::size_t node = 0; node < nodes.size(); node++)
    for (std::size_t i = 0; i < nodes[node].size(); i++) {
      const std::uint32_t rank = rank_of.at(nodes[node][i].index());
      nodes_[node].push_back(rank);
      seats_[nodes[node][i].index()].node = node;
      seats_[nodes[node][i % rails].index()].ranks.push_back(rank);
    }
}

double PairWeights::mean(const Ranks& tokens, const Ranks& experts) const {
  double sum = 0;
  for (const std::uint32_t from : tokens)
    for (const std::uint32_t to : experts) sum += loads_.between(from, to);
  return sum / static_cast<double>(tokens.size() * experts.size());
}

double PairWeights::of(EndpointId from, EndpointId to) const {
  if (busiest_ == 0) return 0;
  const Seat& tokens = seats_.at((back_ ? to : from).index());
  const Seat& experts = seats_.at((back_ ? from : to).index());
  const bool by_sender = way_ == ExchangeWay::sender && !back_, direct = way_ == ExchangeWay::direct;
  return mean(by_sender ? nodes_[tokens.node] : tokens.ranks, by_sender || direct ? experts.ranks : nodes_[experts.node]) /
         busiest_;
}

}  // namespace railyard
