// Who looks at wires while packets run: what every frame was, port by port, for captures.
#pragma once

#include <cstdint>
#include <span>

#include "base/id.h"
#include "base/units.h"

namespace railyard {

enum class SightingKind : std::uint8_t { data, ack, nak, cnp, pause, resume };

/// One frame that a port put on its wire.
struct Sighting {
  Picoseconds at;                // its first bit leaves
  PortId port;                   // of the fabric
  std::uint32_t flow = 0;        // queue pair, as opened; none of a pause
  std::uint32_t number = 0;      // of data: its place in the flow; of an ACK or NAK: the next one expected
  std::uint16_t size = 0;        // on the wire
  std::uint8_t traffic_class{};  // of a pause or its end: the PFC priority
  std::uint8_t hops = 0;         // links crossed before
  SightingKind kind = SightingKind::data;
  bool marked = false;  // congestion was experienced; of an ACK: it says so
  bool asks = false;    // data that wants an ACK at once

  friend bool operator==(const Sighting&, const Sighting&) = default;
};

/// What the headers of a queue pair's data say.
struct QueuePairHeader {
  std::uint32_t source = 0, destination = 0;  // IPv4 addresses
  std::uint16_t source_port = 0;              // UDP
  std::uint32_t source_qp = 0, destination_qp = 0;
};

/// A message of a queue pair: packets `first` … `first + packets - 1`, each with `payload` bytes but the last.
struct TappedMessage {
  std::uint32_t first = 0, packets = 0, payload = 0, last_payload = 0;
};

/// Told by the packet engine, on the thread that runs it; what it is told does not depend on the number of threads.
class PacketTap {
 public:
  virtual ~PacketTap() = default;

  /// Whether frames that leave by a port are to be told. Asked once.
  [[nodiscard]] virtual bool wants(PortId port) const = 0;
  /// A queue pair, by number in the order of calls, from zero.
  virtual void opened(const QueuePairHeader& header) = 0;
  /// A message at the end of a queue pair, before any of its packets is seen.
  virtual void posted(std::uint32_t flow, const TappedMessage& message) = 0;
  /// Frames by time and port; none is earlier than those of the last call.
  virtual void saw(std::span<const Sighting> frames) = 0;
};

}  // namespace railyard
