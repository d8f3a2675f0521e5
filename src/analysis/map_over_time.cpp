#include "analysis/map_over_time.h"

#include <algorithm>
#include <cmath>

#include "analysis/link_bins.h"

namespace railyard {

namespace {

constexpr std::size_t kFewestBins = 24, kMostMapBins = 96;
constexpr std::size_t kMostLoads = 10'000;  // of all links and bins together: a page has to carry them
constexpr double kRounding = 1e-3;          // share of capacity that loads may differ by from those of the map

constexpr const char* kClosedForm = "Closed forms do not say when links are busy.";
constexpr const char* kTooMany = "There are too many flows to follow single links over time.";
constexpr const char* kTooShort = "The run is too short to look at parts of it.";
constexpr const char* kInPart = "When links were busy is known of a part of the traffic alone.";

BitsPerSecond line_rate(const Fabric& fabric, PortId port) { return fabric.trunk_port_rate[fabric.port_trunk[port]]; }

/// All of the map, link by link.
std::vector<PortId> ports_of(const FabricMap& map) {
  std::vector<PortId> all;
  for (const FabricMap::Link& link : map.links)
    for (const auto* ports : {&link.up_ports, &link.down_ports}) all.insert(all.end(), ports->begin(), ports->end());
  return all;
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
  const std::vector<PortId> ports = ports_of(map);
  const AskedLinks asked(fabric, ports, are_ports);
  EvenBins bits(time, bins, asked.rows());
  if (telemetry.packets)
    add_samples(fabric, ports, telemetry.packets->series, asked, bits);
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
