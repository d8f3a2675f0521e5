// What each edge of an exchange between experts carries where not all pairs of ranks have as much to send.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "workload/expert_loads.h"
#include "workload/ops.h"

namespace railyard {

/// How what one rank sends to another gets from domain to domain.
enum class ExchangeWay : std::uint8_t {
  direct,    // each pair of ranks has a connection of its own
  sender,    // on the rail of the receiver: the domain of the sender changes GPU first
  receiver,  // on the rail of the tokens, a copy per domain: that of the receiver hands it on
};
ExchangeWay exchange_way(const Scenario& scenario, const Fabric& fabric);

/// Of one group: bytes on an edge over those it would carry if every pair were as busy as the busiest rank (or NIC), which the
/// sizes of ops are.
class PairWeights {
 public:
  /// `seats` of the group's ranks in order; `nodes` are those seats by domain. All must outlive this.
  PairWeights(const ExpertLoads& loads, const Op& op, const Placement& seats, const std::vector<std::vector<EndpointId>>& nodes,
              ExchangeWay way);

  [[nodiscard]] double of(EndpointId from, EndpointId to) const;

 private:
  using Ranks = std::vector<std::uint32_t>;
  struct Seat {
    std::size_t node = 0;
    Ranks ranks;  // whose traffic this end has: its own, and that of members beyond those which all domains have
  };
  [[nodiscard]] double mean(const Ranks& tokens, const Ranks& experts) const;

  const ExpertLoads& loads_;
  const ExchangeWay way_;
  const bool back_;                      // from experts to where tokens came from
  const double busiest_;                 // what sizes are counted for
  std::map<std::uint32_t, Seat> seats_;  // by endpoint
  std::vector<Ranks> nodes_;
};

}  // namespace railyard
