#include "config/write/nic_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard {

bool mlnx_has_scheduling(const QosPolicy& policy) {
  return std::any_of(policy.queues.begin(), policy.queues.end(), [](const QueuePolicy& q) { return q.strict || q.weight > 0; });
}

std::string mlnx_scheduling(const QosPolicy& policy) {
  std::string kinds, shares;
  for (const QueuePolicy& queue : policy.queues) {
    const std::string_view comma = kinds.empty() ? "" : ",";
    kinds += fmt::format("{}{}", comma, queue.strict ? "strict" : queue.weight > 0 ? "ets" : "vendor");
    shares += fmt::format("{}{}", comma, queue.strict ? 0 : queue.weight);
  }
  return fmt::format("--tsa {} --tcbw {}", kinds, shares);
}

std::string mlnx_classes(const QosPolicy& policy) {
  std::string text;
  for (const std::uint8_t queue : policy.queue_of_class) text += fmt::format("{}{}", text.empty() ? "" : ",", queue);
  return text;
}

std::string mlnx_willing(std::string_view nic, bool willing) {
  return fmt::format("mlxconfig -y -d {} set DCBX_WILLING_P1={}", nic, willing ? 1 : 0);
}

std::string nicctl_scheduling(const QosPolicy& policy) {
  std::string priorities, weights, limits;
  for (std::size_t i = 0; i < kPriorities; i++) {
    const QueuePolicy& queue = policy.queues[i];
    if (!queue.strict && queue.weight == 0) continue;
    const std::string_view comma = priorities.empty() ? "" : ",";
    priorities += fmt::format("{}{}", comma, i);
    weights += fmt::format("{}{}", comma, queue.strict ? 0 : queue.weight);
    limits += fmt::format("{}{}", comma, queue.strict ? 10 : 0);  // a strict queue may take a tenth, as AMD has it
  }
  if (priorities.empty()) return {};
  return fmt::format("nicctl update qos scheduling --priority {} --dwrr {} --rate-limit {}", priorities, weights, limits);
}

}  // namespace railyard
