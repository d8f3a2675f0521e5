// What a training step means: rates, where the time goes, what is sent, what has to fit. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/scenario.h"
#include "sim/step/step_run.h"

namespace railyard {

/// A rate under each of the conventions that published numbers mix.
struct FlopsConventions {
  double causal = 0;    // arithmetic of the model, attention over what a token may see
  double full = 0;      // the same, attention over the whole square
  double hardware = 0;  // what the GPUs computed, recomputation included
};

/// How long a stage is in passes of each kind, communication included, in seconds.
struct PassSums {
  double forward = 0, backward = 0, input_gradient = 0, weight_gradient = 0;
  double interleaved = 0;  // a forward and a backward pass together
};

/// Where the mean stage spends the step, in seconds; the parts sum to the step.
struct StepBreakdown {
  double compute = 0, bubble = 0, optimizer = 0, host = 0;
  double contention = 0;  // what compute loses to communication beside it
  struct ByGroup {
    double tensor = 0, context = 0, expert = 0, pipeline = 0, data = 0;
  };
  ByGroup exposed;  // communication that nothing runs beside
  ByGroup hidden;   // and that something does; not part of the sum
};

/// The step against the same over links that cost nothing, in seconds. The last four are those of the mean stage without
/// links; with what links cost they sum to the step.
struct StepCost {
  double without_network = 0, without_links = 0;
  double compute = 0, host = 0, optimizer = 0, bubble = 0;
  // What the network adds, of which it is the sum: waits with nothing beside them, compute that is slower beside communication,
  // and stages that wait longer for each other.
  double network_exposed = 0, network_contention = 0, network_bubble = 0;
};

/// One kind of communication of the whole step, as the mean GPU sees it.
struct TrafficRow {
  std::string phase;      // "forward", "backward", "gradients", "parameters"
  std::string name;       // "gather", "dispatch"
  std::string group;      // "tensor"
  std::string primitive;  // "all_gather"
  std::uint32_t ranks = 0;
  double calls = 0;      // per GPU and step
  Bytes size;            // of one call's buffer; the largest
  double sent = 0;       // bytes per GPU and step
  double scale_out = 0;  // of these, across the network between domains
  Picoseconds time;      // of one call of that size on an idle network
};

/// How far what one kind of group sends goes: bytes per GPU and step.
struct ReachRow {
  std::string group;
  double sent = 0, domain = 0, leaf = 0, pod = 0, across = 0;
};

/// Seconds that all of a step's bytes need on each tier at line rate and spread evenly: no network of this shape is done
/// sooner.
struct ReachFloor {
  double nic = 0, leaf_up = 0, pod_up = 0;
};

struct GroupRow {
  std::string kind;
  std::uint32_t ranks = 1, stride = 1, groups = 1, per_domain = 1;
  std::vector<std::uint32_t> example;  // the group of rank 0; its beginning
};

struct StageRow {
  std::uint32_t stage = 0;
  std::string layers;  // "1 + 7 × 1", in chunks
  std::int64_t parameters = 0;
  MemoryPlan memory;
  double compute = 0, exposed = 0, bubble = 0;  // seconds
  PassSums passes = {};
};

struct StepResults {
  double step_time_s = 0, tokens_per_s_per_gpu = 0;
  FlopsConventions tflops_per_gpu, mfu;  // MFU is of peak dense bf16, whatever is computed in
  double peak_share = 1;                 // the GPU's peak in the fastest format that the step computes in, over that of bf16
  double parameters = 0;
  std::uint64_t tokens = 0;
  std::uint32_t micro_batches = 0;
  StepBreakdown breakdown;
  StepCost cost;
  double after_passes_s = 0;  // from the last pass of any stage to the end: reduction, optimizer, gathering
  StageRow fullest;           // the stage that needs most memory
  Bytes memory;               // a GPU has
  std::vector<TrafficRow> traffic;
  std::vector<ReachRow> reach;  // empty where no fabric is described
  ReachFloor reach_floor;
  std::vector<GroupRow> groups;
  std::vector<StageRow> stages;
  double routing_imbalance = 1, dropped_share = 0;
};

StepResults analyse_step(const Scenario& scenario, const StepRun& run);

}  // namespace railyard
