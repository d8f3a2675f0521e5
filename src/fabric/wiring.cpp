#include "fabric/wiring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "fabric/port_budget.h"

namespace railyard {

namespace {

/// Works out one part of a fabric, tier by tier. Each step fills in its counts or says what is short.
class Wirer {
 public:
  Wirer(const FabricPlan& plan, const GivenKeys& keys, std::uint32_t endpoints, std::optional<std::uint32_t> hosts_per_leaf)
      : plan_(plan), ports_(plan), keys_(keys), hosts_per_leaf_(hosts_per_leaf) {
    servers_ = round_up_divide(endpoints, plan_.per_node);
  }

  Result<Wiring> run() {
    if (plan_.topology == Topology::star) return star();
    shape();
    if (auto problem = rails(); problem) return *problem;
    if (plan_.topology == Topology::two_site && servers_ < 2)
      return error("RY-FAB-022", {"cluster.gpus", "fabric.topology"}, "two sites need a server each, and there is one server",
                   "use more GPUs, or topology = \"leaf-spine\"");
    if (auto problem = leaves(); problem) return *problem;
    if (w_.leaves == 1 && plan_.topology != Topology::hybrid) return w_;
    if (plan_.topology == Topology::two_site && hosts_per_leaf_) deal_evenly();
    // Pods of a given size, the columns of a fat tree and pods that circuits join consist of full leaves.
    const bool spreads =
        !hosts_per_leaf_ && !plan_.hosts_per_pod && plan_.topology != Topology::fat_tree && plan_.topology != Topology::optical;
    return spreads ? spread_evenly() : above_leaves();
  }

 private:
  using Problem = std::optional<Diagnostic>;

  [[nodiscard]] std::uint32_t interfaces_per_server() const { return plan_.interfaces_per_node + plan_.host_nics; }
  [[nodiscard]] std::uint32_t sites() const { return plan_.topology == Topology::two_site ? 2 : 1; }
  [[nodiscard]] std::uint32_t servers_of_site() const { return round_up_divide(servers_, sites()); }
  Diagnostic error(const char* code, std::initializer_list<const char*> at, std::string message, std::string hint) const {
    return fabric_error(keys_, code, at, std::move(message), std::move(hint));
  }

  Result<Wiring> star() {
    w_.per_leaf = servers_ * interfaces_per_server();
    w_.full_leaves = 1;
    const std::uint32_t ports = w_.per_leaf * plan_.ports;
    if (plan_.radix && ports > *plan_.radix)
      return error(
          "RY-FAB-006", {"fabric.topology"},
          fmt::format("a star of {} endpoints needs a switch with as many ports, and this one has {}", ports, *plan_.radix),
          "use topology = \"leaf-spine\" or a larger switch");
    w_.leaves = w_.leaves_per_pod = 1;
    return w_;
  }

  void shape() {
    const Topology topology = plan_.topology;
    const bool split = topology == Topology::multi_plane || topology == Topology::dual_tor;
    const bool railed = split || topology == Topology::rail_optimized || topology == Topology::rail_only;
    if (plan_.rails.value_or(railed)) w_.rails = plan_.rail_count.value_or(interfaces_per_server());
    w_.rail_spines = topology == Topology::rail_only;
    w_.tors = split ? plan_.planes : 1;
    w_.leaf_planes = topology == Topology::multi_plane ? plan_.planes : 1;
    three_tiers_ = topology == Topology::clos3 || topology == Topology::fat_tree || topology == Topology::optical ||
                   topology == Topology::two_site || plan_.hosts_per_pod;
  }

  /// Every rail has as many NICs of a server as the next.
  [[nodiscard]] Problem rails() const {
    const std::uint32_t nics = interfaces_per_server();
    if (w_.rails == nics || (plan_.host_nics == 0 && nics % w_.rails == 0)) return std::nullopt;
    if (plan_.host_nics > 0)
      return error("RY-FAB-023", {"cluster.host_nics_per_node"},
                   "NICs of the server itself have a rail each, and so must those of its GPUs",
                   fmt::format("use rails = true or {}, or leave host_nics_per_node out", nics));
    return error("RY-FAB-023", {"fabric.rails", "cluster.nics_per_node"},
                 fmt::format("{} NICs of a server cannot be dealt evenly to {} rails", nics, w_.rails),
                 "use a number that divides the NICs of a server, or true for a rail each");
  }

  /// Interfaces of a server that go to one leaf, as far as it has room.
  [[nodiscard]] std::uint32_t interfaces_together() const { return interfaces_per_server() / w_.rails; }

