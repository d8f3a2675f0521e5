#include "config/write/nic_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/nicctl_dcqcn.h"

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

std::string mlnx_dcqcn(std::string_view netdev, std::string_view name, std::int64_t value) {
  constexpr std::int64_t kBytesOfByteReset = 1000;  // docs/models.md, DCQCN
  const bool is_np = name == "min_time_between_cnps";
  return fmt::format("echo {} > /sys/class/net/{}/ecn/{}/{}", name == "rpg_byte_reset" ? value / kBytesOfByteReset : value,
                     netdev, is_np ? "roce_np" : "roce_rp", name);
}

std::string nicctl_dcqcn(std::string_view nic, std::string_view name, std::int64_t value) {
  for (const NicctlDcqcn& one : kNicctlDcqcn)
    if (one.name == name && one.is_switch)
      return fmt::format("nicctl update dcqcn -r {} -i 1 {} {}", nic, one.option, value != 0 ? "enable" : "disable");
    else if (one.name == name)
      return fmt::format("nicctl update dcqcn -r {} -i 1 {} {}", nic, one.option, value);
  return {};
}

}  // namespace railyard
