#include "tools/compare/congestion.h"

#include <fmt/format.h>

#include "analysis/results.h"
#include "base/check.h"
#include "base/quantity_text.h"
#include "report/command_text.h"
#include "report/slice_report.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "tools/compare/trials.h"

namespace railyard {

namespace {

constexpr const char* kLength = "slice.length=100 us";

SliceTrial slice(std::string kind, std::string change, std::vector<std::string> more) {
  SliceTrial trial{.kind = std::move(kind), .change = std::move(change), .set = {"engine.fidelity=packet", kLength}};
  trial.set.insert(trial.set.end(), more.begin(), more.end());
  return trial;
}

}  // namespace

std::vector<SliceTrial> slices_for(const Scenario& s) {
  if (s.engine.fidelity != Fidelity::flow || s.fabric.endpoints > kMostEndpoints) return {};
  std::vector<SliceTrial> out{slice("as it is", "", {})};
  if (s.transport.kind != TransportKind::roce) return out;
  const bool reacts = s.transport.control == CongestionControl::dcqcn;
  out.push_back(slice("ECN and PFC",
                      reacts ? "switch DCQCN off and leave it to PFC" : "let senders react to marks (DCQCN) before PFC has to",
                      {fmt::format("transport.dcqcn.enabled={}", !reacts)}));
  if (!reacts) return out;
  out.push_back(slice("ECN and PFC", "mark packets from 2 MB of queue on, all from 8 MB on",
                      {"transport.ecn.kmin=2 MB", "transport.ecn.kmax=8 MB"}));
  return out;
}

void try_slice(const std::string& name, const std::vector<std::string>& overrides, const Catalog& catalog, SliceTrial& trial,
               Progress& progress) {
  const std::vector<std::string> all = joined(overrides, trial.set);
  trial.command = run_command_text(name, all);
  const Result<Scenario> scenario = load_named_scenario(name, catalog, all);
  const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, progress) : Result<Run>(scenario.error());
  if (!run) {
    trial.refused = run.error().front().message;
    return;
  }
  Results analysed = analyse(*scenario, *run);
  RY_CHECK(analysed.slice, "a step that is played packet by packet has a slice");
  trial.slice = slice_document(*analysed.slice);
  trial.slowest_gbps = analysed.slice->traffic.receiver_least_gbps;
  trial.analysed = std::move(analysed.slice);
}

}  // namespace railyard
