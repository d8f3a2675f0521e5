#include "analysis/map_over_time.h"

#include <algorithm>
#include <cmath>

#include "sim/sent_bytes.h"

namespace railyard {

namespace {

constexpr std::size_t kFewestBins = 24, kMostMapBins = 96;
constexpr std::size_t kMostLoads = 10'000;  // of all links and bins together: a page has to carry them
constexpr double kRounding = 1e-3;          // share of capacity that loads may differ by from those of the map

constexpr const char* kClosedForm = "Closed forms do not say when links are busy.";
constexpr const char* kTooMany = "There are too many flows to follow single links over time.";
constexpr const char* kTooShort = "The run is too short to look at parts of it.";
constexpr const char* kInPart = "When links were busy is known of a part of the traffic alone.";

/// Amounts by row in bins that are as wide as each other, but for a picosecond.
class EvenBins {
 public:
  EvenBins(Picoseconds time, std::size_t bins, std::size_t rows) : time_(time), bins_(bins), amounts_(rows * bins, 0) {}

  /// Evenly over a span; what lies behind the last bin is left out.
  void spread(std::size_t row, Picoseconds begin, Picoseconds end, double amount) {
    if (end <= begin || begin >= time_) return;
    auto bin = static_cast<std::size_t>(Int128(begin.count()) * static_cast<std::int64_t>(bins_) / time_.count());
    while (edge(bin + 1) <= begin) bin++;
    for (; bin < bins_ && edge(bin) < end; bin++) {
      const Picoseconds part = std::min(end, edge(bin + 1)) - std::max(begin, edge(bin));
      amounts_[row * bins_ + bin] += amount * static_cast<double>(part.count()) / static_cast<double>((end - begin).count());
    }
  }
  void add(std::size_t row, std::size_t bin, double amount) { amounts_[row * bins_ + bin] += amount; }
  void clear() { std::fill(amounts_.begin(), amounts_.end(), 0); }

  [[nodiscard]] double at(std::size_t row, std::size_t bin) const { return amounts_[row * bins_ + bin]; }
  [[nodiscard]] std::size_t bins() const { return bins_; }
  [[nodiscard]] Picoseconds time() const { return time_; }
  [[nodiscard]] double width_s(std::size_t bin) const { return seconds(edge(bin + 1) - edge(bin)); }

 private:
  [[nodiscard]] Picoseconds edge(std::size_t bin) const {
    return Picoseconds(
        static_cast<std::int64_t>(Int128(time_.count()) * static_cast<std::int64_t>(bin) / static_cast<std::int64_t>(bins_)));
  }

  const Picoseconds time_;
  const std::size_t bins_;
  std::vector<double> amounts_;
};

/// Ports of a map, or the trunks that they belong to where equal paths share perfectly: each has a row.
class AskedLinks {
 public:
  AskedLinks(const Fabric& fabric, const FabricMap& map, bool are_ports)
      : fabric_(fabric), are_ports_(are_ports), row_(are_ports ? fabric.port_from.size() : fabric.trunk_tier.size(), 0) {
    for (const FabricMap::Link& link : map.links)
      for (const auto* ports : {&link.up_ports, &link.down_ports})
        for (const PortId port : *ports)
          if (std::uint32_t& row = row_[number(port)]; row == 0) row = ++rows_;
  }

