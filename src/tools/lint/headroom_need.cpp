#include "tools/lint/headroom_need.h"

#include <algorithm>

#include "plan/headroom.h"

namespace railyard {

namespace {

PacketPlan plan_for(std::optional<Bytes> mtu) {
  constexpr Bytes kEthernet = 38_B;  // header, FCS, preamble and gap
  PacketPlan plan;
  if (!mtu) return plan;
  plan.headroom.port_mtu = *mtu + kEthernet;
  plan.headroom.packet = std::min(plan.headroom.packet, plan.headroom.port_mtu);
  return plan;
}

}  // namespace

Bytes needed_headroom(BitsPerSecond speed, std::optional<Millimetres> cable, std::optional<Bytes> mtu) {
  return headroom_at_least(plan_for(mtu), speed, propagation_time(cable.value_or(Millimetres::zero())));
}

Bytes advised_headroom(BitsPerSecond speed, std::optional<Millimetres> cable, std::optional<Bytes> mtu) {
  return headroom_of(plan_for(mtu), speed, propagation_time(cable.value_or(Millimetres::zero())));
}

Bytes kept_headroom(const PolicyUse& use, std::uint8_t priority) {
  const auto& of = use.policy->priority_of_group;
  const auto group = std::find(of.begin(), of.end(), priority);
  if (group == of.end()) return {};
  const std::optional<Bytes>& said = use.policy->groups[static_cast<std::size_t>(group - of.begin())].headroom;
  Bytes all;
  for (const PortConfig* port : use.ports)
    all += said                                      ? *said
           : port->speed && port->speed->count() > 0 ? needed_headroom(*port->speed, port->cable, port->mtu)
                                                     : Bytes::zero();
  return all;
}

}  // namespace railyard
