// Rules on the PFC watchdog.
#include <fmt/format.h>

#include <bit>

#include "base/quantity_text.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

constexpr Picoseconds kMillisecond = Picoseconds(1'000'000'000);

/// As `pfcwd start_default` of SONiC has it.
WatchdogPolicy usual_watchdog() {
  return {.enabled = true, .detection = 200 * kMillisecond, .restoration = 200 * kMillisecond, .poll = 200 * kMillisecond};
}

template<class F>
void each_watchdog(const LintView& view, F what) {
  for (const PolicyUse& use : view.switches)
    if (lossless_queues(*use.policy) != 0) what(use, use.policy->watchdog);
}

void add_watchdog(const PolicyUse& use, std::string message, const WatchdogPolicy& better, LintSink& sink) {
  LintFinding& found = sink.add(*use.device, place_of(*use.device, *use.policy, {"watchdog", "pfc"}), std::move(message));
  found.ports = use.names();
  found.repairs.push_back({found.ports, SetWatchdog{better}});
}

/// Manuals of OS10 and AOS-CX that were looked at (docs/lint.md) have no statement for it: whether it runs, is not known.
bool may_have_watchdog(const Device& device) { return device.dialect != Dialect::os10 && device.dialect != Dialect::aoscx; }

void watchdog_off(const LintView& view, LintSink& sink) {
  each_watchdog(view, [&](const PolicyUse& use, const WatchdogPolicy& w) {
    if (!w.enabled && may_have_watchdog(*use.device) && tells_of(*use.device, "watchdog"))
      add_watchdog(use, "PFC is on without a watchdog", usual_watchdog(), sink);
  });
}

void watchdog_lets_through(const LintView& view, LintSink& sink) {
  each_watchdog(view, [&](const PolicyUse& use, const WatchdogPolicy& w) {
    if (!w.enabled || w.action == StormAction::drop) return;
    WatchdogPolicy better = w;
    better.action = StormAction::drop;
    add_watchdog(use, fmt::format("the watchdog's action is {}: it does not break a storm", name_of(w.action)), better, sink);
  });
}

void detection_below_poll(const LintView& view, LintSink& sink) {
  each_watchdog(view, [&](const PolicyUse& use, const WatchdogPolicy& w) {
    if (!w.enabled || !w.poll) return;
    const auto below = [&](const std::optional<Picoseconds>& time) { return time && *time < *w.poll; };
    if (!below(w.detection) && !below(w.restoration)) return;
    WatchdogPolicy better = w;
    for (auto* time : {&better.detection, &better.restoration})
      if (below(*time)) *time = w.poll;
    add_watchdog(
        use,
        fmt::format("{} {} of the watchdog is below its poll interval {}", below(w.detection) ? "detection" : "restoration",
                    format(below(w.detection) ? *w.detection : *w.restoration), format(*w.poll)),
        better, sink);
  });
}

void detection_short(const LintView& view, LintSink& sink) {
  each_watchdog(view, [&](const PolicyUse& use, const WatchdogPolicy& w) {
    if (!w.enabled || !w.detection || *w.detection >= 20 * kMillisecond) return;
    add_watchdog(use, fmt::format("the watchdog takes {} of pause for a storm", format(*w.detection)), usual_watchdog(), sink);
  });
}

void detection_long(const LintView& view, LintSink& sink) {
  each_watchdog(view, [&](const PolicyUse& use, const WatchdogPolicy& w) {
    if (!w.enabled || !w.detection || *w.detection <= 1000 * kMillisecond) return;
    WatchdogPolicy better = w;
    better.detection = std::max(usual_watchdog().detection.value(), w.poll.value_or(Picoseconds::zero()));
    add_watchdog(use, fmt::format("the watchdog waits {} until it takes a pause for a storm", format(*w.detection)), better,
                 sink);
  });
}

void lossless_unwatched(const LintView& view, LintSink& sink) {
  each_watchdog(view, [&](const PolicyUse& use, const WatchdogPolicy& w) {
    const std::uint8_t left = lossless_queues(*use.policy) & static_cast<std::uint8_t>(~use.policy->watched);
    if (!w.enabled || left == 0) return;
    sink.add(*use.device, place_of(*use.device, *use.policy, {"watched", "watchdog"}),
             fmt::format("the watchdog does not look after lossless queue {}", bits_text(left)))
        .ports = use.names();
  });
}

constexpr std::string_view kWatchdogSource = "SONiC, PFC watchdog (sonic-pfcwd.yang); Arista EOS, pause watchdog";

constexpr LintRule kWatchdogRules[] = {
    {"RY-LNT-060", Severity::warning, 77, "PFC without a watchdog",
     "One NIC that pauses forever stops its leaf, then the spine, then every job: a pause storm.", kWatchdogSource,
     "Start the watchdog with action drop on ports with PFC.", watchdog_off},
    {"RY-LNT-061", Severity::warning, 60, "A watchdog that lets a storm go on",
     "`forward` ignores the pause, which overflows the neighbour, and `alert` only counts.", kWatchdogSource,
     "Use action drop.", watchdog_lets_through},
    {"RY-LNT-062", Severity::error, 38, "Detection or restoration below the poll interval",
     "What is shorter than one poll cannot be measured; SONiC refuses it.", kWatchdogSource,
     "Raise the time, or poll more often.", detection_below_poll},
    {"RY-LNT-063", Severity::warning, 47, "Detection is very short",
     "Congestion pauses for milliseconds by itself. A watchdog that takes those for storms drops lossless packets.",
     kWatchdogSource, "Use 100 ms or more; 200 ms is usual.", detection_short},
    {"RY-LNT-064", Severity::warning, 36, "Detection is very long",
     "A storm stops the fabric for longer than the timeouts of jobs allow for.", kWatchdogSource, "Use 200 ms to 1 s.",
     detection_long},
    {"RY-LNT-065", Severity::warning, 59, "A lossless queue that no watchdog looks after", "A storm on it is never broken.",
     kWatchdogSource, "Let the watchdog look after every lossless queue.", lossless_unwatched},
};

}  // namespace

std::span<const LintRule> watchdog_rules() { return kWatchdogRules; }

}  // namespace railyard
