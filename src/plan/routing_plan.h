// How packets of a connection find their path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/units.h"
#include "plan/choices.h"

namespace railyard {

/// Next hops that somebody has set by hand: what a switch does with packets to a GPU, or to all GPUs under a leaf, whatever
/// routing would have it do. Nodes are named as reports name them: "leaf 3", "gpu 5", and in a drawing as it does.
struct StaticRoute {
  std::string at, to, via;
  SourceSpan where;
};

/// What a switch hashes by, or all of a tier, where that is not as the rest of the plan has it.
struct OwnHash {
  std::uint32_t tier = 0;              // as in `seeds`: leaf, spine, core
  std::optional<std::uint32_t> index;  // of the switch in its tier; none: all of the tier
  HashFunction hash = HashFunction::crc32;
  HashFields hash_fields = HashFields::five_tuple;
  std::uint32_t seed = 0;
  SourceSpan where;
};

struct RoutingPlan {
  RoutingPolicy policy = RoutingPolicy::ecmp;
  HashFunction hash = HashFunction::crc32;
  HashFields hash_fields = HashFields::five_tuple;
  std::vector<std::uint32_t> seeds = {0, 10, 25};  // of leaf, spine and core: the roles of SONiC
  std::vector<OwnHash> own_hashes;                 // tiers before single switches
  std::optional<std::uint32_t> paths;              // that packets of one flow are spread over; all if not given
  bool wcmp = false;                               // switches weigh next hops by the live paths behind them
  std::vector<StaticRoute> fixed;                  // in the order of the file
  std::uint32_t qps_per_connection = 1;
  QpUse qp_use = QpUse::split;
  std::uint64_t qp_seed = 1;  // of the numbers that queue pairs get
};

}  // namespace railyard
