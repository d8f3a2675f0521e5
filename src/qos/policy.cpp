#include "qos/policy.h"

#include <tuple>

namespace railyard {

Bytes bytes_of(const Threshold& threshold, const ThresholdBase& base) {
  const auto whole = [](double bytes) { return Bytes(static_cast<std::int64_t>(bytes)); };
  switch (threshold.unit) {
    case ThresholdUnit::bytes:
      return whole(threshold.value);
    case ThresholdUnit::percent:
      return whole(threshold.value / 100 * static_cast<double>(base.queue.count()));
    case ThresholdUnit::cells:
      return whole(threshold.value * static_cast<double>(base.cell.count()));
    case ThresholdUnit::time:
      return bytes_in(from_seconds(threshold.value / 1e6), base.rate);
  }
  return {};
}

std::uint8_t QosPolicy::class_of(std::uint8_t dscp, std::uint8_t pcp) const {
  switch (trust) {
    case Trust::dscp:
    case Trust::both:
      return class_of_dscp[dscp % kDscps];
    case Trust::pcp:
      return class_of_pcp[pcp % kPriorities];
    case Trust::port:
      return 0;
  }
  return 0;
}

std::optional<std::uint8_t> QosPolicy::pausing_priority(std::uint8_t traffic_class) const {
  const std::uint8_t priority = priority_of_group[group_of_class[traffic_class % kPriorities]];
  if (!has_pfc(priority)) return std::nullopt;
  return priority;
}

bool same_effect(const QosPolicy& a, const QosPolicy& b) {
  const auto all = [](const QosPolicy& p) {
    return std::tie(p.trust, p.class_of_dscp, p.class_of_pcp, p.queue_of_class, p.group_of_class, p.priority_of_group,
                    p.queue_of_priority, p.pfc, p.pfc_mode, p.link_pause, p.queues, p.groups, p.watchdog, p.watched);
  };
  return all(a) == all(b);
}

std::array<std::uint8_t, kDscps> classes_by_eight() {
  std::array<std::uint8_t, kDscps> map = {};
  for (std::size_t dscp = 0; dscp < kDscps; dscp++) map[dscp] = static_cast<std::uint8_t>(dscp / kPriorities);
  return map;
}

}  // namespace railyard
