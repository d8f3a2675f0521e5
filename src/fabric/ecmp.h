// The one path a queue pair takes when switches hash, or go by its destination.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/hash.h"
#include "fabric/live.h"
#include "fabric/routes.h"
#include "fabric/static_routes.h"
#include "plan/routing_plan.h"

namespace railyard {

/// Whether switches choose by a hash (ECMP).
[[nodiscard]] constexpr bool is_hashed(RoutingPolicy policy) {
  return policy == RoutingPolicy::ecmp || policy == RoutingPolicy::enhanced_ecmp;
}

/// Whether packets of one flow stay on one path (ECMP, pinned), or are spread over all (flowlets, adaptive routing, spraying:
/// to a closed form all of them balance perfectly).
[[nodiscard]] constexpr bool keeps_path(RoutingPolicy policy) { return is_hashed(policy) || policy == RoutingPolicy::pinned; }

/// What switches are set to. E-ECMP hashes the destination queue pair whatever `hash_fields` says.
struct HashSettings {
  HashFunction function = HashFunction::crc32;
  HashFields fields = HashFields::five_tuple;
  std::vector<std::uint32_t> seeds = {0, 10, 25};  // of leaf, spine, core; the last stands for all above
  std::uint64_t qp_seed = 1;                       // of the number that a NIC's first queue pair gets
  bool pinned = false;                             // no hash at all: the destination says which path (pinned.h)
  std::vector<OwnHash> own = {};                   // tiers and switches that hash otherwise
};
HashSettings hash_settings(const RoutingPlan& routing);

inline constexpr std::uint32_t kQpMask = 0xFFFFFFU;  // a queue pair number has 24 bits

/// Numbers of queue pairs. Those of one NIC are numbered through from a random start, as NICs do after many jobs.
class QueuePairNumbers {
 public:
  QueuePairNumbers(const Fabric& fabric, const HashSettings& settings);

  /// The nth queue pair of a NIC.
  [[nodiscard]] std::uint32_t number(InterfaceId nic, std::uint32_t nth) const { return (first_[nic] + nth) & kQpMask; }

 private:
  Table<InterfaceId, std::uint32_t> first_;
};

/// The header of packets between the `local`th queue pair of one endpoint's NIC and the `remote`th of another's.
FlowHeader header_of(const Fabric& fabric, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote,
                     const QueuePairNumbers& numbers);

/// The same where few are asked for.
FlowHeader header_of(const Fabric& fabric, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote,
                     const HashSettings& settings);

/// The ports from end to end, chosen at every node by hash and appended to `path`. A NIC picks among its own ports with a seed
/// of its own. REQUIRES: from != to.
void find_hashed_path(const Fabric& fabric, EndpointId from, EndpointId to, const FlowHeader& header,
                      const HashSettings& settings, std::vector<PortId>& path);
std::vector<PortId> hashed_path(const Fabric& fabric, EndpointId from, EndpointId to, const FlowHeader& header,
                                const HashSettings& settings);

/// The same over live ports: every node hashes over the next hops that are left; where destinations are pinned, only those
/// whose hop is down move. Nothing is appended if none are left.
void find_hashed_path(const Fabric& fabric, const LivePorts& live, EndpointId from, EndpointId to, const FlowHeader& header,
                      const HashSettings& settings, std::vector<PortId>& path);

/// The same where next hops were set by hand. Ends at the destination, or after `most` ports: such routes may form a loop.
void find_hashed_path(const Fabric& fabric, const StaticRoutes& fixed, EndpointId from, EndpointId to, const FlowHeader& header,
                      const HashSettings& settings, std::size_t most, std::vector<PortId>& path);

/// How an engine spreads traffic over equal paths, and connections over queue pairs.
struct PathPolicy {
  RoutingPolicy policy = RoutingPolicy::spray;
  std::uint32_t queue_pairs = 1;  // per connection
  QpUse use = QpUse::split;
  HashSettings hash = {};
  std::optional<std::uint32_t> paths = {};  // that packets of one flow are spread over; all if not given
  StaticRoutes fixed = {};                  // packets alone follow them
  NextHopWeights weights = NextHopWeights::equal;

  /// Paths that a flow is hashed to: one per queue pair where a pair keeps its path, else as many as `paths` says.
  [[nodiscard]] std::uint32_t hashed_paths() const { return keeps_path(policy) ? queue_pairs : paths.value_or(1); }
};
PathPolicy path_policy_of(const RoutingPlan& routing);

}  // namespace railyard
