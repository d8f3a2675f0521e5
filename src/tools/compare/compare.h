// `railyard compare`: several scenarios side by side, and what would help each of them, by trying it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/results.h"
#include "answer/advice.h"
#include "answer/cluster_cost.h"
#include "answer/trial.h"
#include "answer/verdict.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"

namespace railyard {

/// Small messages on the idle network: half a round trip, in microseconds. None where no two GPUs lie like that.
struct MessageLatency {
  std::optional<double> same_leaf_us, across_leaves_us, across_pods_us;
};

/// All-reduces of the idle network's best algorithm without help of switches, and with it.
struct ReductionTrial {
  std::string what;  // "all-reduce of 1 GiB over 128 GPUs"
  std::string ring_command, in_network_command, refused;
  double ring_s = 0, in_network_s = 0;
};

/// A few ten microseconds of the collective that moves most bytes, packet by packet, with something changed or nothing.
struct SliceTrial {
  std::string kind, change;      // "as it is", and no change, first
  std::vector<std::string> set;  // overrides
  std::string command = {}, refused = {};
  std::optional<SliceResults> analysed = {};  // none where it was refused
  Document slice = {};                        // the same as `railyard run --json` writes it
  double slowest_gbps = 0;                    // of the receivers: a collective ends with its slowest
};

struct ComparedRun {
  std::string id, label;  // "llama3", "Llama 3"
  std::string path;       // of the scenario, for people
  std::string text;       // of it, with what it extends
  std::string command;    // that repeats the run
  Scenario scenario;
  Results analysed;  // of a training step
  Document results;  // the same as `railyard run --json` writes them
  RunVerdict verdict = {};
  MessageLatency latency;
  std::vector<Trial> trials;
  std::vector<SliceTrial> slices;  // empty where none was tried
  std::optional<ReductionTrial> reduction;
  std::optional<ClusterCost> cost = {};  // none where the network cannot be wired
};

struct CompareRequest {
  std::vector<std::string> scenarios;   // presets or files
  std::vector<std::string> overrides;   // laid over each of them
  std::optional<std::string> fidelity;  // instead of what each asks for
  unsigned threads = 0;                 // the result does not depend on it
  bool trials = true;
};

struct Compared {
  std::vector<ComparedRun> runs;
  std::vector<Advice> advice;            // the best first
  std::vector<Sentence> sentences = {};  // what it comes to
};

/// What the runs of these scenarios are called in tables and keys, each by a name of its own: "llama3", "llama3-2".
std::vector<std::string> run_ids(const std::vector<std::string>& scenarios);

/// The documents' four models and AMD's machines.
std::vector<std::string> default_comparison();

/// Runs all of them and what is tried with each. Refuses scenarios that cannot be run and those that are no training steps.
Result<Compared> compare(const CompareRequest& request, const Catalog& catalog, Progress& progress);

}  // namespace railyard
