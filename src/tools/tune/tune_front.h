// Settings that nothing beats: whoever minds incasts takes one, whoever minds the rest another.
#pragma once

#include <string>
#include <vector>

#include "search/search_result.h"
#include "search/space.h"
#include "tools/tune/figures.h"
#include "tools/tune/workloads.h"

namespace railyard {

/// A setting over today's, on the seeds that settings are checked on.
struct SettingRatios {
  std::vector<std::string> values;  // by axis
  std::vector<std::string> set;     // as overrides; what stays as it is needs none
  double incasts = 1, others = 1;   // geometric means of tails; 1 where there is none of the kind
  double goodput = 1;               // of the workload that loses most
};

/// Of all settings that were checked: none is as good in tails of incasts, in those of others and in goodput, and better in
/// one. Ordered by the tails of incasts. `today` are the figures of what there is, by workload.
std::vector<SettingRatios> front_of_settings(const SearchResult& search, const Space& space,
                                             const std::vector<TuneWorkload>& workloads,
                                             const std::vector<WorkloadFigures>& today);

/// The figures of an outcome of a search of settings.
std::vector<WorkloadFigures> figures_of(const Outcome& outcome);

/// Overrides of a setting; what stays as it is needs none.
std::vector<std::string> set_of(PointId point, const Space& space);

}  // namespace railyard
