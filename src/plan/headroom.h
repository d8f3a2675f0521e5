// Buffer for what still arrives after a pause was sent, and how fast a port obeys one (docs/models.md, headroom).
#pragma once

#include "base/units.h"
#include "plan/packet_plan.h"

namespace railyard {

/// From the arrival of a pause until a port of `rate` obeys: as given, else by the pause quanta that SONiC's headroom
/// calculation has for every speed. Between two speeds quanta are interpolated; above the fastest the time stays.
/// REQUIRES: rate > 0.
[[nodiscard]] Picoseconds pause_response(const PacketPlan& plan, BitsPerSecond rate);

/// What a port of `rate` needs per lossless class, `propagation` away from its neighbour: as given, else the larger of what the
/// formula for the chip sets aside and of what a pause of our own making takes. With that much, nothing is lost.
/// REQUIRES: rate > 0.
[[nodiscard]] Bytes headroom_of(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation);

/// What a device keeps for each of its links: the reserve of every group that is counted, and headroom for every lossless
/// priority, used or not. REQUIRES: rate > 0.
[[nodiscard]] Bytes kept_for_link(const DeviceQos& device, const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation);

/// What the formula says: SONiC's for Spectrum where the chip has cells of that kind, else the generic one.
[[nodiscard]] Bytes headroom_by_formula(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation);

/// What can arrive at most: during two ways over the cable, the pause frame and the response; one packet that the pause waits
/// for, one that the other end has begun, and the one that crossed the threshold.
[[nodiscard]] Bytes headroom_at_least(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation);

/// Buffer that a formula for Spectrum sets aside for one port and class, before anything else: SONiC calls it xon.
inline constexpr Bytes kSpectrumReserve = 19_KiB;

/// What SONiC's formula for Spectrum is made of, all in bytes on a link of one speed.
struct SpectrumTerms {
  double cable = 0;         // on its way in both directions
  double peer = 0;          // while the other end responds
  double tile = 0;          // in the chip's own tiles
  double port_mtu = 0;      // a frame of any class that the pause waits for
  double lossless_mtu = 0;  // a frame of the paused class
  double occupancy = 1;     // buffer that a byte of traffic takes, in whole cells
};

/// What MAC and PHY hold, in the same formula.
inline constexpr double kSpectrumMacAndPhy = 0.8 * 1024;

/// REQUIRES: the plan has cells, and rate > 0.
[[nodiscard]] SpectrumTerms spectrum_terms(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation);
[[nodiscard]] Bytes spectrum_headroom(const SpectrumTerms& terms);

}  // namespace railyard
