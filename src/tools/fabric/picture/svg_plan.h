// What of a fabric a picture shows, and where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "tools/fabric/picture/svg_page.h"
#include "tools/fabric/summary.h"

namespace railyard {

/// A leaf, or several that are left out; a pod's columns are neighbours.
struct Column {
  BlockId leaf;  // none: left out
  std::uint32_t left_out = 0;
  Box at;
};

/// Switches without a tier between them and what is drawn below: a pod, a rail, an island, or all there is.
struct Pod {
  BlockId spines;  // none where leaves stand alone
  std::string name;
  std::uint32_t left_out = 0;  // pods, if this stands for several
  std::vector<Column> columns;
  Box at;
};

/// What hangs below a leaf.
struct Below {
  std::uint32_t nics = 0, first_nic = ~0U, first_server = ~0U, servers = 0;
  bool gpus = false;
  double gbps = 0;
};

/// Columns of leaves from left to right, grouped by what joins them above; bandwidths are of all blocks, shown or not.
struct PicturePlan {
  static constexpr double kLeft = 176, kRight = SvgPage::kWidth - 16;  // tiers are named left of that
  std::vector<Below> below;                                            // by block
  std::vector<double> up_gbps, down_gbps;                              // by block
  std::vector<std::uint32_t> number;                                   // of a block among those of its kind
  double widest_low = 0, widest_high = 0;                              // bundles at leaves, above spines
  bool has_spines = false;
  BlockId top;  // cores or gateways
  std::vector<Pod> pods;

  /// Oversubscription of a block; 0 where nothing is above.
  [[nodiscard]] double ratio(BlockId block) const {
    const double up = up_gbps[block.index()];
    return up > 0 ? down_gbps[block.index()] / up : 0;
  }
};

/// At most about 16 leaves are shown: of many pods the first two and the last, of many leaves of a pod the first few and the
/// last.
PicturePlan plan_picture(const Fabric& fabric, const FabricSummary& summary);

}  // namespace railyard
