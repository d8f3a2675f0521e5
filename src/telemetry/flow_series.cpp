#include "telemetry/flow_series.h"

namespace railyard {

FlowSpell spell_of(const Timeline& flows, Picoseconds from, Picoseconds until) {
  FlowSpell spell{.from = from,
                  .until = until,
                  .width = flows.width(),
                  .bins = flows.used(),
                  .bits = {},
                  .first = {0},
                  .link = {},
                  .share = {}};
  std::size_t joined = 1;  // bins of the timeline to one
  while (spell.bins > FlowSpell::kMostBins) {
    joined *= 2;
    spell.width = spell.width * 2;
    spell.bins = (spell.bins + 1) / 2;
  }
  spell.bits.assign(flows.rows() * spell.bins, 0);
  for (std::size_t flow = 0; flow < flows.rows(); flow++) {
    const std::vector<double> row = flows.row(flow);
    for (std::size_t bin = 0; bin < row.size(); bin++) spell.bits[flow * spell.bins + bin / joined] += row[bin];
  }
  return spell;
}

}  // namespace railyard
