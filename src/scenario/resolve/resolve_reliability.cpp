#include "scenario/resolve/resolve_reliability.h"

#include <algorithm>
#include <utility>

#include "catalog/keys.h"

namespace railyard {

namespace {

/// Of defaults that are somebody's figures; the others are assumed without one.
const std::pair<const char*, Origin> kDefaultOrigins[] = {
    {"detection", {Status::published, "MegaScale (NSDI 2024), section 6.3: detected and diagnosed in less than 10 min"}},
    {"restart", {Status::published, "Kokolis et al. (arXiv 2410.21680): 5 min, as their figures assume"}},
    {"snapshot_rate", {Status::assumed, "PCIe 5.0 with 16 lanes, four fifths of its 63 GB/s"}},
    {"repair", {Status::assumed, "a day"}},
    {"straggler_slowdown", {Status::published, "MegaScale (NSDI 2024), section 6.3: slow hosts take 10 % longer"}},
    {"straggler_detection",
     {Status::estimated, "GREYHOUND (ATC 2025): slow phases of jobs of 512 GPUs and more last 72 min; read second hand"}}};

}  // namespace

void resolve_reliability(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out) {
  ReliabilityPlan plan{*spec.reliability, {}};
  const Entry<FailureFact>* profile = catalog.reliability.find(plan.profile);
  const auto given = [&](const std::string& name) { return spec.given("reliability." + name); };
  for (const Key<FailureFact>& rate : failure_keys()) {
    const std::string& name = rate.info.name;
    const bool known = profile && std::any_of(profile->written.begin(), profile->written.end(),
                                              [&](const auto& written) { return written.first == name; });
    if (given(name) || !known) continue;
    rate.copy(profile->fact, plan);
    plan.origins[name] = profile->origin_of(name);
  }
  for (const auto& [name, origin] : kDefaultOrigins)
    if (!given(name)) plan.origins[name] = origin;
  for (const auto& [path, key] : spec.keys.by_path) {
    if (!path.starts_with("reliability.")) continue;
    const auto claim = spec.origins.find(path);
    const bool claimed = claim != spec.origins.end() && claim->second.where.file == key.where.file;
    plan.origins[path.substr(path.find('.') + 1)] = claimed ? claim->second.origin : Origin{Status::given, "the scenario"};
  }
  out.reliability = std::move(plan);
}

}  // namespace railyard
