// Rules on what gets which class, queue and priority group.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// A class that nobody is paused for, best effort's if it can be had.
std::optional<std::uint8_t> lossy_class(const QosPolicy& policy) {
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (!policy.pausing_priority(c)) return c;
  return std::nullopt;
}

/// Some DSCPs that must not be lossless.
void never_lossless(const LintView& view, std::initializer_list<std::uint8_t> dscps, std::string_view who, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    if (policy.trust != Trust::dscp && policy.trust != Trust::both) continue;
    std::vector<std::string> caught;
    std::vector<Repair> repairs;
    std::uint8_t first = 0;
    for (const std::uint8_t dscp : dscps) {
      if (!is_lossless(policy, dscp)) continue;
      if (caught.empty()) first = dscp;
      caught.push_back(std::to_string(dscp));
      if (const auto lossy = lossy_class(policy)) repairs.push_back({use.names(), MapDscp{dscp, *lossy}});
    }
    if (caught.empty()) continue;
    LintFinding& found = sink.add(*use.device, place_of(*use.device, policy, {fmt::format("dscp.{}", first)}),
                                  fmt::format("DSCP {} ({}) is in lossless class {}, queue {}", some_of(caught, 8), who,
                                              policy.class_of_dscp[first], policy.queue_of_class[policy.class_of_dscp[first]]));
    found.ports = use.names();
    found.repairs = std::move(repairs);
  }
}

void best_effort_lossless(const LintView& view, LintSink& sink) { never_lossless(view, {0}, "best effort", sink); }
void scavenger_lossless(const LintView& view, LintSink& sink) {
  never_lossless(view, {1, 8}, "lower effort, often storage and backups", sink);
}
void control_lossless(const LintView& view, LintSink& sink) { never_lossless(view, {48, 56}, "network control", sink); }

void many_dscps(const LintView& view, LintSink& sink) {
  constexpr int kEight = 8;  // the map by eights
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    if (policy.trust != Trust::dscp && policy.trust != Trust::both) continue;
    const std::uint8_t classes = lossless_classes(policy);
    for (std::uint8_t c = 0; c < kPriorities; c++) {
      const auto dscps = std::count(policy.class_of_dscp.begin(), policy.class_of_dscp.end(), c);
      if (!has_bit(classes, c) || dscps <= kEight) continue;
      const auto first = std::find(policy.class_of_dscp.begin(), policy.class_of_dscp.end(), c) - policy.class_of_dscp.begin();
      sink.add(*use.device, place_of(*use.device, policy, {fmt::format("dscp.{}", first), "trust"}),
               fmt::format("{} DSCPs are in lossless class {}", dscps, c))
          .ports = use.names();
    }
  }
}

void mixed_queue(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    const std::uint8_t reachable = reachable_classes(policy), lossless = lossless_classes(policy),
                       queues = lossless_queues(policy);
    for (std::uint8_t c = 0; c < kPriorities; c++) {
      const std::uint8_t queue = policy.queue_of_class[c];
      if (!has_bit(reachable, c) || has_bit(lossless, c) || !has_bit(queues, queue)) continue;
      sink.add(*use.device, place_of(*use.device, policy, {fmt::format("class.{}.queue", c)}),
               fmt::format("lossy class {} shares queue {} with a lossless class", c, queue))
          .ports = use.names();
    }
  }
}

void two_priorities_one_queue(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    const std::uint8_t lossless = lossless_classes(policy);
    std::array<std::uint8_t, kPriorities> by_queue = {};
    for (std::uint8_t c = 0; c < kPriorities; c++)
      if (has_bit(lossless, c))
        by_queue[policy.queue_of_class[c]] |= static_cast<std::uint8_t>(1U << *policy.pausing_priority(c));
    for (std::size_t q = 0; q < kPriorities; q++) {
      if (std::popcount(by_queue[q]) < 2) continue;
      sink.add(*use.device, place_of(*use.device, policy, {fmt::format("queue.{}", q)}),
               fmt::format("queue {} holds classes of PFC priorities {}: a pause of one stops all", q, bits_text(by_queue[q])))
          .ports = use.names();
    }
  }
}

constexpr LintRule kMapRules[] = {
    {"RY-LNT-030", Severity::warning, 74, "Best effort in the lossless class",
     "All unmarked traffic of hosts then pauses and is paused with RDMA; TCP fills lossless queues by design.",
     "RFC 2474 (default forwarding); NVIDIA Cumulus Linux, RoCE", "Map DSCP 0 to a lossy class.", best_effort_lossless},
    {"RY-LNT-031", Severity::warning, 50, "Lower-effort or storage marks in the lossless class",
     "Bulk transfers of storage and backups fill the buffer that RDMA needs, and pause its senders.",
     "RFC 8622 (lower effort); RFC 4594, CS1", "Map DSCP 1 and 8 to a lossy class.", scavenger_lossless},
    {"RY-LNT-032", Severity::warning, 64, "Network control in the lossless class",
     "BGP and CNPs wait behind paused data: sessions flap, and senders hear of congestion after it.",
     "RFC 4594, section 3.1 (CS6, CS7)", "Map DSCP 48 and 56 to a strict queue of their own.", control_lossless},
    {"RY-LNT-033", Severity::note, 20, "Many DSCPs in a lossless class",
     "The more marks lead to it, the sooner something else than RDMA does.", "NVIDIA Cumulus Linux, RoCE (DSCP 26 alone)",
     "Map the DSCPs in use alone.", many_dscps},
    {"RY-LNT-034", Severity::error, 66, "Lossy and lossless classes in one queue",
     "The pause stops both, and the lossy class fills a queue that nothing pauses its senders for.",
     "IEEE 802.1Q, 8.6.6 (queueing) and 36.1", "Give the lossless class a queue of its own.", mixed_queue},
    {"RY-LNT-035", Severity::warning, 46, "Two PFC priorities in one queue",
     "A pause for one priority stops traffic of the other.", "IEEE 802.1Q, 36.1", "One queue for each lossless priority.",
     two_priorities_one_queue},
};

}  // namespace

std::span<const LintRule> map_rules() { return kMapRules; }

}  // namespace railyard
