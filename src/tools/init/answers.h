// What somebody says of a cluster, and the scenario that describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/choices.h"
#include "plan/scenario.h"

namespace railyard {

/// How a model is spread over GPUs; data parallelism follows.
struct SplitAnswer {
  std::uint32_t tensor = 1, context = 1, pipeline = 1, expert = 1, zero = 1;
  friend bool operator==(const SplitAnswer&, const SplitAnswer&) = default;
};

/// The switch of somebody whose switch the catalog does not have.
inline constexpr std::string_view kOtherSwitch = "other";

/// Answers to the eight questions; what is empty was not answered yet.
struct InitAnswers {
  std::optional<std::string> gpu;              // of the catalog …
  std::optional<std::uint32_t> gpus;           // … and how many
  std::optional<std::uint32_t> gpus_per_node;  // of a server
  std::optional<std::string> nic;              // of the catalog
  std::optional<std::string> switch_model;     // of the catalog, or kOtherSwitch
  std::optional<Topology> topology;
  std::optional<std::string> oversubscription;  // "2:1"; empty where there is none
  std::optional<std::string> model;             // of the catalog
  std::optional<bool> finds_split;              // "find one"; else `split`
  SplitAnswer split;
  std::optional<TransportKind> transport;

  friend bool operator==(const InitAnswers&, const InitAnswers&) = default;
};

/// A split with what belongs to it.
struct TrainingPlan {
  SplitAnswer split;
  Recompute recompute = Recompute::selective;
  std::uint32_t global_batch = 0;
  std::vector<std::uint32_t> stage_layers;  // where layers do not go into stages evenly
  std::vector<std::string> remarks;         // why it is so: comments of the file
};

/// The scenario as a commented file. REQUIRES: everything is answered and in the catalog.
std::string scenario_text(const InitAnswers& answers, const TrainingPlan& plan, const Catalog& catalog);

/// The same with one all-reduce in place of a model: whether the network can be wired shows without a plan.
std::string network_text(const InitAnswers& answers, const Catalog& catalog);

/// A scenario from such a text, or the mistakes in it.
Result<Scenario> read_text_of_init(const std::string& text, const Catalog& catalog);

}  // namespace railyard