  Problem use_leaf(std::uint32_t hosts, std::uint32_t uplinks) {
    const std::uint32_t ports = plan_.ports / w_.tors;  // of an interface at one leaf switch
    if (ports == 0 || hosts % ports != 0)
      return error("RY-FAB-009", {"fabric.hosts_per_leaf", "fabric.planes", "cluster.nics_per_node"},
                   fmt::format("{} NIC ports per leaf cannot be split evenly among interfaces with {} ports on {} switches",
                               hosts, plan_.ports, w_.tors),
                   "use a multiple of the ports of an interface, or other planes");
    w_.per_leaf = hosts / ports;
    w_.uplinks = uplinks;
    w_.full_leaves = round_up_divide(servers_of_site() * interfaces_together(), w_.per_leaf) * sites();
    w_.leaves = w_.full_leaves * w_.rails;
    return std::nullopt;
  }

  /// As many leaves as full ones would be, each with the same number of servers or one fewer; of a server that does not fit
  /// under one leaf, interfaces are dealt instead.
  void deal_evenly() {
    const std::uint32_t interfaces = interfaces_together();
    const std::uint32_t stays = w_.per_leaf % interfaces == 0 ? interfaces : 1;  // interfaces under one leaf together
    const std::uint32_t dealt = servers_ * interfaces / stays, leaves = w_.full_leaves;
    w_.per_leaf = round_up_divide(dealt, leaves) * stays;
    w_.full_leaves = dealt % leaves == 0 ? leaves : dealt % leaves;
    w_.less = dealt % leaves == 0 ? 0 : stays;
  }

  /// The fewest uplinks that keep to the ratio, and more only where they save switches: spines want as many links from each
  /// leaf as from the next, and a prime number of uplinks would want that many spines.
  Result<Wiring> spread_evenly() {
    const std::uint32_t most = w_.uplinks;  // of a full leaf
    deal_evenly();
    const double needed = static_cast<double>(w_.per_leaf) * (plan_.ports / w_.tors) *
                          static_cast<double>(plan_.link_rate.count()) /
                          (plan_.oversubscription * static_cast<double>(plan_.uplink_rate.count()));
    const auto fewest = std::max(1U, static_cast<std::uint32_t>(std::ceil(needed * (1 - 1e-9))));
    const Wiring leaves = w_;
    std::optional<Wiring> best;
    for (std::uint32_t uplinks = plan_.uplinks ? most : std::min(fewest, most); uplinks <= most; uplinks++) {
      w_ = leaves;
      w_.uplinks = uplinks;
      const Result<Wiring> found = above_leaves();
      if (found && (!best || found->switches() < best->switches())) best = *found;
      if (!found && uplinks == most && !best) return found;
    }
    return *best;
  }

  /// Everything above the leaves and their uplinks.
  Result<Wiring> above_leaves() {
    if (auto problem = pods(); problem) return *problem;
    if (auto problem = spines(); problem) return *problem;
    if (w_.pods == 1 || w_.rail_spines) return w_;
    if (auto problem = cores(); problem) return *problem;
    return w_;
  }

  [[nodiscard]] bool leaf_works(std::uint32_t hosts) const {
    const auto uplinks = ports_.uplinks_for(hosts);
    return uplinks && ports_.leaf_takes(hosts, *uplinks);
  }

  /// NIC ports of a leaf where nobody says: as few as hold everything under one leaf (of a rail), else as many as the radix
  /// allows, in whole servers if that is possible.
  [[nodiscard]] std::optional<std::uint32_t> usual_hosts() const {
    const std::uint32_t port = std::max(1U, plan_.ports / w_.tors);
    const std::uint32_t server = port * interfaces_together();
    const std::uint32_t present = servers_of_site() * server;
    for (std::uint32_t hosts = present; hosts < *plan_.radix; hosts += port)
      if (leaf_works(hosts)) return hosts;
    for (const std::uint32_t step : {server, port})
      for (std::uint32_t hosts = (*plan_.radix - 1) / step * step; hosts > 0; hosts -= step)
        if (leaf_works(hosts)) return hosts;
    return std::nullopt;
  }