  [[nodiscard]] bool has(std::uint32_t link) const { return row_[link] > 0; }
  [[nodiscard]] std::size_t row(std::uint32_t link) const { return row_[link] - 1; }
  [[nodiscard]] std::size_t row(PortId port) const { return row(number(port)); }
  /// What of its row a port carries.
  [[nodiscard]] double part(PortId port) const {
    return are_ports_ ? 1 : 1 / static_cast<double>(fabric_.trunk_ports[fabric_.port_trunk[port]].size());
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  [[nodiscard]] std::uint32_t number(PortId port) const { return are_ports_ ? port.index() : fabric_.port_trunk[port].index(); }

  const Fabric& fabric_;
  const bool are_ports_;
  std::vector<std::uint32_t> row_;  // by link, from 1 on; 0: nobody asks
  std::uint32_t rows_ = 0;
};

BitsPerSecond line_rate(const Fabric& fabric, PortId port) { return fabric.trunk_port_rate[fabric.port_trunk[port]]; }

void add_samples(const Fabric& fabric, const FabricMap& map, const PortSeries& series, const AskedLinks& asked,
                 EvenBins& bits) {
  for (const FabricMap::Link& link : map.links)
    for (const auto* ports : {&link.up_ports, &link.down_ports})
      for (const PortId port : *ports)
        for (const SentSpan& span : sent_spans(series, port, line_rate(fabric, port), bits.time()))
          bits.spread(asked.row(port), span.begin, span.end, span.bytes * 8);
}

void add_spell(const FlowSpell& spell, const AskedLinks& asked, EvenBins& bits) {
  EvenBins own(bits.time(), bits.bins(), 1);
  for (std::size_t flow = 0; flow < spell.flows(); flow++) {
    bool is_spread = false;
    for (std::size_t i = spell.first[flow]; i < spell.first[flow + 1]; i++) {
      if (!asked.has(spell.link[i])) continue;
      if (!is_spread) {
        own.clear();
        for (std::size_t bin = 0; bin < spell.bins; bin++) {
          const Picoseconds begin = spell.width * static_cast<std::int64_t>(bin);
          if (const double sent = spell.bits[flow * spell.bins + bin]; sent > 0)
            own.spread(0, std::max(begin, spell.from), std::min(begin + spell.width, spell.until), sent);
        }
        is_spread = true;
      }
      const double share = spell.share.empty() ? 1 : spell.share[i];
      for (std::size_t bin = 0; bin < bits.bins(); bin++) bits.add(asked.row(spell.link[i]), bin, own.at(0, bin) * share);
    }
  }
}

/// A share that is one again where rates of flows, which are kept in whole bits per second, add up to more than the line's.
double without_rounding(double load, BitsPerSecond line) {
  const double rounding = static_cast<double>(kMostFollowedFlows) / static_cast<double>(line.count());
  return load > 1 && load <= 1 + rounding ? 1 : load;
}

MapOverTime::Loads loads_of(const Fabric& fabric, const FabricMap::Link& link, const AskedLinks& asked, const EvenBins& bits) {
  MapOverTime::Loads loads{.up = {}, .down = {}, .peak = std::vector<double>(bits.bins(), 0)};
  const auto one_way = [&](const std::vector<PortId>& ports, std::vector<double>& means) {
    means.assign(bits.bins(), 0);
    for (const PortId port : ports)
      for (std::size_t bin = 0; bin < bits.bins(); bin++) {
        const double possible = static_cast<double>(line_rate(fabric, port).count()) * bits.width_s(bin);
        const double load =
            without_rounding(bits.at(asked.row(port), bin) * asked.part(port) / possible, line_rate(fabric, port));
        means[bin] += load / static_cast<double>(ports.size());
        loads.peak[bin] = std::max(loads.peak[bin], load);
      }
  };
  one_way(link.up_ports, loads.up);
  one_way(link.down_ports, loads.down);
  return loads;
}

/// Whether they are, over all bins, what the map says.
bool is_all(const FabricMap::Link& link, const MapOverTime::Loads& loads, const EvenBins& bits) {
  double up = 0, down = 0;
  for (std::size_t bin = 0; bin < bits.bins(); bin++) {
    const double part = bits.width_s(bin) / seconds(bits.time());
    up += loads.up[bin] * part, down += loads.down[bin] * part;
  }
  return std::abs(up - link.up) <= kRounding && std::abs(down - link.down) <= kRounding;
}

/// How finely it is known what happened; zero where it is not.
Picoseconds finest_of(const Telemetry& telemetry) {
  if (telemetry.packets) return telemetry.packets->series.at.empty() ? Picoseconds::zero() : telemetry.packets->series.interval;
  Picoseconds finest;
  if (telemetry.flow_series)
    for (const FlowSpell& spell : *telemetry.flow_series) finest = std::max(finest, spell.width);
  return finest;
}

const char* why_unknown(const Telemetry& telemetry) {
  if (telemetry.packets || telemetry.flow_series) return kTooShort;
  return telemetry.tier_rate.used() > 0 ? kTooMany : kClosedForm;
}

MapOverTime not_known(const char* why) { return {.bin_s = 0, .links = {}, .unknown = why}; }

}  // namespace

MapOverTime map_over_time(const Fabric& fabric, const FabricMap& map, const Telemetry& telemetry, Picoseconds time) {
  const Picoseconds finest = finest_of(telemetry);
  if (finest == Picoseconds::zero()) return not_known(why_unknown(telemetry));
  const std::size_t most = std::clamp(kMostLoads / std::max<std::size_t>(1, 3 * map.links.size()), kFewestBins, kMostMapBins);
  const std::size_t bins = std::min(most, static_cast<std::size_t>(time / finest));
  if (bins < 2) return not_known(kTooShort);
  const bool are_ports = telemetry.packets || !telemetry.port_carried.empty();
  const AskedLinks asked(fabric, map, are_ports);
  EvenBins bits(time, bins, asked.rows());
  if (telemetry.packets)
    add_samples(fabric, map, telemetry.packets->series, asked, bits);
  else
    for (const FlowSpell& spell : *telemetry.flow_series) add_spell(spell, asked, bits);
  MapOverTime out{.bin_s = seconds(time) / static_cast<double>(bins), .links = {}, .unknown = {}};
  for (const FabricMap::Link& link : map.links) {
    out.links.push_back(loads_of(fabric, link, asked, bits));
    if (!is_all(link, out.links.back(), bits)) return not_known(kInPart);
  }
  return out;
}

}  // namespace railyard
