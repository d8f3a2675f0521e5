// Feeds a tap: frames that workers saw in an interval, put in the order of time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/packet/network.h"
#include "telemetry/packet_tap.h"

namespace railyard::packet {

/// Workers note what their nodes sent, each in a list of its own; between intervals one thread hands it on. Frames that begin
/// later than the interval wait for theirs: a pause frame is sent when the wire is free.
class TapFeed {
 public:
  using Notes = std::vector<Sighting>;

  TapFeed(const Network& network, PacketTap& tap, const PacketPlan& plan);

  [[nodiscard]] bool wants(std::uint32_t port) const { return wanted_[port] != 0; }

  /// Adds what a port has put into its ring from place `first` on. REQUIRES: the thread that ran its node, in the same phase.
  void note_sent(const Port& port, std::uint32_t index, std::uint32_t first, Notes& notes) const;

  /// Adds a pause frame, or one that ends a pause, that takes effect at `port` at an instant: it left at the far end.
  void note_frame(std::uint32_t port, std::uint8_t name, bool xoff, Time at, Notes& notes) const;

  /// Takes what was noted, and tells the tap of all that begins before `end`. REQUIRES: nobody else runs.
  void take(Notes& notes);
  void tell(Time end);

 private:
  const Network& network_;
  PacketTap& tap_;
  std::vector<char> wanted_;              // by port
  std::uint8_t priority_[kClasses] = {};  // by class
  Notes waiting_;
};

}  // namespace railyard::packet
