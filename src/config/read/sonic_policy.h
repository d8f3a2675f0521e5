// What the QoS tables of SONiC say of one port, as a policy.
#pragma once

#include <array>
#include <string>

#include "config/read/sonic_tables.h"
#include "config/read/switch_device.h"
#include "qos/policy.h"

namespace railyard::sonic {

/// The rows that are about one port; those that are not there are null.
struct PortStatements {
  const Entry* qos_map = nullptr;   // PORT_QOS_MAP
  const Entry* watchdog = nullptr;  // PFC_WD
  std::array<const Entry*, kPriorities> queue = {}, group = {}, queue_buffer = {};
};

/// Equal for two ports if their rows say the same.
std::string signature_of(const PortStatements& port);

/// What a port does about which nothing is said: every packet has class 0, queue 0 and group 0.
/// Source: SAI, saiport.h, SAI_PORT_ATTR_QOS_*_MAP ("Default no map, i.e. all packets to queue 0").
QosPolicy unmapped_policy();

/// `base` with everything that the rows say. References to what is not in `tables` are noted as unread.
QosPolicy policy_of(QosPolicy base, const PortStatements& port, const Tables& tables, UnreadNotes& unread);

/// Marking of one WRED_PROFILE; none if it neither marks nor drops what has no colour yet (that is green).
std::optional<EcnPolicy> ecn_of(const Entry& profile);

/// The buffer of a priority group by a BUFFER_PROFILE.
GroupPolicy group_of(const Entry& profile);

/// 2 to the power of `dynamic_th`. Source: SONiC, buffer configuration: alpha = 2^dynamic_th.
double alpha_of(std::int64_t dynamic_th);

}  // namespace railyard::sonic
