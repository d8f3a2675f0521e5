// What one run of a job with something broken came to: its time, who fell behind, who was cut off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// Who is hit most, against the same job with nothing broken.
struct WorstRank {
  std::uint32_t rank = 0;
  std::optional<std::uint32_t> stage = {};  // of a step: its ranks move as one, and `rank` is the first of them
  double later_s = 0;  // of a step: how much longer the stage waits for others and for the network; else how much later the
                       // rank has all that is sent to it
};

/// What a run came to.
struct FaultOutcome {
  double time_s = 0;
  double p99_s = 0;  // of the collectives of a step over the network, of messages packet by packet; 0 where there are none
  std::vector<double> waits = {};               // of a step, by stage: seconds it waits; else by rank: when it has all
  std::vector<std::uint32_t> stage_ranks = {};  // of a step: the first rank of every stage
  std::string refused = {};                     // why it does not end
  std::uint32_t isolated = 0;                   // ranks that cannot reach the rest
  std::uint64_t lost = 0, broken = 0;           // packets on failed links; queue pairs that gave up
  std::optional<WorstRank> worst = {};
};

/// What a run saw packet by packet; nothing if it did not. Of a collective, in the last of its sizes.
const PacketRecord* packets_of(const Run& run);

/// Plays it, on one thread.
FaultOutcome play_fault(const Scenario& scenario, Progress& progress);

/// Ranks that the scenario's failures cut off from the rest once all have happened, where the job sits so on its fabric.
std::uint32_t count_isolated(const Scenario& scenario, const Fabric& fabric, const Placement& placement);

/// Who lost most against `whole`. None where nobody lost a thousandth of its time, or one of both does not say.
std::optional<WorstRank> find_worst_rank(const FaultOutcome& whole, const FaultOutcome& hurt);

}  // namespace railyard
