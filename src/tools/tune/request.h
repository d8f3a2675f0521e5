// What was said on the command line of `tune`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// What settings are judged by: the tails of all workloads, those of incasts alone, the worst of all tails, or how often ports
/// pause or drop.
inline constexpr std::string_view kTuneGoals[] = {"all", "incasts", "worst", "pauses", "drops"};

struct TuneRequest {
  std::string by = "all";
  std::uint32_t generations = 40;  // at most
  std::uint32_t keep = 3;          // settings to list
  std::string folder = {};         // for the files of devices
  bool exhaustive = false;         // every setting, on all seeds
};

}  // namespace railyard
