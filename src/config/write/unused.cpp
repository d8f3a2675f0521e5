#include "config/write/unused.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr std::array<std::uint8_t, kPriorities> kSamePriorities = {0, 1, 2, 3, 4, 5, 6, 7};

/// Classes of DSCPs where a port does not trust them; none where the dialect keeps that map all the same.
std::optional<std::array<std::uint8_t, kDscps>> untrusted_dscps(Dialect dialect) {
  std::array<std::uint8_t, kDscps> map = {};
  if (dialect == Dialect::eos || dialect == Dialect::nvue) return std::nullopt;
  if (dialect == Dialect::mlnx) return classes_by_eight();
  if (dialect == Dialect::junos) map[48] = map[56] = 7;  // network-control, by the classifier that Junos has of its own
  return map;
}

/// The same of PCPs.
std::optional<std::array<std::uint8_t, kPriorities>> untrusted_pcps(Dialect dialect) {
  switch (dialect) {
    case Dialect::sonic:
    case Dialect::nxos:
      return std::array<std::uint8_t, kPriorities>{};
    case Dialect::junos:  // fcoe, no-loss and network-control, by the classifier that Junos has of its own
      return std::array<std::uint8_t, kPriorities>{0, 0, 0, 3, 4, 0, 7, 7};
    case Dialect::mlnx:
    case Dialect::nicctl:
      return kSamePriorities;
    default:
      return std::nullopt;
  }
}

void forget_untrusted(QosPolicy& policy, Dialect dialect) {
  const bool by_dscp = policy.trust == Trust::dscp || policy.trust == Trust::both;
  const bool by_pcp = policy.trust == Trust::pcp || policy.trust == Trust::both;
  if (const auto dscps = untrusted_dscps(dialect); dscps && !by_dscp) policy.class_of_dscp = *dscps;
  if (const auto pcps = untrusted_pcps(dialect); pcps && !by_pcp) policy.class_of_pcp = *pcps;
}

/// Arista, "tx-queue priority": queues above a strict one are strict, too. That changes nothing where they are empty.
void raise_empty_queues(QosPolicy& policy) {
  bool is_above = false;
  for (std::uint8_t i = 0; i < kPriorities; i++) {
    QueuePolicy& queue = policy.queues[i];
    if (is_above && !queue.strict && !leads_to_queue(policy, i)) queue.strict = true;
    is_above = is_above || queue.strict;
  }
}

}  // namespace

bool leads_to_queue(const QosPolicy& policy, std::uint8_t queue) {
  const auto leads = [&](std::uint8_t c) { return policy.queue_of_class[c] == queue; };
  const bool by_dscp = policy.trust == Trust::dscp || policy.trust == Trust::both;
  const bool by_pcp = policy.trust == Trust::pcp || policy.trust == Trust::both;
  if (policy.trust == Trust::port && leads(0)) return true;
  return (by_dscp && std::any_of(policy.class_of_dscp.begin(), policy.class_of_dscp.end(), leads)) ||
         (by_pcp && std::any_of(policy.class_of_pcp.begin(), policy.class_of_pcp.end(), leads));
}

Device without_unused(Device device) {
  for (QosPolicy& policy : device.policies) {
    forget_untrusted(policy, device.dialect);
    if (!policy.watchdog.enabled) policy.watchdog = {};
    if (device.dialect == Dialect::eos) raise_empty_queues(policy);
  }
  return device;
}

}  // namespace railyard
