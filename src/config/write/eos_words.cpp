#include "config/write/eos_words.h"

#include <fmt/format.h>

#include <cmath>

#include "config/write/words.h"

namespace railyard {

namespace {

std::string eos_threshold(const Threshold& threshold) {
  constexpr std::string_view kUnits[] = {"bytes", "percent", "segments", "microseconds"};
  return fmt::format("{} {}", std::llround(threshold.value), kUnits[static_cast<std::size_t>(threshold.unit)]);
}

}  // namespace

std::string eos_trust(Trust trust) {
  switch (trust) {
    case Trust::dscp:
    case Trust::both:
      return "qos trust dscp";
    case Trust::pcp:
      return "qos trust cos";
    case Trust::port:
      return "no qos trust";
  }
  return {};
}

std::string eos_ecn(const EcnPolicy& ecn) {
  const std::string between =
      fmt::format("minimum-threshold {} maximum-threshold {}", eos_threshold(ecn.kmin), eos_threshold(ecn.kmax));
  return ecn.marks ? fmt::format("random-detect ecn {} max-mark-probability {}", between, whole_percent(ecn.pmax))
                   : fmt::format("random-detect drop {} drop-probability {}", between, whole_percent(ecn.pmax));
}

std::vector<std::string> eos_watchdog(const WatchdogPolicy& dog) {
  if (!dog.enabled) return {"no priority-flow-control pause watchdog"};
  std::vector<std::string> lines{"priority-flow-control pause watchdog"};
  lines.push_back(fmt::format("priority-flow-control pause watchdog port action {}",
                              dog.action == StormAction::alert ? "notify-only" : "drop"));
  if (!dog.detection) return lines;
  std::string timer = fmt::format("priority-flow-control pause watchdog port timer timeout {}", seconds_text(*dog.detection));
  timer += fmt::format(" polling-interval {}", dog.poll ? seconds_text(*dog.poll) : "auto");
  if (dog.restoration) timer += fmt::format(" recovery-time {}", seconds_text(*dog.restoration));
  lines.push_back(std::move(timer));
  return lines;
}

}  // namespace railyard
