#include "plan/headroom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace railyard {

namespace {

constexpr Bytes kQuantum = 64_B;         // 512 bit times
constexpr double kSmallest = 64;         // bytes of the smallest frame
constexpr std::int64_t kPadding = 1024;  // headroom is rounded up to it

struct SpeedRow {
  BitsPerSecond rate;
  std::int64_t quanta;
};

/// sonic-buildimage, buffer_headroom_mellanox.lua: quanta until a port of this speed obeys.
constexpr std::array<SpeedRow, 10> kPauseQuanta = {{{100_Mbps, 1},
                                                    {1_Gbps, 2},
                                                    {10_Gbps, 67},
                                                    {25_Gbps, 80},
                                                    {40_Gbps, 118},
                                                    {50_Gbps, 147},
                                                    {100_Gbps, 394},
                                                    {200_Gbps, 453},
                                                    {400_Gbps, 905},
                                                    {800_Gbps, 905}}};

/// Bytes that pass in the response of a port of `rate`, by the table.
Bytes response_by_table(BitsPerSecond rate) {
  if (rate <= kPauseQuanta.front().rate) return kQuantum * kPauseQuanta.front().quanta;
  const SpeedRow last = kPauseQuanta.back();
  if (rate >= last.rate) {  // as long as at the fastest speed
    const Int128 bytes = Int128(kQuantum.count() * last.quanta) * rate.count();
    return Bytes(static_cast<std::int64_t>((bytes + last.rate.count() - 1) / last.rate.count()));
  }
  const auto above =
      std::find_if(kPauseQuanta.begin(), kPauseQuanta.end(), [&](const SpeedRow& row) { return row.rate >= rate; });
  const SpeedRow below = *(above - 1);
  const Int128 step = Int128(above->rate.count()) - below.rate.count();
  const Int128 more = Int128(rate.count() - below.rate.count()) * (above->quanta - below.quanta) * kQuantum.count();
  return kQuantum * below.quanta + Bytes(static_cast<std::int64_t>((more + step - 1) / step));
}

/// Bytes that pass in `span`, rounded up.
Bytes passing_in(Picoseconds span, BitsPerSecond rate) {
  const Int128 bit_picoseconds = Int128(span.count()) * rate.count();
  const Int128 per_byte = Int128(8) * kPicosecondsPerSecond;
  return Bytes(static_cast<std::int64_t>((bit_picoseconds + per_byte - 1) / per_byte));
}

Bytes response_bytes(const PacketPlan& plan, BitsPerSecond rate) {
  return plan.pfc.response ? passing_in(*plan.pfc.response, rate) : response_by_table(rate);
}

/// Small frames fill a cell each: how much buffer traffic takes over its size, if `small` of all frames are the smallest. As
/// SONiC has it: the share of bytes in small frames is taken to be that of one such frame in a frame of mean size.
double occupancy(double cell, double small, double largest) {
  const double worst = std::ceil(cell > 2 * kSmallest ? cell / kSmallest : 2 * cell / (1 + cell));
  const double small_bytes = kSmallest / (small * kSmallest + (1 - small) * largest);
  return 1 - small_bytes + small_bytes * worst;
}

}  // namespace

Picoseconds pause_response(const PacketPlan& plan, BitsPerSecond rate) {
  return plan.pfc.response ? *plan.pfc.response : transmit_time(response_by_table(rate), rate);
}

Bytes spectrum_headroom(const SpectrumTerms& terms) {
  const double passing = terms.port_mtu + terms.cable + kSpectrumMacAndPhy + terms.peer + terms.tile;
  const double all = terms.lossless_mtu + passing * terms.occupancy;
  return Bytes(static_cast<std::int64_t>(std::ceil(all / kPadding)) * kPadding);
}

SpectrumTerms spectrum_terms(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation) {
  const HeadroomPlan& h = plan.headroom;
  const double bytes_per_picosecond = static_cast<double>(rate.count()) / (8.0 * kPicosecondsPerSecond);
  const double largest = static_cast<double>(h.packet.count());
  return {.cable = 2 * static_cast<double>(propagation.count()) * bytes_per_picosecond,
          .peer = static_cast<double>(response_bytes(plan, rate).count()),
          .tile = static_cast<double>(h.tile.count()) * bytes_per_picosecond,
          .port_mtu = static_cast<double>(h.port_mtu.count()),
          .lossless_mtu = largest,
          .occupancy = occupancy(static_cast<double>(h.cell.count()), h.small_packets, largest)};
}

Bytes headroom_by_formula(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation) {
  const HeadroomPlan& h = plan.headroom;
  if (h.cell != Bytes::zero()) return spectrum_headroom(spectrum_terms(plan, rate, propagation));
  return passing_in(propagation * 2, rate) + response_bytes(plan, rate) + h.port_mtu * 2 + plan.pfc.frame;
}

Bytes headroom_at_least(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation) {
  return passing_in(propagation * 2, rate) + response_bytes(plan, rate) + plan.pfc.frame + plan.headroom.packet * 3;
}

Bytes headroom_of(const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation) {
  if (plan.buffer.headroom) return *plan.buffer.headroom;
  return std::max(headroom_by_formula(plan, rate, propagation), headroom_at_least(plan, rate, propagation));
}

Bytes kept_for_link(const DeviceQos& device, const PacketPlan& plan, BitsPerSecond rate, Picoseconds propagation) {
  const Bytes computed = headroom_of(plan, rate, device.cable.value_or(propagation));
  Bytes kept;
  for (const std::optional<Bytes>& idle : device.idle_headroom) kept += idle.value_or(computed);
  std::array<bool, kPriorities> seen = {};
  for (const ClassQos& c : device.classes) {
    if (!c.used || !c.counted || std::exchange(seen[c.group], true)) continue;
    kept += device.groups[c.group].reserve;
    if (c.priority) kept += device.groups[c.group].headroom.value_or(computed);
  }
  return kept;
}

}  // namespace railyard
