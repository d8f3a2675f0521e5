// What transports do where a scenario does not say.
#pragma once

#include "scenario/read/spec.h"

namespace railyard {

struct TransportDefaults {
  CongestionControl control;
  std::uint32_t ack_every;
  Bytes ack;
  AckClass ack_class;
  std::uint32_t retries;
  Picoseconds timeout;
  bool pfc;                  // Ethernet that pauses senders
  bool credits;              // senders know what room there is
  bool trims;                // data is cut down to its headers where there is none
  bool any_order;            // packets may arrive in any, and are not taken for lost
  Origin acks, loss, bytes;  // where the numbers are from
};

const TransportDefaults& transport_defaults(TransportKind kind);

/// The congestion control in effect: as given, else DCQCN unless it is off, else the transport's own.
CongestionControl control_of(const TransportSpec& transport);

}  // namespace railyard
