// What failures take from the links of a fabric, for how long, and who sees it first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "plan/failure.h"

namespace railyard {

/// Links of one tier that one failure takes, or slows.
struct LostLinks {
  std::string what;               // as [failures] has it
  std::string tier;               // "leaf to spine"
  std::uint32_t failed = 0;       // links
  std::uint32_t links = 0;        // of that tier, in all
  BitsPerSecond left;             // rate of each that is left; zero: it is down
  double left_at_worst = 1;       // share of its rate that the trunk has which loses most
  double from_s = 0;              // when it begins for the first time
  std::optional<double> until_s;  // and ends; none: it lasts
  std::uint32_t times = 1;
  double lasts_s = 0;  // in all, within the run
  std::string ends;    // who is at the ends of those links: "spine 0, 64 leaves"
};

/// Of every failure of links, in their order, tier by tier. `run_s`: how long the run took.
/// REQUIRES: the fabric has what fails.
std::vector<LostLinks> lost_links(std::span<const Failure> failures, const Fabric& fabric, double run_s);

}  // namespace railyard
