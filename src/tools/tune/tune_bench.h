// A scenario's network under any of the workloads that settings are tried on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "answer/trial.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "search/axis.h"
#include "tools/tune/figures.h"
#include "tools/tune/workloads.h"

namespace railyard {

class TuneBench {
 public:
  /// Both must outlive this.
  TuneBench(const Question& question, const Catalog& catalog);

  /// Overrides that let its packets be played: fewer hosts, where it has many.
  std::vector<std::string> base = {};
  std::vector<TuneWorkload> workloads = {};
  bool plays_all = false;  // nothing is taken from what was played before

  [[nodiscard]] Result<Scenario> load(const std::vector<std::string>& more) const;

  /// Of axes that were asked for: what no scenario may say.
  [[nodiscard]] Diagnostics wrong_values_of(const std::vector<Axis>& axes) const;

  /// All workloads with a setting, by seed, one workload after the other for as long as `goes_on` with what was played so far.
  /// Thread-safe. Settings that differ only in what is marked and in what senders do about it are played once under a workload
  /// whose queues are too short for a mark: the figures are the same.
  [[nodiscard]] Result<SeededFigures> play(const std::vector<std::string>& setting, const std::vector<std::uint64_t>& seeds,
                                           const std::function<bool(const SeededFigures&)>& goes_on = {}) const;
  /// How many runs that takes and took.
  [[nodiscard]] std::uint64_t runs() const;

 private:
  /// A workload, a seed, and all of a setting that matters before the first mark.
  using Unmarked = std::tuple<std::size_t, std::uint64_t, std::vector<std::string>>;
  static Unmarked with_any_marks(const Unmarked& key);
  Result<WorkloadFigures> play_one(std::size_t workload, std::uint64_t seed, const std::vector<std::string>& setting) const;
  std::optional<WorkloadFigures> find(const Unmarked& key, const Scenario& scenario) const;
  void keep(const Unmarked& key, const WorkloadRun& run) const;

  const Question question_;
  const Catalog& catalog_;
  LoadOptions options_;
  mutable std::mutex mutex_;
  mutable std::map<Unmarked, WorkloadRun> unmarked_;
  mutable std::uint64_t runs_ = 0;
};

}  // namespace railyard
