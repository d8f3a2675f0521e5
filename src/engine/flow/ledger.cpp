#include "engine/flow/ledger.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr std::size_t kFewStrands = 4096;  // that are followed one by one

double share(std::uint64_t part) { return static_cast<double>(part) / static_cast<double>(kWholePart); }

}  // namespace

FlowLedger::FlowLedger(const Fabric& fabric, const Lanes& lanes, const Strands& strands, Telemetry& telemetry)
    : fabric_(fabric), lanes_(lanes), strands_(strands), telemetry_(telemetry), carried_(lanes.size(), 0) {
  if (lanes.are_ports()) telemetry_.count_ports(fabric.port_from.size());
  telemetry_.tier_rate = Timeline(kTiers);
}

void FlowLedger::set_way(StrandId strand, const LaneSum& way) {
  if (on_tier_.size() <= strand.index()) on_tier_.resize(strand.index() + 1);
  on_tier_[strand.index()].fill(0);
  for (std::size_t i = 0; i < way.lanes().size(); i++)
    if (way.lanes()[i] != lanes_.nowhere())
      on_tier_[strand.index()][static_cast<std::size_t>(fabric_.trunk_tier[lanes_.trunk_of(way.lanes()[i])])] +=
          static_cast<float>(share(way.parts()[i]));
}

void FlowLedger::follow_singles() {
  if (on_tier_.size() <= kFewStrands && singles_.rows() == 0) singles_ = Timeline(on_tier_.size());
}

void FlowLedger::add_rate(StrandId strand, Picoseconds begin, Picoseconds end, std::int64_t rate) {
  const double bits = static_cast<double>(rate) / kRateUnitsPerBit;
  const auto& on_tier = on_tier_[strand.index()];
  for (std::size_t tier = 0; tier < kTiers; tier++)
    if (on_tier[tier] > 0) telemetry_.tier_rate.add(tier, begin, end, bits * static_cast<double>(on_tier[tier]));
  if (strand.index() < singles_.rows()) singles_.add(strand.index(), begin, end, bits);
}

void FlowLedger::book(StrandId strand, Bytes wire) {
  if (wire == Bytes::zero()) return;
  const auto lanes = strands_.lanes(strand);
  const auto parts = strands_.parts(strand);
  Picoseconds longest;
  TrunkId slowest;
  for (std::size_t i = 0; i < lanes.size(); i++) {
    if (lanes[i] == lanes_.nowhere()) continue;
    const Bytes here(static_cast<std::int64_t>((Int128(wire.count()) * parts[i]) >> 32));
    carried_[lanes[i]] += here.count();
    const BitsPerSecond rate = lanes_.rate_of(lanes[i]);
    if (rate == BitsPerSecond::zero()) continue;
    const Picoseconds time = transmit_time(here, rate);
    if (time > longest) longest = time, slowest = lanes_.trunk_of(lanes[i]);
  }
  if (slowest.valid()) telemetry_.trunk_path_time[slowest] = std::max(telemetry_.trunk_path_time[slowest], longest);
}

void FlowLedger::finish() {
  for (std::uint32_t lane = 0; lane < lanes_.nowhere(); lane++) {
    telemetry_.trunk_carried[lanes_.trunk_of(lane)] += Bytes(carried_[lane]);
    if (lanes_.are_ports()) telemetry_.port_carried[PortId(lane)] += Bytes(carried_[lane]);
  }
  find_busiest();
  telemetry_.solving.flows = on_tier_.size();
}

/// Of every tier the lane that carried most, and when.
void FlowLedger::find_busiest() {
  std::array<std::uint32_t, kTiers> lane;
  lane.fill(lanes_.nowhere());
  for (std::uint32_t l = 0; l < lanes_.nowhere(); l++) {
    std::uint32_t& most = lane[static_cast<std::size_t>(fabric_.trunk_tier[lanes_.trunk_of(l)])];
    if (carried_[l] > carried_[most]) most = l;
  }
  for (std::size_t tier = 0; tier < kTiers; tier++)
    if (lane[tier] != lanes_.nowhere())
      telemetry_.busiest.push_back({tier, lane[tier], !lanes_.are_ports(), lanes_.rate_of(lane[tier]),
                                    Bytes(carried_[lane[tier]]), over_time(lane[tier])});
}

std::vector<double> FlowLedger::over_time(std::uint32_t wanted) const {
  std::vector<double> bits;
  if (singles_.rows() < on_tier_.size() || singles_.width() != telemetry_.tier_rate.width()) return bits;
  bits.assign(telemetry_.tier_rate.used(), 0);
  for (std::uint32_t s = 0; s < on_tier_.size(); s++) {
    const auto lanes = strands_.lanes(StrandId(s));
    for (std::size_t i = 0; i < lanes.size(); i++) {
      if (lanes[i] != wanted) continue;
      const std::vector<double> row = singles_.row(s);
      for (std::size_t bin = 0; bin < row.size(); bin++) bits[bin] += row[bin] * share(strands_.parts(StrandId(s))[i]);
    }
  }
  return bits;
}

}  // namespace railyard
