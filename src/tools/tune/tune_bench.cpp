#include "tools/tune/tune_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
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

/// What is marked, and what senders do about it: nobody reads that as long as queues are shorter than what is marked.
constexpr std::array<std::string_view, 3> kMarks = {"transport.ecn.kmin", "transport.ecn.kmax", "transport.ecn.pmax"};
constexpr std::array<std::string_view, 13> kAfterMarks = {"transport.dcqcn.rpg_time_reset",
                                                          "transport.dcqcn.rpg_byte_reset",
                                                          "transport.dcqcn.rpg_threshold",
                                                          "transport.dcqcn.rpg_ai_rate",
                                                          "transport.dcqcn.rpg_hai_rate",
                                                          "transport.dcqcn.rpg_gd",
                                                          "transport.dcqcn.rpg_min_dec_fac",
                                                          "transport.dcqcn.rpg_min_rate",
                                                          "transport.dcqcn.rate_to_set_on_first_cnp",
                                                          "transport.dcqcn.dce_tcp_g",
                                                          "transport.dcqcn.dce_tcp_rtt",
                                                          "transport.dcqcn.rate_reduce_monitor_period",
                                                          "transport.dcqcn.min_time_between_cnps"};

std::vector<std::string> without(std::vector<std::string> setting, std::span<const std::string_view> keys) {
  std::erase_if(setting, [&](const std::string& override) {
    return std::find(keys.begin(), keys.end(), std::string_view(override).substr(0, override.find('='))) != keys.end();
  });
  return setting;
}

}  // namespace

/// No setting says this of itself.
TuneBench::Unmarked TuneBench::with_any_marks(const Unmarked& key) {
  const auto& [workload, seed, setting] = key;
  return {workload, seed, joined(without(setting, kMarks), {"any marks"})};
}

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

/// What was played without a mark comes out the same with the same marks, and wherever marks begin no earlier than its queues
/// ended: where that is not given, it is another at ports of another rate.
std::optional<WorkloadFigures> TuneBench::find(const Unmarked& key, const Scenario& scenario) const {
  const std::lock_guard lock(mutex_);
  if (plays_all) return std::nullopt;
  if (const auto found = unmarked_.find(key); found != unmarked_.end()) return found->second.figures;
  const auto found = unmarked_.find(with_any_marks(key));
  if (found == unmarked_.end() || !scenario.keys.given("transport.ecn.kmin")) return std::nullopt;
  const bool may_mark = found->second.waited_bytes > static_cast<std::uint64_t>(scenario.packet.ecn.kmin.count());
  return may_mark ? std::nullopt : std::optional(found->second.figures);
}

void TuneBench::keep(const Unmarked& key, const WorkloadRun& run) const {
  const std::lock_guard lock(mutex_);
  runs_++;
  if (run.is_marked) return;
  unmarked_.emplace(key, run);
  unmarked_.emplace(with_any_marks(key), run);
}

Result<WorkloadFigures> TuneBench::play_one(std::size_t workload, std::uint64_t seed,
                                            const std::vector<std::string>& setting) const {
  // What is tuned comes last, so that no workload takes it back.
  const Result<Scenario> scenario =
      load(joined(joined(without_pattern(workloads[workload].set), {fmt::format("engine.seed={}", seed)}), setting));
  if (!scenario) return scenario.error();
  const Unmarked key{workload, seed, without(setting, kAfterMarks)};
  if (std::optional<WorkloadFigures> known = find(key, *scenario)) return *known;
  const Result<WorkloadRun> run = play_workload(*scenario, workloads[workload]);
  if (!run) return run.error();
  keep(key, *run);
  return run->figures;
}

Result<SeededFigures> TuneBench::play(const std::vector<std::string>& setting, const std::vector<std::uint64_t>& seeds,
                                      const std::function<bool(const SeededFigures&)>& goes_on) const {
  SeededFigures out(seeds.size());
  for (std::size_t workload = 0; workload < workloads.size(); workload++) {
    for (std::size_t i = 0; i < seeds.size(); i++) {
      Result<WorkloadFigures> figures = play_one(workload, seeds[i], setting);
      if (!figures) return figures.error();
      out[i].push_back(*figures);
    }
    if (goes_on && !goes_on(out)) break;
  }
  return out;
}

}  // namespace railyard
