// What a message weighs on the wire.
#pragma once

#include <algorithm>

#include "base/units.h"

namespace railyard {

/// How a transport cuts messages into packets. Sizes are whole wire sizes: preamble and inter-packet gap count as header.
struct WireFormat {
  Bytes mtu = 4096_B;    // payload per packet
  Bytes header;          // per packet
  Bytes message_header;  // once per message, in its first packet

  friend bool operator==(const WireFormat&, const WireFormat&) = default;

  /// A message of `payload` as the wire sees it; an empty one is still a packet.
  [[nodiscard]] constexpr Bytes wire_size(Bytes payload) const {
    const std::int64_t packets = std::max<std::int64_t>(1, (payload.count() + mtu.count() - 1) / mtu.count());
    return payload + message_header + header * packets;
  }
  /// The same if it is cut into so many equal parts, each a message of its own.
  [[nodiscard]] constexpr Bytes wire_size(Bytes payload, std::uint32_t qps) const {
    if (qps == 1 || payload == Bytes::zero()) return wire_size(payload);
    const Bytes per_qp = share_of(payload, qps), rest(payload.count() % per_qp.count());
    return wire_size(per_qp) * (payload.count() / per_qp.count()) + (rest == Bytes::zero() ? rest : wire_size(rest));
  }
  [[nodiscard]] static constexpr Bytes share_of(Bytes payload, std::uint32_t qps) {
    return Bytes((payload.count() + qps - 1) / qps);
  }
  /// The largest packet of such a message, its first: what a store-and-forward switch adds to the way.
  [[nodiscard]] constexpr Bytes packet_size(Bytes payload) const { return std::min(payload, mtu) + header + message_header; }
};

}  // namespace railyard
