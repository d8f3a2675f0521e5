#include "plan/qos_plan.h"

#include <algorithm>

namespace railyard {

namespace {

EcnPlan ecn_of(const QueuePolicy& queue, const PacketPlan& plan, const ThresholdBase& base) {
  EcnPlan ecn{.enabled = false, .pmax = 0, .read = plan.ecn.read};
  if (!queue.ecn || !queue.ecn->marks || !plan.ecn.read) return ecn;
  ecn.enabled = true;
  ecn.kmin = bytes_of(queue.ecn->kmin, base);
  ecn.kmax = std::max(ecn.kmin, bytes_of(queue.ecn->kmax, base));
  ecn.pmax = queue.ecn->pmax;
  return ecn;
}

/// Thresholds of a group; what a lossy one may hold is what its queue may.
GroupQos group_of(const GroupPolicy& policy, const QueuePolicy& queue, bool is_lossless, const PacketPlan& plan) {
  const BufferPlan& buffer = plan.buffer;
  GroupQos group{.reserve = policy.reserve.value_or(buffer.reserve),
                 .alpha = policy.alpha.value_or(buffer.alpha),
                 .xoff = policy.xoff,
                 .xon = {},
                 .xon_offset = policy.xon_offset.value_or(buffer.xon_offset),
                 .headroom = policy.headroom ? policy.headroom : buffer.headroom};
  const bool by_queue = !is_lossless && !policy.alpha && !policy.xoff;
  if (by_queue && queue.alpha) group.alpha = *queue.alpha;
  if (by_queue && queue.limit) group.xoff = queue.limit;
  const bool is_said = policy.alpha || policy.xoff || (by_queue && (queue.alpha || queue.limit));
  if (!is_said) group.xoff = buffer.xoff, group.xon = buffer.xon;
  if (policy.xon) group.xon = policy.xon;
  if (group.xoff && !group.xon) group.xon = std::max(Bytes::zero(), *group.xoff - group.xon_offset);
  if (!group.xoff) group.xon.reset();
  return group;
}

WatchdogQos watchdog_of(const QosPolicy& policy, const PfcPlan& plan) {
  const WatchdogPolicy& watchdog = policy.watchdog;
  if (!watchdog.enabled || watchdog.action == StormAction::alert || policy.pfc == 0) return {};
  return {.enabled = true,
          .forwards = watchdog.action == StormAction::forward,
          .detection = watchdog.detection.value_or(plan.detection),
          .restoration = watchdog.restoration.value_or(plan.restoration),
          .poll = watchdog.poll.value_or(plan.poll)};
}

/// Headroom is set aside for every lossless priority, whether a class has it or not.
std::vector<std::optional<Bytes>> idle_headroom_of(const QosPolicy& policy, const DeviceQos& device, const PacketPlan& plan) {
  std::vector<std::optional<Bytes>> idle;
  for (std::uint8_t priority = 0; priority < kPriorities; priority++) {
    const bool used = std::any_of(device.classes.begin(), device.classes.end(),
                                  [&](const ClassQos& c) { return c.used && c.priority == priority; });
    if (!policy.has_pfc(priority) || used) continue;
    const auto group = std::find(policy.priority_of_group.begin(), policy.priority_of_group.end(), priority);
    const std::optional<Bytes> given =
        group == policy.priority_of_group.end()
            ? std::nullopt
            : policy.groups[static_cast<std::size_t>(group - policy.priority_of_group.begin())].headroom;
    idle.push_back(given ? given : plan.buffer.headroom);
  }
  return idle;
}

/// What only one class uses of a device may have a place of its own; what is shared is counted with the rest.
void count_control(DeviceQos& device, const PacketPlan& plan) {
  ClassQos& control = device.classes[kControlClass];
  const bool shares = std::any_of(device.classes.begin() + 1, device.classes.end(), [&](const ClassQos& other) {
    return other.used && (other.queue == control.queue || other.group == control.group);
  });
  control.counted = shares || control.priority || plan.classes[kControlClass].counted;
}

}  // namespace

QosPolicy default_policy(const PacketPlan& plan, std::uint8_t lossless) {
  QosPolicy policy;
  policy.class_of_dscp = classes_by_eight();
  policy.pfc = lossless;
  for (QueuePolicy& queue : policy.queues) queue.weight = plan.classes[kDataClass].weight;
  for (std::size_t c = kClasses; c-- > 0;) {  // what shares a queue has the weight of the first class
    const ClassPlan& row = plan.classes[c];
    policy.queues[row.priority].strict = row.strict;
    policy.queues[row.priority].weight = row.weight;
  }
  for (QueuePolicy& queue : policy.queues)
    if (plan.ecn.enabled)
      queue.ecn = EcnPolicy{.kmin = {ThresholdUnit::bytes, static_cast<double>(plan.ecn.kmin.count())},
                            .kmax = {ThresholdUnit::bytes, static_cast<double>(plan.ecn.kmax.count())},
                            .pmax = plan.ecn.pmax};
  policy.watchdog = {.enabled = plan.pfc.watchdog,
                     .detection = plan.pfc.detection,
                     .restoration = plan.pfc.restoration,
                     .poll = plan.pfc.poll,
                     .action = plan.pfc.watchdog_forwards ? StormAction::forward : StormAction::drop};
  return policy;
}

DeviceQos device_qos(const QosPolicy& policy, const TrafficMarks& marks, const PacketPlan& plan, const ThresholdBase& base) {
  DeviceQos device;
  device.pfc = policy.pfc;
  for (std::size_t priority = 0; priority < kPriorities; priority++)
    device.queue_of_priority[priority] = policy.has_pfc(priority) ? policy.queue_of_priority[priority] : 0;
  for (std::size_t c = 0; c < kClasses; c++) {
    ClassQos& row = device.classes[c];
    row.used = marks[c].has_value();
    row.counted = row.used;
    if (!row.used) continue;
    const std::uint8_t traffic_class = policy.class_of(*marks[c], 0);
    row.queue = policy.queue_of_class[traffic_class];
    row.group = policy.group_of_class[traffic_class];
    row.priority = policy.pausing_priority(traffic_class);
    const QueuePolicy& queue = policy.queues[row.queue];
    device.queues[row.queue] = {.strict = queue.strict, .weight = std::max(1U, queue.weight), .ecn = ecn_of(queue, plan, base)};
    device.groups[row.group] = group_of(policy.groups[row.group], queue, row.priority.has_value(), plan);
  }
  count_control(device, plan);
  device.idle_headroom = idle_headroom_of(policy, device, plan);
  device.watchdog = watchdog_of(policy, plan.pfc);
  return device;
}

}  // namespace railyard
