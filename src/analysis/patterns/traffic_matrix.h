// Who sends how much to whom.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/patterns/wire_traffic.h"

namespace railyard {

inline constexpr std::size_t kMostInMatrix = 64;  // senders, and receivers

struct TrafficMatrix {
  std::string level;  // "ranks", "nodes", "leaves", "pods", "blocks of 32 nodes"
  std::vector<std::string> labels;
  std::vector<std::vector<double>> bytes;  // by sender and receiver, over the whole run
};

/// What crosses the network, which leaves out scale-up links. The finest of ranks, nodes, leaves and pods of which there are no
/// more than 64; where pods would be few, equal blocks of nodes instead. `bytes`: on the busiest edge of each bundle.
std::optional<TrafficMatrix> traffic_matrix(const Fabric& fabric, const Placement& placement, std::span<const Bundle> bundles,
                                            const std::vector<double>& bytes);

}  // namespace railyard
