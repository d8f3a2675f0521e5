// Rules on which queue is served when.
#include <fmt/format.h>

#include <algorithm>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

std::uint32_t sum_of_weights(const QosPolicy& policy) {
  std::uint32_t sum = 0;
  for (const QueuePolicy& queue : policy.queues) sum += queue.strict ? 0 : queue.weight;
  return sum;
}

void lossless_starved(const LintView& view, LintSink& sink) {
  constexpr double kLeast = 0.05;
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t queues = lossless_queues(*use.policy);
    const std::uint32_t sum = sum_of_weights(*use.policy);
    for (std::uint8_t q = 0; q < kPriorities; q++) {
      const QueuePolicy& queue = use.policy->queues[q];
      if (!has_bit(queues, q) || queue.strict || queue.weight == 0 || queue.weight >= kLeast * sum) continue;
      LintFinding& found = sink.add(
          *use.device, place_of(*use.device, *use.policy, {fmt::format("queue.{}.scheduler", q), fmt::format("queue.{}", q)}),
          fmt::format("lossless queue {} has weight {} of {}", q, queue.weight, sum));
      found.ports = use.names();
      found.repairs.push_back({found.ports, SetScheduling{q, false, std::max(1U, sum - queue.weight)}});
    }
  }
}

/// Whether weights are per cent in the device's language, and must make 100 (IEEE 802.1Qaz).
bool counts_in_percent(Dialect dialect) {
  return dialect == Dialect::os10 || dialect == Dialect::mlnx || dialect == Dialect::niccli || dialect == Dialect::nicctl ||
         dialect == Dialect::dcb;
}
bool is_limited_to_hundred(Dialect dialect) {
  return dialect == Dialect::nvue || dialect == Dialect::nxos || dialect == Dialect::junos || dialect == Dialect::eos;
}

void weights_not_hundred(const LintView& view, LintSink& sink) {
  for (const auto* uses : {&view.switches, &view.nics})
    for (const PolicyUse& use : *uses) {
      const std::uint32_t sum = sum_of_weights(*use.policy);
      const Dialect dialect = use.device->dialect;
      const bool is_odd =
          sum != 0 && ((counts_in_percent(dialect) && sum != 100) || (is_limited_to_hundred(dialect) && sum > 100));
      if (!is_odd) continue;
      std::vector<std::string> weights;
      for (std::size_t q = 0; q < kPriorities; q++)
        if (const QueuePolicy& queue = use.policy->queues[q]; !queue.strict && queue.weight != 0)
          weights.push_back(fmt::format("queue {}: {}", q, queue.weight));
      sink.add(*use.device, place_of(*use.device, *use.policy, {"queue.3.scheduler", "queue.3", "queue.0"}),
               fmt::format("weights make {} %, not 100 ({})", sum, some_of(weights, 8)))
          .ports = use.names();
    }
}

void data_queue_strict(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t queues = lossless_queues(*use.policy);
    for (std::uint8_t q = 0; q < kPriorities; q++) {
      if (!has_bit(queues, q) || !use.policy->queues[q].strict) continue;
      LintFinding& found = sink.add(
          *use.device, place_of(*use.device, *use.policy, {fmt::format("queue.{}.scheduler", q), fmt::format("queue.{}", q)}),
          fmt::format("lossless data queue {} is strict: it starves queues below it", q));
      found.ports = use.names();
      found.repairs.push_back({found.ports, SetScheduling{q, false, 50}});
    }
  }
}

void best_effort_strict(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    const std::uint8_t queue = policy.queue_of_class[policy.class_of(0, 0)];
    const bool has_others =
        std::any_of(policy.queues.begin(), policy.queues.end(), [](const QueuePolicy& q) { return !q.strict; });
    const std::uint8_t lossless = lossless_queues(policy);
    if (!policy.queues[queue].strict || has_bit(lossless, queue) || lossless == 0 || !has_others) continue;
    LintFinding& found = sink.add(
        *use.device, place_of(*use.device, policy, {fmt::format("queue.{}.scheduler", queue), fmt::format("queue.{}", queue)}),
        fmt::format("queue {} of best effort (DSCP 0) is strict: RDMA waits for it", queue));
    found.ports = use.names();
    found.repairs.push_back({found.ports, SetScheduling{queue, false, 50}});
  }
}

constexpr LintRule kSchedulingRules[] = {
    {"RY-LNT-050", Severity::warning, 54, "The lossless queue is starved",
     "With less than a twentieth of the weights, the queue stands whenever others send, and pauses spread from it.",
     "IEEE 802.1Q, 8.6.8 (ETS); NVIDIA Cumulus Linux, RoCE (50 %)", "Give the lossless queue half of the link or more.",
     lossless_starved},
    {"RY-LNT-051", Severity::warning, 32, "Weights do not make 100 %",
     "ETS shares are per cent of the link; devices refuse or scale others.", "IEEE 802.1Qaz (ETS bandwidth table sums to 100)",
     "Let the weights of all queues that are not strict make 100.", weights_not_hundred},
    {"RY-LNT-052", Severity::warning, 44, "A strict queue for data",
     "Data fills any link: everything below a strict data queue starves, control traffic too.",
     "Cisco NX-OS and NVIDIA RoCE designs: strict for CNPs, weights for data", "Serve data by weight.", data_queue_strict},
    {"RY-LNT-053", Severity::warning, 56, "A strict queue for best effort", "Whatever is not marked is served before RDMA.",
     "RFC 2474; IEEE 802.1Q, 8.6.8", "Serve best effort by weight.", best_effort_strict},
};

}  // namespace

std::span<const LintRule> scheduling_rules() { return kSchedulingRules; }

}  // namespace railyard
