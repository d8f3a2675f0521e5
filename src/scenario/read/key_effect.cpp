#include "scenario/read/key_effect.h"

#include <fmt/format.h>

#include "base/schema.h"
#include "plan/scenario.h"

namespace railyard {

namespace {

struct Workload {
  RunSet runs;
  const char *one, *name;
};
constexpr Workload kWorkloads[] = {{kAnyStep, "a training step", "steps"},
                                   {kAnyCollective, "a single collective", "collectives"},
                                   {kAnyTraffic, "traffic", "traffic"},
                                   {kAnyTrace, "a trace", "traces"},
                                   {kAnyServing, "serving", "serving"}};

constexpr RunSet kClosed = kClosedStep | kClosedCollective | kClosedTraffic | kClosedServing | kClosedTrace;

/// Fidelities at which a set has runs: "\"flow\" or \"packet\"".
std::string fidelities_of(RunSet runs) {
  std::vector<std::string> names;
  if (runs & kClosed) names.emplace_back("\"analytic\"");
  if (runs & kFlows & ~kPacketStep) names.emplace_back("\"flow\"");
  if (runs & kPackets) names.emplace_back("\"packet\"");
  return schema::join(names, " or ");
}

std::string other_runs(const KeyEffect& effect, const Scenario& scenario) {
  if (effect.otherwise) return effect.otherwise;
  if (effect.runs == 0) return "nothing in a run depends on it";
  const RunSet run = run_of(scenario);
  if ((effect.runs & ~kPackets) == 0 && !(run & kPackets))
    return fmt::format("the {} engine simulates no packets", name_of(scenario.engine.fidelity));
  for (const Workload& workload : kWorkloads)
    if ((workload.runs & run) && (workload.runs & effect.runs))
      return fmt::format("it applies only at fidelity = {}", fidelities_of(workload.runs & effect.runs));
  std::vector<std::string> meant;
  for (const Workload& workload : kWorkloads)
    if (workload.runs & effect.runs) meant.emplace_back(workload.one);
  return "it applies only to " + schema::join(meant, " and ");
}

/// Runs of a workload as the reference has them: all, or by fidelity.
void add_words(const Workload& workload, RunSet runs, std::vector<std::string>& words) {
  const RunSet own = runs & workload.runs;
  if (own == workload.runs) return words.emplace_back(workload.name), void();
  if (own == kPacketStep) return words.emplace_back("packet steps"), void();
  if (own != 0) words.push_back(fmt::format("{} at fidelity {}", workload.name, fidelities_of(own)));
}

std::string runs_in_words(RunSet runs) {
  if (runs == kAnyRun) return {};
  if (runs == 0) return "nowhere";
  if (runs == kPackets) return "packets";
  if (runs == kFlows) return "flows";
  if (runs == (kFlows | kPackets)) return "flows, packets";
  if (runs == kOnFabric) return "all but analytic steps and serving";
  std::vector<std::string> words;
  for (const Workload& workload : kWorkloads) add_words(workload, runs, words);
  return schema::join(words, ", ");
}

}  // namespace

RunSet run_of(const Scenario& scenario) {
  const auto at = static_cast<unsigned>(scenario.engine.fidelity);
  if (scenario.workload.serving) return static_cast<RunSet>(kClosedServing << at);
  if (scenario.workload.model) return static_cast<RunSet>(kClosedStep << at);
  if (scenario.workload.collective) return static_cast<RunSet>(kClosedCollective << at);
  if (scenario.workload.trace) return static_cast<RunSet>(kClosedTrace << at);
  return scenario.workload.traffic ? static_cast<RunSet>(kClosedTraffic << at) : RunSet{0};
}

std::string no_effect_because(const KeyEffect& effect, const Scenario& scenario) {
  if (!(effect.runs & run_of(scenario))) return other_runs(effect, scenario);
  if (!(effect.transports & set_of(scenario.transport.kind)))
    return fmt::format("it does not apply to kind = \"{}\"", name_of(scenario.transport.kind));
  for (const EffectCondition& condition : effect.conditions)
    if (!condition.holds(scenario)) return condition.otherwise;
  return {};
}

std::string in_words(const KeyEffect& effect) {
  std::vector<std::string> words;
  if (const std::string runs = runs_in_words(effect.runs); !runs.empty()) words.push_back(runs);
  if (effect.transports != kAnyTransport) {
    std::vector<std::string> kinds;
    for (const TransportKind kind : {TransportKind::roce, TransportKind::infiniband, TransportKind::tcp, TransportKind::uec})
      if (effect.transports & set_of(kind)) kinds.emplace_back(name_of(kind));
    words.push_back("over " + schema::join(kinds, ", "));
  }
  for (const EffectCondition& condition : effect.conditions) words.emplace_back(condition.when);
  return schema::join(words, "; ");
}

}  // namespace railyard
