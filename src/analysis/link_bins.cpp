#include "analysis/link_bins.h"

#include <algorithm>

#include "sim/sent_bytes.h"

namespace railyard {

void EvenBins::spread(std::size_t row, Picoseconds begin, Picoseconds end, double amount) {
  if (end <= begin || begin >= time_) return;
  auto bin = static_cast<std::size_t>(Int128(begin.count()) * static_cast<std::int64_t>(bins_) / time_.count());
  while (edge(bin + 1) <= begin) bin++;
  for (; bin < bins_ && edge(bin) < end; bin++) {
    const Picoseconds part = std::min(end, edge(bin + 1)) - std::max(begin, edge(bin));
    amounts_[row * bins_ + bin] += amount * static_cast<double>(part.count()) / static_cast<double>((end - begin).count());
  }
}

void EvenBins::clear() { std::fill(amounts_.begin(), amounts_.end(), 0); }

Picoseconds EvenBins::edge(std::size_t bin) const {
  return Picoseconds(
      static_cast<std::int64_t>(Int128(time_.count()) * static_cast<std::int64_t>(bin) / static_cast<std::int64_t>(bins_)));
}

AskedLinks::AskedLinks(const Fabric& fabric, std::span<const PortId> ports, bool are_ports)
    : fabric_(fabric), are_ports_(are_ports), row_(are_ports ? fabric.port_from.size() : fabric.trunk_tier.size(), 0) {
  for (const PortId port : ports)
    if (std::uint32_t& row = row_[number(port)]; row == 0) row = ++rows_;
}

void add_samples(const Fabric& fabric, std::span<const PortId> ports, const PortSeries& series, const AskedLinks& asked,
                 EvenBins& bits) {
  for (const PortId port : ports)
    for (const SentSpan& span : sent_spans(series, port, fabric.trunk_port_rate[fabric.port_trunk[port]], bits.time()))
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

}  // namespace railyard