  /// The most hosts a leaf can take, given or as the radix allows.
  Problem leaves() {
    if (hosts_per_leaf_) {
      const std::uint32_t hosts = *hosts_per_leaf_;
      const auto uplinks = ports_.uplinks_for(hosts);
      if (!uplinks)
        return error("RY-FAB-001", {"fabric.hosts_per_leaf", "fabric.oversubscription", "fabric.uplink_rate"},
                     fmt::format("{} hosts at {} and oversubscription {} do not give a whole number of uplinks at {}", hosts,
                                 format(plan_.link_rate), plan_.oversubscription, format(plan_.uplink_rate)),
                     "change hosts_per_leaf so that hosts × link_rate / (oversubscription × uplink_rate) is whole");
      if (!ports_.leaf_takes(hosts, *uplinks))
        return error(
            "RY-FAB-002",
            {"fabric.hosts_per_leaf", "fabric.radix", "fabric.uplinks", "fabric.oversubscription", "fabric.uplink_rate"},
            fmt::format("a leaf with {} hosts and {} uplinks needs more than the switch's {} ports", hosts, *uplinks,
                        ports_.leaf_radix()),
            "use fewer hosts per leaf, more oversubscription or a larger switch");
      return use_leaf(hosts, *uplinks);
    }
    if (!plan_.radix)
      return error("RY-FAB-003", {"fabric.topology"}, "the number of hosts per leaf is unknown",
                   "add switch = \"…\", radix = … or hosts_per_leaf = … to [fabric]");
    if (const auto hosts = usual_hosts()) return use_leaf(*hosts, *ports_.uplinks_for(*hosts));
    return error("RY-FAB-001", {"fabric.oversubscription", "fabric.radix"},
                 fmt::format("no leaf of {} ports has oversubscription {}", *plan_.radix, plan_.oversubscription),
                 "use another ratio, for instance 1, 2 or 3");
  }

  /// Spine uplinks for `leaves` leaf blocks in a pod, each with `links` to a spine.
  [[nodiscard]] std::optional<std::uint32_t> spine_uplinks_for(std::uint32_t leaves, std::uint32_t links) const {
    if (plan_.spine_uplinks) return plan_.spine_uplinks;
    if (plan_.haul_links) return haul_links_of_spine(w_.uplinks / links);
    const double down = static_cast<double>(leaves) * (w_.tors / w_.leaf_planes) * links;
    return whole(down * static_cast<double>(plan_.uplink_rate.count()) /
                 (plan_.spine_oversubscription * static_cast<double>(plan_.core_rate.count())));
  }

  /// Links to the other site that one of so many spines has.
  [[nodiscard]] std::optional<std::uint32_t> haul_links_of_spine(std::uint32_t spines) const {
    const std::uint32_t links = *plan_.haul_links;
    return links % spines == 0 ? std::optional(links / spines) : std::nullopt;
  }

  /// Leaf blocks of a pod: as given, or as many as one link from each leaf switch to each spine allows.
  Problem pods() {
    const std::uint32_t unit = w_.rails;  // a group of rails stays together
    w_.pods = sites();
    w_.leaves_per_pod = w_.leaves / w_.pods;
    if (w_.rail_spines) {
      const std::uint32_t domain = plan_.scale_up.domain, last = servers_ * plan_.per_node % domain;
      if (plan_.interfaces_per_node > 1 && (domain < plan_.per_node || (last > 0 && last < plan_.per_node)))
        return error("RY-FAB-014", {"fabric.topology"},
                     "rails without spines need a scale-up domain that holds a whole server: it is the only path between rails",
                     "name a gpu, give scale_up_domain and scale_up_rate, or use topology = \"rail-optimized\"");
      w_.pods = w_.rails;
      w_.leaves_per_pod = w_.leaves / w_.pods;
      return std::nullopt;
    }
    if (!three_tiers_ || sites() > 1) return std::nullopt;
    if (const auto hosts = plan_.hosts_per_pod) {
      const std::uint32_t per_leaf = w_.per_leaf * plan_.ports;
      if (*hosts % (per_leaf * unit) != 0)
        return error("RY-FAB-007", {"fabric.hosts_per_pod"},
                     fmt::format("a pod of {} NIC ports is not a whole number of {} of {}", *hosts,
                                 w_.rails > 1 ? "groups of rails" : "leaves", per_leaf * unit),
                     fmt::format("use a multiple of {}", per_leaf * unit));
      w_.leaves_per_pod = std::min(w_.leaves, *hosts / per_leaf);
    } else {
      std::uint32_t most = 0;
      for (std::uint32_t leaves = unit; leaves <= w_.leaves; leaves += unit) {
        const auto up = spine_uplinks_for(leaves, 1);
        const double down = static_cast<double>(leaves) * (w_.tors / w_.leaf_planes);
        if (leaves == w_.leaves && ports_.spine_takes(down, plan_.uplink_rate, 0, plan_.core_rate)) most = leaves;  // one pod
        if (up && ports_.spine_takes(down, plan_.uplink_rate, *up, plan_.core_rate)) most = leaves;
        if (!ports_.spine_takes(down, plan_.uplink_rate, 0, plan_.core_rate)) break;
      }
      if (most == 0)
        return error(
            "RY-FAB-007", {"fabric.oversubscription", "fabric.topology"},
            fmt::format("no pod has whole spine uplinks at oversubscription {}, or {} leaves are too many for its spines",
                        plan_.spine_oversubscription, unit),
            "use another ratio, give hosts_per_pod, or use a larger switch");
      w_.leaves_per_pod = most;
    }
    w_.pods = round_up_divide(w_.leaves, w_.leaves_per_pod);
    return std::nullopt;
  }

