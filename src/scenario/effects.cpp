#include "scenario/effects.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/schema.h"
#include "scenario/read/keys.h"

namespace railyard {

namespace {

struct IdleKey {
  std::string path, why;
};

/// In the order of the table; a section that belongs to other runs as a whole stands for its keys.
std::vector<IdleKey> idle_keys(const Scenario& scenario) {
  std::vector<IdleKey> idle;
  for (const Section& section : scenario_sections()) {
    if (!section.path.empty() && !scenario.keys.given(section.path)) continue;
    if (section.is_one_thing) {
      if (std::string why = no_effect_because(section.effect, scenario); !why.empty()) {
        idle.push_back({section.path, std::move(why)});
        continue;
      }
    }
    for (const ScenarioKey& key : section.keys) {
      const std::string path = section.path.empty() ? key.name : section.path + "." + key.name;
      if (!scenario.keys.given(path)) continue;
      if (std::string why = no_effect_because(key.effect, scenario); !why.empty()) idle.push_back({path, std::move(why)});
    }
  }
  return idle;
}

/// Whether a key describes the network, not what is trained or on what.
bool is_of_network(const std::string& path) {
  for (const char* section : {"fabric", "transport", "routing", "placement", "engine", "slice"})
    if (path.starts_with(section)) return true;
  return false;
}

Diagnostic idle_network(const Scenario& scenario, const std::vector<std::string>& idle) {
  return {Severity::warning, "RY-RUN-021",
          fmt::format("{} is timed on an idle network without bottlenecks: {} {} no effect on the times",
                      scenario.workload.serving ? "serving" : "the step", schema::join(idle, ", "),
                      idle.size() == 1 ? "has" : "have"),
          "treat the result as a lower bound for this network", scenario.keys.where(idle.front())};
}

/// What is given and taken for something else.
void add_others(const Scenario& scenario, Diagnostics& found) {
  for (const Failure& failure : scenario.failures)
    if (scenario.workload.library && (failure.from > Picoseconds::zero() || failure.until))
      found.push_back(
          {Severity::warning, "RY-RUN-020",
           fmt::format("{} has no effect: the closed form of a library covers only permanent failures", failure.name),
           "set library = \"none\" to simulate the collective, or make the failure permanent from the start", failure.where});
  const RunSet matched = scenario.job ? RunSet{0} : RunSet{kFlowStep | kPacketStep};
  if (scenario.keys.given("fabric.circuits") && !scenario.workload.collective && scenario.fabric.circuits == Circuits::demand &&
      !(run_of(scenario) & (kClosedStep | kClosedServing | matched)))
    found.push_back(
        {Severity::warning, "RY-RUN-020",
         "fabric.circuits = \"demand\" acts as \"ring\": only collectives and steps of one job have a demand to match",
         "write \"ring\", or \"uniform\"", scenario.keys.where("fabric.circuits")});
}

}  // namespace

Diagnostics keys_without_effect(const Scenario& scenario) {
  const RunSet run = run_of(scenario);
  if (run == 0) return {};
  Diagnostics found;
  std::vector<std::string> network;
  for (const IdleKey& key : idle_keys(scenario))
    if ((run & (kClosedStep | kClosedServing)) && is_of_network(key.path))
      network.push_back(key.path);
    else
      found.push_back(no_effect(scenario.keys, key.path, key.why));
  add_others(scenario, found);
  sort_by_location(found);
  if (network.empty()) return found;
  std::sort(network.begin(), network.end());
  found.insert(found.begin(), idle_network(scenario, network));
  return found;
}

}  // namespace railyard
