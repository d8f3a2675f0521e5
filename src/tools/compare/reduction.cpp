#include "tools/compare/reduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/command_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "workload/layout.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMostRanks = 128;

Document all_reduce_of_a_gibibyte() {
  Document section = Document::object();
  section.set("kind", Document(std::string("all_reduce")));
  section.set("sizes", Document(Document::Array{Document(std::string("1 GiB"))}));
  return section;
}

/// Seconds, or 0 and why not.
double time_of(const std::string& name, const std::vector<std::string>& overrides, const Catalog& catalog,
               std::string& refused) {
  const Result<Scenario> scenario =
      load_named_scenario(name, catalog, overrides, {.workload = true, .collective = all_reduce_of_a_gibibyte()});
  Progress ignored;
  const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, ignored) : Result<Run>(scenario.error());
  if (run) return seconds(run->collectives.front().time);
  refused = run.error().front().message;
  return 0;
}

}  // namespace

std::optional<ReductionTrial> try_reduction(const std::string& name, const std::vector<std::string>& overrides,
                                            const Scenario& scenario, const Catalog& catalog) {
  const std::uint32_t model =
      scenario.workload.parallel.tensor * scenario.workload.parallel.context * scenario.workload.parallel.pipeline;
  const std::uint32_t sharing = scenario.workload.gpus.value_or(0) / std::max(1U, model);
  const std::uint32_t ranks = std::min(kMostRanks, sharing * scenario.workload.parallel.tensor);
  if (sharing < 2 || scenario.engine.fidelity == Fidelity::analytic) return std::nullopt;
  const auto with = [&](const char* algorithm) {
    std::vector<std::string> all = overrides;
    for (std::string one : {fmt::format("collective.algorithm={}", algorithm), fmt::format("collective.group={}", ranks),
                            std::string("collective.library=none"), std::string("engine.fidelity=flow")})
      all.push_back(std::move(one));
    return all;
  };
  const auto command = [&](const char* algorithm) {
    return fmt::format("railyard collective all_reduce --scenario {} -b 1G -e 1G{}", shell_word(name),
                       set_words(with(algorithm)));
  };
  ReductionTrial trial{.what = fmt::format("all-reduce of 1 GiB over {} GPUs", ranks),
                       .ring_command = command("ring"),
                       .in_network_command = command("in-network"),
                       .refused = {}};
  trial.ring_s = time_of(name, with("ring"), catalog, trial.refused);
  if (trial.refused.empty()) trial.in_network_s = time_of(name, with("in-network"), catalog, trial.refused);
  return trial;
}

}  // namespace railyard