  /// Whether `per_plane` spines in each plane take every uplink of a pod's leaves, and what the tier above needs.
  [[nodiscard]] bool spines_fit(std::uint32_t per_plane) const {
    if (per_plane == 0 || w_.uplinks % per_plane != 0) return false;
    const std::uint32_t links = w_.uplinks / per_plane;
    const double down = static_cast<double>(w_.leaves_per_pod) * (w_.tors / w_.leaf_planes) * links;
    if (plan_.topology == Topology::hybrid)
      return ports_.spine_takes(down, plan_.uplink_rate, plan_.island.gateways,
                                plan_.island.boundary_rate.value_or(plan_.uplink_rate));
    if (!has_upper_tier()) return ports_.spine_takes(down, plan_.uplink_rate, 0, plan_.core_rate);
    const auto up = spine_uplinks_for(w_.leaves_per_pod, links);
    return up && ports_.spine_takes(down, plan_.uplink_rate, *up, plan_.core_rate);
  }
  [[nodiscard]] bool has_upper_tier() const { return w_.pods > 1 && !w_.rail_spines; }

  void use_spines(std::uint32_t per_plane) {
    w_.spines = per_plane * w_.leaf_planes;
    w_.links_per_spine = w_.uplinks / per_plane;
    if (has_upper_tier()) w_.spine_uplinks = spine_uplinks_for(w_.leaves_per_pod, w_.links_per_spine).value();
  }

  /// As few spines as take every uplink, each leaf having the same number of links to each.
  Problem spines() {
    if (const auto spines = plan_.spines) {
      if (*spines % w_.leaf_planes != 0 || !spines_fit(*spines / w_.leaf_planes))
        return error("RY-FAB-004", {"fabric.spines"},
                     fmt::format("{} spines cannot connect {} uplinks from each of {} leaves{}{}", *spines, w_.uplinks,
                                 w_.leaves_per_pod * w_.tors, w_.pods > 1 ? " of a pod and reach the tier above" : "",
                                 plan_.radix ? fmt::format(" with {} ports a switch", *plan_.radix) : ""),
                     fmt::format("use a divisor of {} that leaves enough ports, or leave it out", w_.uplinks * w_.leaf_planes));
      use_spines(*spines / w_.leaf_planes);
      return std::nullopt;
    }
    const bool unknown = !plan_.radix && !plan_.spine_radix;  // switches of unknown size: one spine per uplink
    for (std::uint32_t spines = unknown || plan_.topology == Topology::fat_tree ? w_.uplinks : 1; spines <= w_.uplinks;
         spines++) {
      if (!spines_fit(spines)) continue;
      use_spines(spines);
      return std::nullopt;
    }
    if (plan_.haul_links) return no_haul();
    const std::uint32_t leaves = w_.leaves_per_pod * (w_.tors / w_.leaf_planes);
    return error("RY-FAB-005", {"fabric.hosts_per_pod", "fabric.topology"},
                 fmt::format("{} leaves need spines with at least {} ports{}, and {}", leaves, leaves,
                             has_upper_tier() ? " beside those to the tier above" : "", ports_.upper_switch()),
                 three_tiers_ ? "use a larger switch (spine_radix), smaller pods or more oversubscription"
                              : fmt::format("use a larger switch or fewer endpoints; more than that takes a third tier ({})",
                                            plan_.topology == Topology::leaf_spine ? "topology = \"clos3\"" : "hosts_per_pod"));
  }

  /// No number of spines takes the uplinks of a site's leaves and the links to the other site.
  [[nodiscard]] Diagnostic no_haul() const {
    return error(
        "RY-FAB-022", {"fabric.haul.links", "fabric.topology"},
        fmt::format("{} links to the other site cannot be dealt evenly to spines that also take {} uplinks from each of "
                    "{} leaves: {}",
                    *plan_.haul_links, w_.uplinks, w_.leaves_per_pod, ports_.upper_switch()),
        fmt::format("use a multiple of {} links, a larger switch, or fewer GPUs", w_.uplinks));
  }

