#include "tools/faults/fault_trial.h"

#include "base/check.h"

namespace railyard {

namespace {

constexpr double kNoStage = -1;

}  // namespace

Outcome trial_of_fault(const FaultOutcome& fault) {
  Outcome out{fault.refused, {}};
  std::vector<double>& values = out.values;
  values = {fault.time_s,
            fault.p99_s,
            static_cast<double>(fault.isolated),
            static_cast<double>(fault.lost),
            static_cast<double>(fault.broken),
            fault.worst ? 1.0 : 0.0};
  if (fault.worst) {
    values.push_back(fault.worst->rank);
    values.push_back(fault.worst->stage ? *fault.worst->stage : kNoStage);
    values.push_back(fault.worst->later_s);
  }
  values.push_back(static_cast<double>(fault.waits.size()));
  values.insert(values.end(), fault.waits.begin(), fault.waits.end());
  values.insert(values.end(), fault.stage_ranks.begin(), fault.stage_ranks.end());
  return out;
}

FaultOutcome fault_of_trial(const Outcome& outcome) {
  FaultOutcome out{.refused = outcome.refused};
  std::size_t next = 0;
  const auto take = [&] {
    RY_CHECK(next < outcome.values.size(), "a journal has all values of a fault");
    return outcome.values[next++];
  };
  out.time_s = take(), out.p99_s = take();
  out.isolated = static_cast<std::uint32_t>(take());
  out.lost = static_cast<std::uint64_t>(take()), out.broken = static_cast<std::uint64_t>(take());
  if (take() > 0) {
    WorstRank& worst = out.worst.emplace();
    worst.rank = static_cast<std::uint32_t>(take());
    if (const double stage = take(); stage != kNoStage) worst.stage = static_cast<std::uint32_t>(stage);
    worst.later_s = take();
  }
  const auto waits = static_cast<std::size_t>(take());
  for (std::size_t i = 0; i < waits; i++) out.waits.push_back(take());
  while (next < outcome.values.size()) out.stage_ranks.push_back(static_cast<std::uint32_t>(take()));
  return out;
}

}  // namespace railyard
