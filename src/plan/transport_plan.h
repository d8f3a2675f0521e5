// What a transport adds to every message, and what holds its senders back. What queues, switches and NICs are set to is in
// plan/packet_plan.h.
#pragma once

#include <optional>
#include <string>

#include "base/units.h"
#include "catalog/facts.h"
#include "plan/choices.h"

namespace railyard {

/// RoCEv2 over IPv4, RDMA WRITE: BTH 12 + iCRC 4 + UDP 8 + IPv4 20 + Ethernet 14 + FCS 4 + preamble and gap 20 per packet,
/// RETH 16 in the first packet of a message (docs/models.md, wire size).
inline constexpr Bytes kRoceHeader = 82_B;
inline constexpr Bytes kRoceMessageHeader = 16_B;

/// InfiniBand inside a subnet: LRH 8 + BTH 12 + ICRC 4 + VCRC 2 per packet; RETH as above.
inline constexpr Bytes kInfinibandHeader = 26_B;

/// TCP over IPv4: TCP 32 with time stamps + IPv4 20 + Ethernet 14 + FCS 4 + preamble and gap 20.
inline constexpr Bytes kTcpHeader = 90_B;

/// Ultra Ethernet over IPv4: SES 44 + PDS 12 + UDP 8 + IPv4 20 + Ethernet 14 + FCS 4 + preamble and gap 20.
inline constexpr Bytes kUecHeader = 122_B;

struct TransportPlan {
  TransportKind kind = TransportKind::roce;
  Bytes mtu = 4096_B;
  Bytes header = kRoceHeader, message_header = kRoceMessageHeader;  // framing of every packet, and of every message
  CongestionControl control = CongestionControl::dcqcn;
  std::optional<BitsPerSecond> qp_rate_limit;             // of DCQCN (rpg_max_rate); none: the port's rate
  std::optional<Bytes> window;                            // payload in flight per queue pair; none: no limit
  StrictPriority strict_priority = StrictPriority::none;  // of the collectives of a training step
  NicSplit nic_split = NicSplit::equal;                   // of what a node sends to the next
  std::string nic;                                        // of the catalog, where one is named
  std::optional<bool> any_order;                          // what that says of packets that arrive out of order
};

}  // namespace railyard
