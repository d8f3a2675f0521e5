#include "engine/flow/ledger.h"

#include <algorithm>
#include <utility>

namespace railyard {

namespace {

constexpr std::size_t kFewFlows = kMostFollowedFlows;  // that are followed one by one

double share(std::uint64_t fraction) { return static_cast<double>(fraction) / static_cast<double>(kWholeFraction); }

}  // namespace

FlowLedger::FlowLedger(const Fabric& fabric, const FlowLinks& links, const FlowTable& flows, Telemetry& telemetry)
    : fabric_(fabric), links_(links), flows_(flows), telemetry_(telemetry), carried_(links.size(), 0) {
  if (links.are_ports()) telemetry_.count_ports(fabric.port_from.size());
  telemetry_.tier_rate = Timeline(kTiers);
  if (telemetry.keeps_flow_series) telemetry_.flow_series.emplace();
}

void FlowLedger::set_path(FlowId flow, const LinkFractions& path) {
  OnTier on_tier{};
  for (std::size_t i = 0; i < path.links().size(); i++)
    if (path.links()[i] != links_.nowhere())
      on_tier[static_cast<std::size_t>(fabric_.trunk_tier[links_.trunk_of(path.links()[i])])] +=
          static_cast<float>(share(path.fractions()[i]));
  if (kind_.size() <= flow.index()) kind_.resize(flow.index() + 1);
  kind_[flow.index()] = kind_of(on_tier);
}

/// One of the last few that were seen, or a new one.
std::uint32_t FlowLedger::kind_of(const OnTier& on_tier) {
  constexpr std::size_t kLately = 8;
  for (std::size_t i = kinds_.size(); i > 0 && i + kLately > kinds_.size(); i--)
    if (kinds_[i - 1] == on_tier) return static_cast<std::uint32_t>(i - 1);
  kinds_.push_back(on_tier);
  return static_cast<std::uint32_t>(kinds_.size() - 1);
}

void FlowLedger::follow_singles() {
  if (kind_.size() > kFewFlows) return;
  if (singles_.rows() == 0) followed_first_ = kind_.size();
  if (singles_.rows() == 0 || telemetry_.flow_series) singles_.grow(kind_.size());
}

void FlowLedger::leave_paths() {
  if (singles_.used() == 0) return;
  has_moved_ = true;
  if (telemetry_.flow_series) keep_spell();
}

/// What single flows have sent on today's paths goes to the telemetry, as long as it is all they sent, and little.
void FlowLedger::keep_spell() {
  followed_flows_ += kind_.size();
  if (singles_.rows() < kind_.size() || followed_flows_ > kMostFollowedFlows) return telemetry_.flow_series.reset();
  if (singles_.used() == 0) return;
  FlowSeries& spells = *telemetry_.flow_series;
  FlowSpell spell = spell_of(singles_, spells.empty() ? Picoseconds::zero() : spells.back().until, last_end_);
  add_links(spell);
  followed_links_ += spell.link.size();
  if (followed_links_ > kMostFollowedLinks) return telemetry_.flow_series.reset();
  spells.push_back(std::move(spell));
  singles_ = Timeline(kind_.size());
}

void FlowLedger::add_links(FlowSpell& spell) const {
  bool whole = true;
  for (std::uint32_t f = 0; f < kind_.size() && followed_links_ + spell.link.size() <= kMostFollowedLinks; f++) {
    const auto links = flows_.links(FlowId(f));
    for (std::size_t i = 0; i < links.size(); i++) {
      if (links[i] == links_.nowhere()) continue;
      spell.link.push_back(links[i]);
      spell.share.push_back(share(flows_.fraction(FlowId(f), i)));
      whole &= flows_.fraction(FlowId(f), i) == kWholeFraction;
    }
    spell.first.push_back(spell.link.size());
  }
  if (whole) spell.share = {};
}

void FlowLedger::add_rate(FlowId flow, Picoseconds begin, Picoseconds end, std::int64_t rate) {
  const double bits = static_cast<double>(rate) / kRateUnitsPerBit;
  last_end_ = std::max(last_end_, end);
  if (kind_.size() > kFewFlows) return add_pending(kind_[flow.index()], begin, end, bits);
  add_rate_of_kind(kind_[flow.index()], begin, end, bits);
  if (flow.index() < singles_.rows()) singles_.add(flow.index(), begin, end, bits);
}

void FlowLedger::add_rate_of_kind(std::uint32_t kind, Picoseconds begin, Picoseconds end, double bits) {
  const OnTier& on_tier = kinds_[kind];
  for (std::size_t tier = 0; tier < kTiers; tier++)
    if (on_tier[tier] > 0) telemetry_.tier_rate.add(tier, begin, end, bits * static_cast<double>(on_tier[tier]));
}

/// Where rates of many flows change at once, most of them have run since the same time.
void FlowLedger::add_pending(std::uint32_t kind, Picoseconds begin, Picoseconds end, double bits) {
  if (begin != pending_.begin || end != pending_.end) flush();
  pending_.begin = begin, pending_.end = end;
  pending_.bits.resize(kinds_.size(), 0);
  if (pending_.bits[kind] == 0) pending_.kinds.push_back(kind);
  pending_.bits[kind] += bits;
}

void FlowLedger::flush() {
  for (const std::uint32_t kind : pending_.kinds) {
    add_rate_of_kind(kind, pending_.begin, pending_.end, pending_.bits[kind]);
    pending_.bits[kind] = 0;
  }
  pending_.kinds.clear();
}

void FlowLedger::book(FlowId flow, Bytes wire) {
  if (wire == Bytes::zero()) return;
  const auto links = flows_.links(flow);
  Picoseconds longest;
  TrunkId slowest;
  for (std::size_t i = 0; i < links.size(); i++) {
    if (links[i] == links_.nowhere()) continue;
    const Bytes here(static_cast<std::int64_t>((Int128(wire.count()) * flows_.fraction(flow, i)) >> 32));
    carried_[links[i]] += here.count();
    const BitsPerSecond rate = links_.rate_of(links[i]);
    if (rate == BitsPerSecond::zero()) continue;
    const Picoseconds time = transmit_time(here, rate);
    if (time > longest) longest = time, slowest = links_.trunk_of(links[i]);
  }
  if (slowest.valid()) telemetry_.trunk_path_time[slowest] = std::max(telemetry_.trunk_path_time[slowest], longest);
}

void FlowLedger::finish() {
  flush();
  for (std::uint32_t link = 0; link < links_.nowhere(); link++) {
    telemetry_.trunk_carried[links_.trunk_of(link)] += Bytes(carried_[link]);
    if (links_.are_ports()) telemetry_.port_carried[PortId(link)] += Bytes(carried_[link]);
  }
  find_busiest();
  if (telemetry_.flow_series) keep_spell();
  telemetry_.solving.flows = kind_.size();
}

/// Of every tier the link that carried most, and when.
void FlowLedger::find_busiest() {
  std::array<std::uint32_t, kTiers> link;
  link.fill(links_.nowhere());
  for (std::uint32_t l = 0; l < links_.nowhere(); l++) {
    std::uint32_t& most = link[static_cast<std::size_t>(fabric_.trunk_tier[links_.trunk_of(l)])];
    if (carried_[l] > carried_[most]) most = l;
  }
  for (std::size_t tier = 0; tier < kTiers; tier++)
    if (link[tier] != links_.nowhere())
      telemetry_.busiest.push_back({tier, link[tier], !links_.are_ports(), links_.rate_of(link[tier]),
                                    Bytes(carried_[link[tier]]), over_time(link[tier])});
}

std::vector<double> FlowLedger::over_time(std::uint32_t wanted) const {
  std::vector<double> bits;
  if (has_moved_ || followed_first_ < kind_.size() || singles_.width() != telemetry_.tier_rate.width()) return bits;
  bits.assign(telemetry_.tier_rate.used(), 0);
  for (std::uint32_t s = 0; s < kind_.size(); s++) {
    const auto links = flows_.links(FlowId(s));
    for (std::size_t i = 0; i < links.size(); i++) {
      if (links[i] != wanted) continue;
      const std::vector<double> row = singles_.row(s);
      for (std::size_t bin = 0; bin < row.size(); bin++) bits[bin] += row[bin] * share(flows_.fraction(FlowId(s), i));
    }
  }
  return bits;
}

}  // namespace railyard
