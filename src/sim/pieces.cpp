#include "sim/pieces.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {

Pieces cut_into_pieces(double most, std::uint32_t steps) {
  Pieces out{.count = 0, .per_step = 1, .steps = std::max(1U, steps)};
  const double a_step = std::ceil(most / out.steps / static_cast<double>(kPiece.count()));
  const auto all = static_cast<std::uint32_t>(std::max(1.0, a_step));
  out.per_step = std::min(all, kPiecesPerStep);
  out.count = (all - 1 + out.per_step) / out.per_step * out.per_step * out.steps;
  return out;
}

std::vector<RingPlace> ring_places(std::span<const Edge> edges) {
  std::map<EndpointId, std::uint32_t> from;
  for (std::uint32_t i = 0; i < edges.size(); i++) from.try_emplace(edges[i].from, i);
  std::vector<RingPlace> places(edges.size());
  for (std::uint32_t i = 0; i < edges.size(); i++) {
    const auto next = from.find(edges[i].to);
    if (next == from.end() || places[next->second].before != RingPlace::kNobody) continue;
    places[i].after = next->second;
    places[next->second].before = i;
  }
  return places;
}

}  // namespace railyard
