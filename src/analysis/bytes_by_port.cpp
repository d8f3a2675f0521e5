// What ports carried in a collective by itself, all of which is its own.
#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/link_bins.h"
#include "analysis/port_collectives.h"
#include "analysis/tier_loads.h"
#include "fabric/ecmp.h"

namespace railyard {

namespace {

constexpr const char* kNoTimes = "when: a closed form does not say";
constexpr const char* kUnfollowedFlows = "when: there are too many flows to follow single links over time";

/// A port and what it carried; of a trunk's, where equal paths share perfectly, the first stands for all.
struct LoadedLink {
  PortId port;
  double bytes = 0;
};

/// All that carried something between scale-up domains, those with most first.
std::vector<LoadedLink> loaded_links(const Fabric& fabric, const Telemetry& telemetry) {
  std::vector<LoadedLink> links;
  const bool by_trunk = telemetry.port_carried.empty();
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    if (is_scale_up(fabric.trunk_tier[trunk])) continue;
    if (by_trunk)
      links.push_back({fabric.trunk_ports[trunk].front(), static_cast<double>(telemetry.trunk_carried[trunk].count())});
    else
      for (const PortId port : fabric.trunk_ports[trunk])
        links.push_back({port, static_cast<double>(telemetry.port_carried[port].count())});
  }
  std::erase_if(links, [](const LoadedLink& link) { return link.bytes == 0; });
  std::sort(links.begin(), links.end(),
            [](const LoadedLink& a, const LoadedLink& b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.port < b.port; });
  return links;
}

/// Bytes by bin, and from when to when: to a bin.
void add_times(const EvenBins& bits, std::size_t row, CollectiveOnPort& out) {
  bool begun = false;
  for (std::size_t bin = 0; bin < bits.bins(); bin++) {
    const double bytes = bits.at(row, bin) / 8;
    out.bins.push_back(bytes);
    if (bytes <= 0) continue;
    if (!begun) out.first_s = seconds(bits.edge(bin));
    out.last_s = seconds(bits.edge(bin + 1));
    begun = true;
  }
}

/// Why it is not known when links carried something; nothing where it is. A library's telemetry is that of a probe.
const char* why_untimed(const CollectiveRun& collective) {
  const Telemetry& seen = collective.telemetry;
  if (collective.protocol) return kNoTimes;
  if (seen.packets) return seen.packets->series.at.empty() ? kNoTimes : nullptr;
  if (seen.flow_series) return nullptr;
  return seen.tier_rate.used() > 0 ? kUnfollowedFlows : kNoTimes;
}

}  // namespace

CollectivesByPort bytes_by_port(const Run& run, const CollectiveRun& collective, const ByPortSize& size) {
  const Telemetry& seen = collective.telemetry;
  const std::vector<LoadedLink> links = loaded_links(run.fabric, seen);
  if (links.empty()) return {.unknown = "nothing crossed the network"};
  const bool by_trunk = seen.port_carried.empty();
  std::vector<PortId> ports;
  for (std::size_t i = 0; i < std::min(size.ports, links.size()); i++) ports.push_back(links[i].port);
  CollectivesByPort out{.left_out = links.size() - ports.size()};
  const char* const untimed = why_untimed(collective);
  const AskedLinks asked(run.fabric, ports, !by_trunk);
  EvenBins bits(collective.time, size.bins, asked.rows());
  if (untimed)
    out.unknown = untimed;
  else if (seen.packets)
    add_samples(run.fabric, ports, seen.packets->series, asked, bits);
  else
    for (const FlowSpell& spell : *seen.flow_series) add_spell(spell, asked, bits);
  if (!untimed) out.bin_s = seconds(collective.time) / static_cast<double>(size.bins);
  for (std::size_t i = 0; i < ports.size(); i++) {
    CollectiveOnPort row{.what = std::string(name_of(collective.kind)), .bytes = links[i].bytes};
    if (!untimed) add_times(bits, asked.row(ports[i]), row);
    const std::uint32_t link = by_trunk ? run.fabric.port_trunk[ports[i]].index() : ports[i].index();
    out.ports.push_back({link_name(run.fabric, link, by_trunk), row.bytes, {row}});
  }
  return out;
}

}  // namespace railyard
