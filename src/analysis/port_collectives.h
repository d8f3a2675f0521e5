// Which collective put which bytes on which link, and when: of training steps, traces and collectives by themselves.
#pragma once

#include <string>
#include <vector>

#include "sim/simulate.h"

namespace railyard {

/// What calls of one kind put on a link.
struct CollectiveOnPort {
  std::string what;  // "all_gather (parameters)", "all_reduce (8 ranks)"
  double bytes = 0;  // payload; of a collective by itself, on the wire
  double first_s = 0, last_s = 0;
  std::vector<double> bins = {};  // bytes by bin; none where nobody knows when
};

/// A port, or a trunk where equal paths share perfectly.
struct PortCollectives {
  std::string name;
  double bytes = 0;                                // of all
  std::vector<CollectiveOnPort> collectives = {};  // those with most first
};

struct CollectivesByPort {
  double bin_s = 0;
  std::vector<PortCollectives> ports = {};  // those that carry most first
  std::uint64_t left_out = 0;               // that carry something, too
  std::string unknown = {};                 // what is not known, and why
};

/// How many links and bins are kept.
struct ByPortSize {
  std::size_t ports = 16, bins = 64;
};

/// Of a training step: the ports that carry most, over bins of equal width. Bytes of a call are spread evenly over its time,
/// and lie on the paths that its queue pairs take while no link has failed. Empty where more than kMostPathsLookedAt would have
/// to be looked at, or where switches compute.
inline constexpr std::size_t kMostPathsLookedAt = 100'000;
CollectivesByPort collectives_by_port(const Run& run, const ByPortSize& size = {});

/// The same of the messages of a trace, by what they are part of. REQUIRES: a run of [trace].
CollectivesByPort messages_by_port(const Run& run, const ByPortSize& size = {});

/// Of one collective, to whom all that ports carried belongs, as the engine counted it on the wire. Packets and flows tell
/// when, closed forms do not.
CollectivesByPort bytes_by_port(const Run& run, const CollectiveRun& collective, const ByPortSize& size = {});

}  // namespace railyard
