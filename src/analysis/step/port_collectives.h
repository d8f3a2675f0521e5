// Which collective of a training step put which bytes on which link, and when.
#pragma once

#include <string>
#include <vector>

#include "sim/simulate.h"

namespace railyard {

/// What calls of one kind put on a link.
struct CollectiveOnPort {
  std::string what;  // "all_gather (parameters)"
  double bytes = 0;  // payload
  double first_s = 0, last_s = 0;
  std::vector<double> bins = {};  // bytes by bin
};

/// A port, or a trunk where equal paths share perfectly.
struct PortCollectives {
  std::string name;
  double bytes = 0;                                // payload, of all
  std::vector<CollectiveOnPort> collectives = {};  // those with most first
};

struct CollectivesByPort {
  double bin_s = 0;
  std::vector<PortCollectives> ports = {};  // those that carry most first
  std::uint64_t left_out = 0;               // that carry something, too
};

/// The `most` ports that carry most, over `bins` of equal width. Bytes of a call are spread evenly over its time, and lie on
/// the paths that its queue pairs take while no link has failed. Empty where more than kMostPathsLookedAt would have to be
/// looked at, or where switches compute.
inline constexpr std::size_t kMostPathsLookedAt = 100'000;
CollectivesByPort collectives_by_port(const Run& run, std::size_t most, std::size_t bins);

}  // namespace railyard
