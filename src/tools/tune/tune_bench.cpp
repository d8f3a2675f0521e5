#include "tools/tune/tune_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "scenario/presets.h"

namespace railyard {

namespace {

/// A [traffic] that overrides fill in.
Document empty_traffic() {
  Document traffic = Document::object();
  traffic.set("pattern", Document(std::string("permutation")));
  traffic.set("size", Document(std::string("1 MB")));
  return traffic;
}

/// Patterns that have no size of their own must not find one.
std::vector<std::string> without_pattern(const std::vector<std::string>& set) {
  const bool bursts = std::find(set.begin(), set.end(), "traffic.pattern=microburst") != set.end();
  return bursts ? joined(set, {"traffic.size="}) : set;
}

/// Keys of DCQCN that nobody reads until a mark is answered.
constexpr std::array<std::string_view, 13> kAfterMarks = {"rpg_time_reset",
                                                          "rpg_byte_reset",
                                                          "rpg_threshold",
                                                          "rpg_ai_rate",
                                                          "rpg_hai_rate",
                                                          "rpg_gd",
                                                          "rpg_min_dec_fac",
                                                          "rpg_min_rate",
                                                          "rate_to_set_on_first_cnp",
                                                          "dce_tcp_g",
                                                          "dce_tcp_rtt",
                                                          "rate_reduce_monitor_period",
                                                          "min_time_between_cnps"};

bool is_after_marks(std::string_view override) {
  constexpr std::string_view kSection = "transport.dcqcn.";
  if (!override.starts_with(kSection)) return false;
  const std::string_view key = override.substr(kSection.size(), override.find('=') - kSection.size());
  return std::find(kAfterMarks.begin(), kAfterMarks.end(), key) != kAfterMarks.end();
}

std::vector<std::string> before_marks(std::vector<std::string> setting) {
  std::erase_if(setting, is_after_marks);
  return setting;
}

}  // namespace

TuneBench::TuneBench(const Question& question, const Catalog& catalog) : question_(question), catalog_(catalog) {
  options_.traffic = empty_traffic();
}

Result<Scenario> TuneBench::load(const std::vector<std::string>& more) const {
  return load_named_scenario(question_.name, catalog_, joined(joined(question_.overrides, base), more), options_);
}

Diagnostics TuneBench::wrong_values_of(const std::vector<Axis>& axes) const {
  return wrong_values({question_.name, joined(question_.overrides, base)}, catalog_, all_sets(axes), options_);
}

std::uint64_t TuneBench::runs() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

std::optional<WorkloadFigures> TuneBench::find(const Unmarked& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = unmarked_.find(key);
  return plays_all || found == unmarked_.end() ? std::nullopt : std::optional(found->second);
}

void TuneBench::keep(const Unmarked& key, const WorkloadRun& run) const {
  const std::lock_guard lock(mutex_);
  runs_++;
  if (!run.is_marked) unmarked_.emplace(key, run.figures);
}

Result<WorkloadFigures> TuneBench::play_one(std::size_t workload, std::uint64_t seed,
                                            const std::vector<std::string>& setting) const {
  const Unmarked key{workload, seed, before_marks(setting)};
  if (std::optional<WorkloadFigures> known = find(key)) return *known;
  // What is tuned comes last, so that no workload takes it back.
  const Result<Scenario> scenario =
      load(joined(joined(without_pattern(workloads[workload].set), {fmt::format("engine.seed={}", seed)}), setting));
  if (!scenario) return scenario.error();
  const Result<WorkloadRun> run = play_workload(*scenario, workloads[workload]);
  if (!run) return run.error();
  keep(key, *run);
  return run->figures;
}

Result<SeededFigures> TuneBench::play(const std::vector<std::string>& setting, const std::vector<std::uint64_t>& seeds) const {
  SeededFigures out;
  for (const std::uint64_t seed : seeds) {
    out.emplace_back();
    for (std::size_t workload = 0; workload < workloads.size(); workload++) {
      Result<WorkloadFigures> figures = play_one(workload, seed, setting);
      if (!figures) return figures.error();
      out.back().push_back(*figures);
    }
  }
  return out;
}

}  // namespace railyard
