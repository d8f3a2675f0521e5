#include "sweep/designs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace railyard {

bool has_seeds(const SweepTable& table) {
  return table.axes.size() > 1 && std::find(table.axes.begin(), table.axes.end(), kSeedAxis) != table.axes.end();
}

std::vector<SweepDesign> sweep_designs(const SweepTable& table, std::size_t figure) {
  const bool is_joined = has_seeds(table);
  std::vector<SweepDesign> out;
  std::map<std::vector<std::string>, std::size_t> known;
  for (std::size_t p = 0; p < table.rows.size(); p++) {
    const double value = table.rows[p].values[figure];
    if (std::isnan(value)) continue;
    std::vector<std::string> names;
    for (std::size_t a = 0; a < table.axes.size(); a++)
      if (!is_joined || table.axes[a] != kSeedAxis) names.push_back(sweep_value_text(table.points[p][a]));
    const auto [place, is_new] = known.try_emplace(std::move(names), out.size());
    if (is_new) out.push_back({.least = value, .most = value});
    SweepDesign& design = out[place->second];
    design.points.push_back(p);
    design.mean += value;
    design.least = std::min(design.least, value), design.most = std::max(design.most, value);
  }
  for (SweepDesign& design : out) design.mean /= static_cast<double>(design.points.size());
  return out;
}

}  // namespace railyard
