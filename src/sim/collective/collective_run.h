// One collective of one size on a fabric: played message by message, or as a communication library would carry it out.
#pragma once

#include <optional>

#include "base/progress.h"
#include "base/result.h"
#include "collective/library.h"
#include "plan/scenario.h"
#include "sim/bounds.h"
#include "sim/collective/group.h"
#include "sim/collective/network_rates.h"
#include "sim/packet_memory.h"

namespace railyard {

struct CollectiveRun {
  CollectiveKind kind = CollectiveKind::all_reduce;
  Bytes size;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  std::optional<Protocol> protocol;  // of a library
  std::uint32_t channels = 0;        // of a library
  std::optional<Schedule> schedule;  // where it was played message by message
  Picoseconds time;
  Picoseconds observed;                // what the telemetry's packets took: `time`, or of a library its probe
  std::optional<Picoseconds> latency;  // of a library: the part that does not depend on the size
  Picoseconds bound;                   // nothing on this fabric can be faster (docs/models.md, lower bounds)
  TrunkId bound_at;                    // the trunk that sets the bound
  double sent = 0;                     // bytes a rank hands to its links, on average
  Telemetry telemetry;
  Bytes memory = {};  // that the run was expected to need at most, all sizes together; of a library, by its probes
};

/// The group of a scenario's collective, ready to run at any size.
struct CollectiveGroup {
  const Scenario& scenario;
  Network network;
  const Placement& placement;
  SeatedGroup seats;
  std::vector<std::vector<EndpointId>> nodes;
  GroupLimits limits;
  std::optional<Communicator> communicator;  // with a library
  MeasuredNetwork measured;                  // between nodes, for it
  Bytes memory = kMemoryLimit;               // that packets may need
};

/// Seats the group, and measures the network between its nodes for a library.
CollectiveGroup make_group(const Scenario& scenario, const Network& network, const Placement& placement);

/// Refuses algorithms that the collective, the group's shape, the fabric or the library does not have.
Result<CollectiveRun> run_collective(const CollectiveGroup& group, Bytes size, Progress& progress);

/// Its messages where no library carries it out, and in `seats` the trunks to switches that add up. Refuses what
/// run_collective() does.
Result<Schedule> schedule_of(const CollectiveGroup& group, SeatedGroup& seats, Bytes size);

/// What run_collective() would refuse before it plays anything.
Diagnostics refused_collective(const CollectiveGroup& group, Bytes size);

/// Messages that run_collective will play; 0 with a library, or where it will refuse.
std::uint64_t messages_of(const CollectiveGroup& group, Bytes size);

}  // namespace railyard
