// Where the queue pairs of every edge of every bundle stand among those of their NICs.
#pragma once

#include <span>
#include <vector>

#include "engine/engine.h"

namespace railyard {

/// Counted as the flow engine opens them: bundle by bundle, edge by edge, `paths` queue pairs for each.
class PlacesOfEdges {
 public:
  PlacesOfEdges(const Fabric& fabric, std::span<const Bundle> bundles, std::uint32_t paths) {
    Table<InterfaceId, std::uint32_t> opened(fabric.leaf.size(), 0);
    for (const Bundle& bundle : bundles) {
      first_.push_back(places_.size());
      for (const Edge& edge : bundle.edges) {
        QpPlaces& place = places_.emplace_back();
        place.local = opened[fabric.interface_of(edge.from)];
        opened[fabric.interface_of(edge.from)] += paths;
        place.remote = opened[fabric.interface_of(edge.to)];
        opened[fabric.interface_of(edge.to)] += paths;
      }
    }
  }
  [[nodiscard]] QpPlaces of(std::size_t bundle, std::size_t edge) const { return places_[first_[bundle] + edge]; }

 private:
  std::vector<std::size_t> first_;
  std::vector<QpPlaces> places_;
};

}  // namespace railyard