  [[nodiscard]] bool cores_fit(std::uint32_t per_plane) const {
    return per_plane > 0 && w_.spine_uplinks % per_plane == 0 &&
           ports_.spine_takes(static_cast<double>(w_.pods) * (w_.spine_uplinks / per_plane) * (w_.spines / w_.core_planes),
                              plan_.core_rate, 0, plan_.core_rate);
  }

  /// "use 4, 8 or 16, or ": the first few.
  [[nodiscard]] std::string cores_that_fit() {
    w_.core_planes = w_.spines;
    std::vector<std::string> found;
    for (std::uint32_t cores = 1; cores <= w_.spine_uplinks && found.size() < 4; cores++)
      if (cores_fit(cores)) found.push_back(std::to_string(cores * w_.spines));
    return found.empty() ? std::string() : fmt::format("use {}, or ", schema::join(found, " or "));
  }

  /// Every spine has cores of its own, in which it meets its counterparts of other pods; or all spines meet in all cores, if
  /// that is what the number given says.
  Problem cores() {
    if (plan_.topology == Topology::optical || plan_.topology == Topology::two_site) return std::nullopt;
    w_.core_planes = w_.spines;
    if (const auto cores = plan_.cores) {
      w_.core_planes = *cores % w_.spines == 0 ? w_.spines : 1;
      if (!cores_fit(*cores / w_.core_planes))
        return error("RY-FAB-008", {"fabric.cores"},
                     fmt::format("{} cores cannot connect {} uplinks from each of {} spines in {} pods: {}", *cores,
                                 w_.spine_uplinks, w_.spines, w_.pods, ports_.upper_switch()),
                     fmt::format("{}leave it out", cores_that_fit()));
      return use_cores(*cores / w_.core_planes);
    }
    for (std::uint32_t cores = 1; cores <= w_.spine_uplinks; cores++)
      if (cores_fit(cores)) return use_cores(cores);
    return error("RY-FAB-008", {"fabric.hosts_per_pod", "fabric.topology"},
                 fmt::format("{} pods need cores with at least as many ports, and {}", w_.pods, ports_.upper_switch()),
                 "use larger pods, a larger switch (spine_radix) or fewer endpoints");
  }

  Problem use_cores(std::uint32_t per_plane) {
    w_.cores = per_plane * w_.core_planes;
    w_.links_per_core = w_.spine_uplinks / per_plane;
    return std::nullopt;
  }

  const FabricPlan& plan_;
  PortBudget ports_;
  const GivenKeys& keys_;
  std::optional<std::uint32_t> hosts_per_leaf_;
  std::uint32_t servers_ = 0;
  bool three_tiers_ = false;
  Wiring w_;
};

}  // namespace

Diagnostic fabric_error(const GivenKeys& keys, const char* code, std::initializer_list<const char*> candidates,
                        std::string message, std::string hint) {
  const char* at = "fabric";
  for (const char* key : candidates) {
    const bool first = at == std::string_view("fabric");
    if (keys.given(key) && (first || keys.where(key).line == 0)) at = key;
  }
  return {Severity::error, code, std::move(message), std::move(hint), keys.where(at)};
}

Result<Wiring> wire(const FabricPlan& plan, const GivenKeys& keys) {
  return Wirer(plan, keys, plan.endpoints, plan.hosts_per_leaf).run();
}

Result<Islands> wire_islands(const FabricPlan& plan, const GivenKeys& keys) {
  const IslandPlan& island = plan.island;
  const std::uint32_t theirs = plan.island_gpus();
  const std::uint32_t ours = plan.endpoints - std::min(theirs, plan.endpoints);
  if (theirs == 0 || ours == 0 || theirs % plan.per_node != 0)
    return fabric_error(keys, "RY-FAB-010", {"fabric.island.gpus", "cluster.gpus"},
                        fmt::format("an island of {} of {} GPUs does not consist of whole servers", theirs, plan.endpoints),
                        "use a multiple of gpus_per_node that leaves at least one server on each side");
  const Result<Wiring> main = Wirer(plan, keys, ours, plan.hosts_per_leaf).run();
  if (!main) return main.error();
  const Result<Wiring> other =
      Wirer(plan, keys, theirs, island.hosts_per_leaf ? island.hosts_per_leaf : plan.hosts_per_leaf).run();
  if (!other) return other.error();
  return Islands{*main, *other, ours};
}

}  // namespace railyard
