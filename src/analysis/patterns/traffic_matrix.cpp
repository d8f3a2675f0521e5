#include "analysis/patterns/traffic_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "analysis/tier_loads.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFF;
constexpr std::size_t kFewPods = 8;  // tell less than blocks of nodes

/// Who of them an endpoint belongs to.
struct Division {
  std::string level;
  std::vector<std::uint32_t> of;  // by endpoint
  std::vector<std::string> labels;
};

/// Numbers what `key` says of seats, in ascending order; nothing if there are too many.
std::optional<Division> divide(const Fabric& fabric, const Placement& placement, std::string level,
                               const std::function<std::uint32_t(EndpointId)>& key,
                               const std::function<std::string(std::uint32_t)>& label) {
  std::vector<std::uint32_t> keys;
  for (const EndpointId seat : placement) keys.push_back(key(seat));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (keys.size() > kMostInMatrix) return std::nullopt;
  Division division{std::move(level), std::vector<std::uint32_t>(fabric.endpoints(), kNobody), {}};
  for (const std::uint32_t one : keys) division.labels.push_back(label(one));
  for (const EndpointId seat : placement)
    division.of[seat.index()] =
        static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key(seat)) - keys.begin());
  return division;
}

std::optional<Division> by_rank(const Fabric& fabric, const Placement& placement) {
  if (placement.size() > kMostInMatrix) return std::nullopt;
  Division division{"ranks", std::vector<std::uint32_t>(fabric.endpoints(), kNobody), {}};
  for (const RankId rank : ids(placement)) {
    division.of[placement[rank].index()] = rank.index();
    division.labels.push_back(fmt::format("rank {}", rank.index()));
  }
  return division;
}

Division by_blocks(const Fabric& fabric, const Placement& placement) {
  std::uint32_t last = 0;
  for (const EndpointId seat : placement) last = std::max(last, fabric.server_of(seat));
  const auto most = static_cast<std::uint32_t>(kMostInMatrix);
  const std::uint32_t nodes = last + 1, width = (nodes + most - 1) / most;
  Division division{
      fmt::format("blocks of {} nodes", format_count(width)), std::vector<std::uint32_t>(fabric.endpoints(), kNobody), {}};
  for (std::uint32_t first = 0; first < nodes; first += width)
    division.labels.push_back(fmt::format("nodes {} to {}", first, std::min(nodes, first + width) - 1));
  for (const EndpointId seat : placement) division.of[seat.index()] = fabric.server_of(seat) / width;
  return division;
}

Division division_of(const Fabric& fabric, const Placement& placement) {
  if (auto ranks = by_rank(fabric, placement)) return std::move(*ranks);
  const auto server = [&](EndpointId seat) { return fabric.server_of(seat); };
  const auto node_label = [](std::uint32_t node) { return fmt::format("node {}", node); };
  if (auto nodes = divide(fabric, placement, "nodes", server, node_label)) return std::move(*nodes);
  if (!fabric.drawn && fabric.rails == 1) {
    const auto leaf = [&](EndpointId seat) { return fabric.leaf_of(seat).index(); };
    const auto leaf_label = [&](std::uint32_t block) { return end_name(fabric, fabric.blocks[BlockId(block)].first); };
    auto leaves = divide(fabric, placement, "leaves", leaf, leaf_label);
    if (leaves && leaves->labels.size() >= kFewPods) return std::move(*leaves);
    const auto pod = [&](EndpointId seat) { return fabric.pod_of(seat).index(); };
    auto pods = divide(fabric, placement, "pods", pod, [](std::uint32_t) { return "pod"; });
    if (pods && pods->labels.size() >= kFewPods) {
      for (std::size_t i = 0; i < pods->labels.size(); i++) pods->labels[i] = fmt::format("pod {}", i);
      return std::move(*pods);
    }
  }
  return by_blocks(fabric, placement);
}

}  // namespace

std::optional<TrafficMatrix> traffic_matrix(const Fabric& fabric, const Placement& placement, std::span<const Bundle> bundles,
                                            const std::vector<double>& bytes) {
  if (placement.empty()) return std::nullopt;
  Division division = division_of(fabric, placement);
  const std::size_t size = division.labels.size();
  TrafficMatrix matrix{std::move(division.level), std::move(division.labels),
                       std::vector<std::vector<double>>(size, std::vector<double>(size, 0))};
  bool any = false;
  for (std::size_t bundle = 0; bundle < bundles.size(); bundle++) {
    if (bytes[bundle] <= 0) continue;
    for (const Edge& edge : bundles[bundle].edges) {
      const std::uint32_t from = division.of[edge.from.index()], to = division.of[edge.to.index()];
      if (from == kNobody || to == kNobody) continue;
      matrix.bytes[from][to] += edge.share * bytes[bundle];
      any = true;
    }
  }
  if (!any) return std::nullopt;
  return matrix;
}

}  // namespace railyard
