// The collectives of a training step as bundles on a fabric: who sends to whom, given who sits where.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "engine/engine.h"
#include "fabric/live.h"
#include "fabric/placement.h"
#include "sim/collective/network_rates.h"
#include "sim/step/pair_weights.h"
#include "sim/step/pass_cost.h"
#include "sim/step/switch_trees.h"
#include "workload/step.h"

namespace railyard {

/// All groups of one kind at one stage. A ring runs through the scale-up domains of its group, over as many NICs at once as the
/// smallest of them has members; an all-to-all sends from every domain to every other, in proportion to what each pair of ranks
/// has to (pair_weights.h); where switches add up, domains send to
/// them (switch_trees.h). Bundles are opened when first asked for
/// and serve every collective of their group.
class StepTraffic {
 public:
  /// `way`: how all-to-alls get from domain to domain. `first`: whose
  /// bundles are served before all others. `nics`: what messages are split by over the NICs of a domain, if not evenly. All but
  /// that must outlive this.
  StepTraffic(const Step& step, const Fabric& fabric, const Placement& placement, const LivePorts& live,
              const ClusterLinks& links, ExchangeWay way, StrictPriority first, NicShares nics, Engine& engine);

  /// A collective of `stage` as the network sees it; a fixed time if it stays inside domains.
  CommItem item(const Op& op, std::uint32_t stage);

  /// Activations or their gradients from one stage to its neighbour.
  CommItem boundary(std::uint32_t from, std::uint32_t to);

  /// Two ends of a bundle's first edge that is cut off in the end, or of its first, and how many it has, for people.
  struct Ends {
    EndpointId from, to;
    std::size_t edges = 0;
  };
  [[nodiscard]] const std::vector<Ends>& ends() const { return ends_; }  // by connection

  /// The engine passes pieces on from rank to rank: what that takes is in its times. Before the first item is asked for.
  void let_engine_pass_on() { engine_passes_on_ = true; }

  /// Bundles as they were opened, by connection, where somebody asks before the first is.
  void keep_bundles() { keeps_bundles_ = true; }
  [[nodiscard]] std::vector<Bundle> take_bundles() { return std::move(bundles_); }

 private:
  struct Pattern {
    QpId connection;      // none: nothing leaves a domain
    double per_byte = 0;  // bytes on the busiest edge over what a member sends
    std::uint32_t hops = 0;
    std::size_t local = 0;  // members of a group in one domain, the fewest
    Picoseconds latency;    // of a hop, on average
  };
  struct Draft {
    Bundle bundle;
    std::uint32_t hops = 0;
    std::size_t local = 0;
    double most = 0;         // share of the busiest edge, before they are scaled by it
    SwitchTrees trees = {};  // instead of edges
    Ends first = {};         // of the first group, where there are trees
  };
  /// Who sends to whom: along a ring, to all, or to switches, each collective in its own proportions.
  enum class Way : std::uint8_t { ring, exchange, exchange_back, reduce, scatter, gather };
  using Key = std::tuple<std::uint32_t, GroupKind, std::uint32_t, std::uint32_t, bool, Way>;

  [[nodiscard]] Way way_of(const Op& op) const;
  const Pattern& pattern(const Op& op, std::uint32_t stage);
  void add_group(const std::vector<std::uint32_t>& members, const Op& op, const std::vector<bool>& here, Draft& draft) const;
  void add_edges(const std::vector<std::vector<EndpointId>>& nodes, bool all_to_all, const std::vector<bool>& here,
                 const PairWeights* weights, Draft& draft) const;
  CommItem switched_item(const Op& op, const Pattern& found, CommItem item) const;
  Pattern open_trees(Draft draft);
  Pattern open(Draft draft, GroupKind kind);
  void set_ideal(Picoseconds closed_form, CommItem& item) const;
  [[nodiscard]] static double leaving(const Op& op, const Sent& sent, std::size_t local);

  const Step& step_;
  const Fabric& fabric_;
  const Placement& placement_;
  const LivePorts& live_;  // once all failures have happened
  const ClusterLinks& links_;
  ExchangeWay way_;
  StrictPriority first_;
  NicShares nics_;
  Engine& engine_;
  BitsPerSecond fastest_;  // NIC of the fabric
  std::map<Key, Pattern> patterns_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Pattern> boundaries_;
  std::vector<Ends> ends_;
  bool engine_passes_on_ = false, keeps_bundles_ = false;
  std::vector<Bundle> bundles_;
};

}  // namespace railyard
