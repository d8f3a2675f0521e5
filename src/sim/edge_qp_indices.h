// Where the queue pairs of every edge of every bundle stand among those of their NICs.
#pragma once

#include <span>
#include <vector>

#include "engine/engine.h"

namespace railyard {

/// Counted as the flow engine opens them: bundle by bundle, edge by edge, `paths` queue pairs for each.
class EdgeQpIndices {
 public:
  EdgeQpIndices(const Fabric& fabric, std::span<const Bundle> bundles, std::uint32_t paths) {
    Table<InterfaceId, std::uint32_t> opened(fabric.leaf.size(), 0);
    for (const Bundle& bundle : bundles) {
      first_.push_back(qp_indices_.size());
      for (const Edge& edge : bundle.edges) {
        QpIndices& qp_indices = qp_indices_.emplace_back();
        qp_indices.local = opened[fabric.interface_of(edge.from)];
        opened[fabric.interface_of(edge.from)] += paths;
        qp_indices.remote = opened[fabric.interface_of(edge.to)];
        opened[fabric.interface_of(edge.to)] += paths;
      }
    }
  }
  [[nodiscard]] QpIndices of(std::size_t bundle, std::size_t edge) const { return qp_indices_[first_[bundle] + edge]; }

 private:
  std::vector<std::size_t> first_;
  std::vector<QpIndices> qp_indices_;
};

}  // namespace railyard
