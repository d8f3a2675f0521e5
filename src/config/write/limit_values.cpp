#include "config/write/limit_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/write/unused.h"
#include "config/write/words.h"

namespace railyard {

namespace {

constexpr std::int64_t kPicosecondsPerMillisecond = kPicosecondsPerSecond / 1000;

Diagnostic wrong_value(const Device& device, std::string_view field, std::string why) {
  return {Severity::error, "RY-CFG-011",
          fmt::format("{} in the language '{}': {} {}", device.name, name_of(device.dialect), field, why),
          "choose another value", SourceSpan{device.name, 0, 0}};
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
  if (ecn.kmin.unit != ecn.kmax.unit) wrong.push_back(wrong_value(device, "queues[].ecn", "has thresholds in two units"));
  if (std::abs(ecn.pmax * 100 - std::round(ecn.pmax * 100)) > 1e-9)
    wrong.push_back(wrong_value(device, "queues[].ecn.pmax", fmt::format("is {}, no whole per cent", ecn.pmax)));
}

void check_alpha(const Device& device, const std::optional<double>& alpha, std::string_view field, Diagnostics& wrong) {
  if (!alpha || (*alpha > 0 && std::log2(*alpha) == std::round(std::log2(*alpha)))) return;
  wrong.push_back(wrong_value(device, field, fmt::format("is {}, no power of two", *alpha)));
}

/// What a dialect counts a watchdog's times in. Sources: Cumulus Linux, NVUE reference, pfc-watchdog (100 to 5000 ms, 1 to 1000
/// polls); Cisco, "priority-flow-control watch-dog" and "auto-restore multiplier"; Juniper, "pfc-watchdog".
struct WatchdogRange {
  Dialect dialect;
  std::int64_t poll_least, poll_most;  // milliseconds
  std::int64_t most_polls;             // until a storm is one
};
constexpr WatchdogRange kWatchdogRanges[] = {
    {Dialect::nvue, 100, 5000, 1000}, {Dialect::nxos, 100, 1000, 100}, {Dialect::junos, 1, 1000, 1000}};

/// Polls are counted: what a storm takes is a whole number of them.
void check_polls(const Device& device, const WatchdogPolicy& dog, const WatchdogRange& range, Diagnostics& wrong) {
  if (!dog.poll) {
    if (dog.detection || dog.restoration) wrong.push_back(wrong_value(device, "watchdog.poll", "is not said, but a time is"));
    return;
  }
  const std::int64_t poll = milliseconds_in(*dog.poll);
  if (poll < range.poll_least || poll > range.poll_most) {
    wrong.push_back(
        wrong_value(device, "watchdog.poll", fmt::format("is {} ms, not {} to {}", poll, range.poll_least, range.poll_most)));
    return;
  }
  const auto is_whole = [&](const std::optional<Picoseconds>& time) {
    return !time || (time->count() % dog.poll->count() == 0 && *time / *dog.poll <= range.most_polls);
  };
  if (!is_whole(dog.detection) || dog.detection == Picoseconds::zero())
    wrong.push_back(
        wrong_value(device, "watchdog.detection", fmt::format("is no whole number of polls up to {}", range.most_polls)));
  if (device.dialect == Dialect::nxos && !is_whole(dog.restoration))
    wrong.push_back(
        wrong_value(device, "watchdog.restoration", fmt::format("is no whole number of polls up to {}", range.most_polls)));
}

void check_watchdog(const Device& device, const WatchdogPolicy& dog, Diagnostics& wrong) {
  if (!dog.enabled) return;
  for (const std::optional<Picoseconds>& time : {dog.poll, dog.detection, dog.restoration})
    if (time && time->count() % kPicosecondsPerMillisecond != 0)
      wrong.push_back(wrong_value(device, "watchdog", "has a time that is no whole number of milliseconds"));
  for (const WatchdogRange& range : kWatchdogRanges)
    if (range.dialect == device.dialect) check_polls(device, dog, range, wrong);
  if (device.dialect == Dialect::sonic && !dog.detection)
    wrong.push_back(wrong_value(device, "watchdog.detection", "is not said: without it the watchdog does not start"));
  const bool acts = device.dialect == Dialect::sonic || dog.action == StormAction::drop ||
                    (dog.action == StormAction::forward && device.dialect == Dialect::junos) ||
                    (dog.action == StormAction::alert && (device.dialect == Dialect::eos || device.dialect == Dialect::nxos));
  if (!acts) wrong.push_back(wrong_value(device, "watchdog.action", fmt::format("cannot be '{}' there", name_of(dog.action))));
}

/// Times that a device has once, for all ports.
void check_shared_watchdog(const Device& device, Diagnostics& wrong) {
  const WatchdogPolicy* first = nullptr;
  for (const QosPolicy& policy : device.policies) {
    const WatchdogPolicy& dog = policy.watchdog;
    if (!dog.enabled) continue;
    if (first == nullptr) first = &dog;
    const bool polls_alike = dog.poll == first->poll;
    const bool same = device.dialect == Dialect::sonic  ? polls_alike
                      : device.dialect == Dialect::nvue ? polls_alike && dog.detection == first->detection
                                                        : device.dialect != Dialect::junos || dog.action == first->action;
    if (!same) wrong.push_back(wrong_value(device, "watchdog", "differs between ports in what a device has once"));
  }
}

/// Weights are per cent, except with SONiC. Sources: Arista, "bandwidth percent"; Cisco, "bandwidth remaining percent";
/// Juniper, "transmit-rate"; mlnx_qos and nicctl take shares of ETS and DWRR that make 100 together.
void check_weights(const Device& device, const QosPolicy& policy, Diagnostics& wrong) {
  if (device.dialect == Dialect::sonic) return;
  std::uint64_t total = 0;
  for (const QueuePolicy& queue : policy.queues) {
    if (!queue.strict) total += queue.weight;
    if (queue.weight > 100) wrong.push_back(wrong_value(device, "queues[].weight", "is more than 100 per cent"));
  }
  const bool all = device.dialect == Dialect::mlnx || device.dialect == Dialect::nicctl;
  if (total > 100 || (all && total != 0 && total != 100))
    wrong.push_back(wrong_value(device, "queues[].weight", fmt::format("makes {} per cent together", total)));
}

/// What SONiC's tables cannot hold.
void check_sonic(const Device& device, Diagnostics& wrong) {
  if (device.hash.seed && sonic_type_of_seed(*device.hash.seed).empty())
    wrong.push_back(wrong_value(
        device, "hash.seed", fmt::format("is {}; seeds go by the type of the device: 0, 10, 25, 40 or 50", *device.hash.seed)));
  for (const QosPolicy& policy : device.policies) {
    if (values_of(policy.priority_of_group).size() != kPriorities)
      wrong.push_back(wrong_value(device, "priority_of_group", "gives one PFC priority to several groups"));
    for (const std::uint32_t queue : bits_of(policy.watched))
      if (policy.watched != 0xff && leading_to(policy.queue_of_priority, static_cast<std::uint8_t>(queue)).empty())
        wrong.push_back(wrong_value(device, "watched", fmt::format("has queue {}, which no pause stops", queue)));
    for (const GroupPolicy& group : policy.groups) {
      const bool is_lossless = group.headroom || group.xon;
      if (has_sizes(group) && is_lossless != group.has_buffer)
        wrong.push_back(wrong_value(device, "groups[].has_buffer", "goes by headroom and xon of the profile"));
      if (device.buffer.headroom_pool && group.reserve && group.headroom && *group.reserve >= *group.headroom)
        wrong.push_back(wrong_value(device, "groups[].reserve", "holds the headroom, which the pool has"));
    }
  }
}

/// Pools have 1 to 100 per cent of the memory, 100 together.
void check_nvue(const Device& device, Diagnostics& wrong) {
  const BufferConfig& buffer = device.buffer;
  const double lossless = buffer.lossless_percent.value_or(50), lossy = buffer.lossy_percent.value_or(100 - lossless);
  if (lossless < 1 || lossy < 1 || lossless + lossy > 100 || std::floor(lossless) != lossless || std::floor(lossy) != lossy)
    wrong.push_back(
        wrong_value(device, "buffer.lossless_percent and lossy_percent", "are whole numbers from 1, at most 100 together"));
}

void check_eos(const Device& device, Diagnostics& wrong) {
  for (const QosPolicy& policy : device.policies) {
    bool is_above = false;
    for (const QueuePolicy& queue : policy.queues) {
      if (is_above && !queue.strict)
        wrong.push_back(wrong_value(device, "queues[].strict", "makes all queues above strict, and not all of them are"));
      is_above = is_above || queue.strict;
    }
  }
}

void check_nxos(const Device& device, Diagnostics& wrong) {
  const HashConfig& hash = device.hash;
  const bool is_pair = hash.has("src-ip") && hash.has("dst-ip") && hash.has("src-port") == hash.has("dst-port");
  if (!hash.fields.empty() && !is_pair)
    wrong.push_back(wrong_value(device, "hash.fields", "are both addresses, with both ports or none"));
  for (const QosPolicy& policy : device.policies) {
    const bool by_dscp = policy.trust == Trust::dscp || policy.trust == Trust::both;
    const bool by_pcp = policy.trust == Trust::pcp || policy.trust == Trust::both;
    if ((by_dscp && values_of(policy.class_of_dscp) == std::vector<std::uint8_t>{0}) ||
        (by_pcp && values_of(policy.class_of_pcp) == std::vector<std::uint8_t>{0}))
      wrong.push_back(wrong_value(device, "trust", "is 'port' where all marks lead to class 0"));
  }
}

/// PFC goes by marks: where PCPs are trusted, a priority is the PCP of its own number.
void check_junos(const Device& device, Diagnostics& wrong) {
  for (const QosPolicy& policy : device.policies)
    for (const std::uint32_t p : bits_of(policy.pfc))
      if (policy.trust == Trust::pcp &&
          leading_to(policy.class_of_pcp, static_cast<std::uint8_t>(p)) != std::vector<std::uint32_t>{p})
        wrong.push_back(wrong_value(device, "pfc", fmt::format("of priority {} goes by PCP {} alone", p, p)));
}

/// NVIDIA: where the firmware speaks DCBX and is willing, the neighbour decides on PFC.
void check_mlnx(const Device& device, Diagnostics& wrong) {
  for (const NicConfig& nic : device.nics) {
    if (nic.policy >= device.policies.size()) continue;
    const bool takes = nic.dcbx_firmware.value_or(false) && nic.dcbx_willing.value_or(false);
    if (takes != (device.policies[nic.policy].pfc_mode == PfcMode::negotiated))
      wrong.push_back(
          wrong_value(device, "pfc_mode", "is 'negotiated' where dcbx_firmware and dcbx_willing are on, and only there"));
  }
}

}  // namespace

Diagnostics wrong_values(const Device& device) {
  Diagnostics wrong;
  for (const QosPolicy& policy : device.policies) {
    for (const QueuePolicy& queue : policy.queues) {
      if (queue.ecn) check_ecn(device, *queue.ecn, wrong);
      check_alpha(device, queue.alpha, "queues[].alpha", wrong);
    }
    for (const GroupPolicy& group : policy.groups) check_alpha(device, group.alpha, "groups[].alpha", wrong);
    check_watchdog(device, policy.watchdog, wrong);
    check_weights(device, policy, wrong);
  }
  check_shared_watchdog(device, wrong);
  if (device.dialect == Dialect::sonic) check_sonic(device, wrong);
  if (device.dialect == Dialect::nvue) check_nvue(device, wrong);
  if (device.dialect == Dialect::eos) check_eos(device, wrong);
  if (device.dialect == Dialect::nxos) check_nxos(device, wrong);
  if (device.dialect == Dialect::junos) check_junos(device, wrong);
  if (device.dialect == Dialect::mlnx) check_mlnx(device, wrong);
  if (device.kind == DeviceKind::network_switch && device.ports.empty() && !device.policies.empty())
    wrong.push_back(wrong_value(device, "ports", "are none that the policy could be given to"));
  return wrong;
}

}  // namespace railyard
