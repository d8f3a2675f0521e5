#include "config/write/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/write/limited_fields.h"
#include "config/write/words.h"

namespace railyard {

namespace {

std::string whose(const Device& device) { return fmt::format("{} in the language '{}'", device.name, name_of(device.dialect)); }

Diagnostic wrong_value(const Device& device, std::string_view field, std::string why) {
  return {Severity::error, "RY-CFG-011", fmt::format("{}: {} {}", whose(device), field, why), "choose another value",
          SourceSpan{device.name, 0, 0}};
}

/// Units that a dialect counts queues in.
bool has_unit(Dialect dialect, ThresholdUnit unit) {
  if (dialect == Dialect::junos) return unit == ThresholdUnit::percent;
  if (dialect == Dialect::eos) return unit != ThresholdUnit::percent;
  return unit == ThresholdUnit::bytes;
}

void check_ecn(const Device& device, const EcnPolicy& ecn, Diagnostics& wrong) {
  for (const Threshold& threshold : {ecn.kmin, ecn.kmax}) {
    if (!has_unit(device.dialect, threshold.unit))
      wrong.push_back(wrong_value(device, "queues[].ecn", "is not counted in a unit of that language"));
    else if (threshold.value != std::floor(threshold.value))
      wrong.push_back(
          wrong_value(device, "queues[].ecn", fmt::format("has a threshold of {}, no whole number", threshold.value)));
  }
  if (std::abs(ecn.pmax * 100 - std::round(ecn.pmax * 100)) > 1e-9)
    wrong.push_back(wrong_value(device, "queues[].ecn.pmax", fmt::format("is {}, no whole per cent", ecn.pmax)));
}

void check_alpha(const Device& device, const std::optional<double>& alpha, std::string_view field, Diagnostics& wrong) {
  if (!alpha || (*alpha > 0 && std::log2(*alpha) == std::round(std::log2(*alpha)))) return;
  wrong.push_back(wrong_value(device, field, fmt::format("is {}, no power of two", *alpha)));
}

/// Polls are counted: what a storm takes is a whole number of them.
void check_watchdog(const Device& device, const WatchdogPolicy& dog, Diagnostics& wrong) {
  if (!dog.enabled) return;
  const bool counts = device.dialect == Dialect::nvue || device.dialect == Dialect::nxos || device.dialect == Dialect::junos;
  const bool whole = dog.poll && dog.poll->count() > 0 && (!dog.detection || dog.detection->count() % dog.poll->count() == 0);
  if (counts && dog.detection && !whole)
    wrong.push_back(wrong_value(device, "watchdog.detection", "is no whole number of polls"));
  if (device.dialect == Dialect::nxos && dog.restoration && dog.poll && dog.restoration->count() % dog.poll->count() != 0)
    wrong.push_back(wrong_value(device, "watchdog.restoration", "is no whole number of polls"));
  const bool acts = device.dialect == Dialect::sonic || dog.action == StormAction::drop ||
                    (dog.action == StormAction::forward && device.dialect == Dialect::junos) ||
                    (dog.action == StormAction::alert && device.dialect == Dialect::eos);
  if (!acts) wrong.push_back(wrong_value(device, "watchdog.action", fmt::format("cannot be '{}' there", name_of(dog.action))));
}

/// What SONiC's tables cannot hold.
void check_sonic(const Device& device, Diagnostics& wrong) {
  if (device.dialect != Dialect::sonic) return;
  if (device.hash.seed && sonic_type_of_seed(*device.hash.seed).empty())
    wrong.push_back(wrong_value(
        device, "hash.seed", fmt::format("is {}; seeds go by the type of the device: 0, 10, 25, 40 or 50", *device.hash.seed)));
  for (const QosPolicy& policy : device.policies)
    if (values_of(policy.priority_of_group).size() != kPriorities)
      wrong.push_back(wrong_value(device, "priority_of_group", "gives one PFC priority to several groups"));
}

}  // namespace

Diagnostics unsayable(const Device& device) {
  Diagnostics wrong;
  for (const LimitedField& field : limited_fields())
    if (is_missing(field, device))
      wrong.push_back({Severity::error, "RY-CFG-010", fmt::format("{}: {} {}", whose(device), field.name, field.why),
                       field.clear ? "leave it to the device" : "change it, or write another language",
                       SourceSpan{device.name, 0, 0}});
  for (const QosPolicy& policy : device.policies) {
    for (const QueuePolicy& queue : policy.queues) {
      if (queue.ecn) check_ecn(device, *queue.ecn, wrong);
      check_alpha(device, queue.alpha, "queues[].alpha", wrong);
    }
    for (const GroupPolicy& group : policy.groups) check_alpha(device, group.alpha, "groups[].alpha", wrong);
    check_watchdog(device, policy.watchdog, wrong);
  }
  check_sonic(device, wrong);
  if (device.kind == DeviceKind::network_switch && device.ports.empty() && !device.policies.empty())
    wrong.push_back(wrong_value(device, "ports", "are none that the policy could be given to"));
  return wrong;
}

Device sayable(Device device, std::vector<std::string>& left_out) {
  for (const LimitedField& field : limited_fields()) {
    if (!field.clear || !is_missing(field, device)) continue;
    field.clear(device);
    left_out.push_back(fmt::format("{} {}", field.name, field.why));
  }
  std::vector<QosPolicy> kept;
  std::vector<std::uint32_t> now(device.policies.size());
  for (std::size_t i = 0; i < device.policies.size(); i++) {
    const auto same =
        std::find_if(kept.begin(), kept.end(), [&](const QosPolicy& p) { return same_effect(p, device.policies[i]); });
    now[i] = static_cast<std::uint32_t>(same - kept.begin());
    if (same == kept.end()) kept.push_back(device.policies[i]);
  }
  device.policies = std::move(kept);
  for (PortConfig& port : device.ports)
    if (port.policy < now.size()) port.policy = now[port.policy];
  for (NicConfig& nic : device.nics)
    if (nic.policy < now.size()) nic.policy = now[nic.policy];
  return device;
}

}  // namespace railyard
