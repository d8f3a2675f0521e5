#include "tools/goodput/levers.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity_text.h"
#include "tools/goodput/closed_form.h"
#include "tools/goodput/span_text.h"

namespace railyard {

namespace {

constexpr double kRisk = 0.01;         // of too few spares
constexpr double kMatters = 0.001;     // share of the time from which on a part of it is worth a change
constexpr Milliseconds kQuick = 60_s;  // detection by a watchdog that looks at every step

/// The changes of one scenario, each method one kind.
class Levers {
 public:
  Levers(const Scenario& scenario, const TrainingWeeks& weeks, const DrawnWeeks& drawn)
      : plan_(*scenario.reliability), weeks_(weeks), drawn_(drawn), all_(drawn.mean.all()) {}

  std::vector<GoodputLever> all() {
    interval();
    restore();
    if (matters(drawn_.mean.detection)) detection();
    checkpoints();
    spares();
    if (matters(drawn_.mean.slow))
      set(fmt::format("find stragglers within {}", span_text(weeks_.job.stragglers.detection / 2)),
          {fmt::format("reliability.straggler_detection={}", span_setting(weeks_.job.stragglers.detection / 2))});
    return std::move(levers_);
  }

 private:
  [[nodiscard]] bool matters(double part) const { return part > kMatters * all_; }

  void set(std::string change, std::vector<std::string> overrides, bool is_cheaper = false) {
    levers_.push_back({.change = std::move(change), .set = std::move(overrides), .is_cheaper = is_cheaper});
  }

  void interval() {
    if (!weeks_.interval_given || std::abs(weeks_.best_interval_s / weeks_.job.interval - 1) < 0.05) return;
    set(fmt::format("write a checkpoint every {} of training, not {}", span_text(weeks_.best_interval_s),
                    span_text(weeks_.job.interval)),
        {fmt::format("reliability.checkpoint_interval={}", span_setting(weeks_.best_interval_s))});
  }

  void restore() {
    if (!matters(drawn_.mean.restart)) return;
    const TrainingJob& job = weeks_.job;
    if (job.restart > 1)
      set(fmt::format("restart in {}, not {}", span_text(job.restart / 2), span_text(job.restart)),
          {fmt::format("reliability.restart={}", span_setting(job.restart / 2))});
    if (job.load > 1)
      set(fmt::format("read checkpoints in {}, not {} (one replica reads, the others get it from there)",
                      span_text(job.load / 2), span_text(job.load)),
          {fmt::format("reliability.checkpoint_read={}", span_setting(job.load / 2))});
  }

  void detection() {
    const Milliseconds quicker = plan_.detection > 2 * kQuick ? kQuick : plan_.detection / 2;
    set(fmt::format("detect failures within {}, not {}", format_exact(quicker), format_exact(plan_.detection)),
        {fmt::format("reliability.detection={}", format_exact(quicker))});
  }

  /// The best interval belongs to the cost of a checkpoint, so it is left to be found.
  void checkpoints() {
    if (!matters(drawn_.mean.checkpoint + drawn_.mean.lost)) return;
    std::vector<std::string> beside;
    if (weeks_.interval_given) beside.emplace_back("reliability.checkpoint_interval=");
    const auto with = [&](std::vector<std::string> some) {
      some.insert(some.end(), beside.begin(), beside.end());
      return some;
    };
    if (!plan_.checkpoint_async)
      set("let training go on while checkpoints are written", with({"reliability.checkpoint_async=true"}));
    if (plan_.checkpoint == CheckpointPlace::storage) {
      std::vector<std::string> some = {"reliability.checkpoint=memory", "reliability.checkpoint_async=true"};
      if (plan_.checkpoint_write) some.emplace_back("reliability.checkpoint_write=");
      if (plan_.checkpoint_read) some.emplace_back("reliability.checkpoint_read=");
      set("keep checkpoints in the memory of hosts, with a copy on another one", with(std::move(some)));
    }
    if (plan_.storage_rate && weeks_.checkpoint.write_limit == "storage")
      set("double the rate of the storage",
          with({fmt::format("reliability.storage_rate={}", format_exact(*plan_.storage_rate * 2))}));
  }

  void spares() {
    const std::uint32_t needed = spares_needed(weeks_.job, kRisk);
    if (plan_.spares && matters(drawn_.mean.waiting)) {
      if (needed > *plan_.spares && needed <= weeks_.servers)
        set(fmt::format("keep {} spare servers, not {}", needed, *plan_.spares),
            {fmt::format("reliability.spares={}", needed)});
      set(fmt::format("repair servers in {}, not {}", format_exact(plan_.repair / 2), format_exact(plan_.repair)),
          {fmt::format("reliability.repair={}", format_exact(plan_.repair / 2))});
    } else if (plan_.spares && needed < *plan_.spares) {
      set(fmt::format("{} spare servers would do, not {}", needed, *plan_.spares),
          {fmt::format("reliability.spares={}", needed)}, true);
    }
  }

  const ReliabilityPlan& plan_;
  const TrainingWeeks& weeks_;
  const DrawnWeeks& drawn_;
  const double all_;
  std::vector<GoodputLever> levers_;
};

}  // namespace

std::vector<GoodputLever> goodput_levers(const Scenario& scenario, const TrainingWeeks& weeks, const DrawnWeeks& drawn) {
  return Levers(scenario, weeks, drawn).all();
}

}  // namespace railyard
