// From what a device is configured to do, and how packets are marked, to what it does with each class of traffic.
#pragma once

#include "plan/packet_plan.h"
#include "qos/policy.h"

namespace railyard {

/// The policy that every device of a plan without [qos] has: a class of traffic has the traffic class, queue, priority group
/// and PFC priority of one number, that of ClassPlan. `lossless`: priorities that PFC is on for, as bits.
[[nodiscard]] QosPolicy default_policy(const PacketPlan& plan, std::uint8_t lossless);

/// What one device does with packets of these marks, which have no VLAN tag, so that their PCP is 0. What the policy does not
/// say is as the plan has it. `base`: what thresholds that are no bytes are counted in.
[[nodiscard]] DeviceQos device_qos(const QosPolicy& policy, const TrafficMarks& marks, const PacketPlan& plan,
                                   const ThresholdBase& base);

}  // namespace railyard
