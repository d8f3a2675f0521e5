#include "scenario/check/check_fabric.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard {

namespace {

/// The checks of one fabric; each method is one kind of mistake.
class FabricChecker {
 public:
  FabricChecker(const ScenarioSpec& scenario, Complaints& complaints) : s_(scenario), complaints_(complaints) {}

  void run() {
    if (is_refused("fabric.topology")) return;
    const FabricSpec& f = s_.fabric;
    if (!f.link_delay.empty() && !f.cable.empty())
      error("RY-SCN-040", "fabric.link_delay", "both link_delay and cable are given",
            "keep one: a cable's delay follows from its length");
    if (f.topology == Topology::star && !f.oversubscription.empty())
      error("RY-SCN-041", "fabric.oversubscription", "a star has one switch and so no oversubscription",
            "remove it, or use topology = \"leaf-spine\"");
    for (const char* key : {"hosts_per_leaf", "spines", "uplink_rate", "uplinks"})
      if (f.topology == Topology::star && s_.given(std::string("fabric.") + key))
        error("RY-SCN-041", std::string("fabric.") + key, fmt::format("a star has one switch and so no {}", key),
              "remove it, or use topology = \"leaf-spine\"");
    const bool three =
        f.topology == Topology::clos3 || f.topology == Topology::fat_tree || f.topology == Topology::optical || f.hosts_per_pod;
    if (f.oversubscription.size() > 1 && !three && f.topology != Topology::star)
      error("RY-SCN-042", "fabric.oversubscription",
            fmt::format("a {} fabric has one tier of uplinks and takes one oversubscription ratio", name_of(f.topology)),
            f.topology == Topology::leaf_spine ? "give one number, or use topology = \"clos3\""
                                               : "give one number, or hosts_per_pod for a fabric with pods");
    if (f.oversubscription.size() > 2 && three)
      error("RY-SCN-042", "fabric.oversubscription",
            "a three-tier fabric has two tiers of uplinks and takes at most two oversubscription ratios", "give two numbers");
    if (f.uplinks && !f.oversubscription.empty())
      error("RY-SCN-077", "fabric.uplinks", "both uplinks and oversubscription are given",
            "keep one: the ratio of a leaf follows from its uplinks");
    if (f.spine_uplinks && f.oversubscription.size() > 1)
      error("RY-SCN-077", "fabric.spine_uplinks", "both spine_uplinks and a second oversubscription are given",
            "keep one: the ratio of a spine follows from its uplinks");
    cables(three || f.topology == Topology::hybrid);
    if (f.topology == Topology::two_site && !f.haul)
      error("RY-SCN-155", "fabric.topology", "two sites need links between them",
            "add [fabric.haul] with links = 16 and length = \"80 km\" or the like");
    scheduled();
    changing_circuits();
    keys_of_topologies();
    placement();
  }

 private:
  /// A length or delay for every tier that there is.
  void cables(bool three_tiers) {
    const FabricSpec& f = s_.fabric;
    const std::size_t tiers = f.topology == Topology::star || f.topology == Topology::file ? 1 : three_tiers ? 3 : 2;
    const auto too_many = [&](const char* key, std::size_t given) {
      if (given <= tiers) return;
      error("RY-SCN-042", key,
            fmt::format("{} values are given, and a {} fabric has {} of links", given, name_of(f.topology),
                        tiers == 1 ? "one tier" : fmt::format("{} tiers", tiers)),
            f.topology == Topology::two_site
                ? "give those to hosts and above leaves; [fabric.haul] has the length between sites"
            : tiers == 1 ? "give one"
            : tiers == 2 ? "give those to hosts and above leaves"
                         : "give those to hosts, above leaves and above spines");
    };
    too_many("fabric.cable", f.cable.size());
    too_many("fabric.link_delay", f.link_delay.size());
  }

  /// Cells and credits, and what they leave no choice of.
  void scheduled() {
    const FabricSpec& f = s_.fabric;
    const bool is_scheduled = f.switching == Switching::scheduled;
    for (const char* key : {"fabric.credit_delay", "fabric.cell_overhead"})
      if (s_.given(key) && !is_scheduled && !is_refused("fabric.switching"))
        error("RY-SCN-156", key, fmt::format("{} is of scheduled fabrics", key),
              "set fabric.switching = \"scheduled\", or remove it");
    if (!is_scheduled) return;
    using T = Topology;
    constexpr T kFit[] = {T::star, T::leaf_spine, T::clos3, T::fat_tree, T::rail_optimized};
    if (std::find(std::begin(kFit), std::end(kFit), f.topology) == std::end(kFit))
      error("RY-SCN-156", "fabric.switching",
            fmt::format("a scheduled fabric is one whole, and topology = \"{}\" has several", name_of(f.topology)),
            "use \"star\", \"leaf-spine\", \"clos3\", \"fat-tree\" or \"rail-optimized\"");
    if (s_.given("routing.policy") && s_.routing.policy != RoutingPolicy::spray)
      error("RY-SCN-156", "routing.policy", "a scheduled fabric sprays its cells over all paths",
            "remove the policy, or use \"spray\"");
  }

  /// Circuits change between the phases of a step that flows carry, and of nothing else.
  void changing_circuits() {
    const FabricSpec& f = s_.fabric;
    const bool change = f.circuits == Circuits::phases;
    if (s_.given("fabric.reconfiguration") && !change)
      error("RY-SCN-157", "fabric.reconfiguration",
            fmt::format("circuits = \"{}\" are set once, and nothing is reconfigured", name_of(f.circuits)),
            "set fabric.circuits = \"phases\", or remove it");
    if (!change) return;
    const auto refuse = [&](const std::string& what, const char* hint) { error("RY-SCN-157", "fabric.circuits", what, hint); };
    if (s_.collective || s_.traffic || s_.trace || s_.serving)
      refuse("circuits change between the phases of a training step, and there is none",
             "use circuits = \"demand\", which gives them to the pods that send most, or \"ring\"");
    else if (s_.job)
      refuse("circuits change between the phases of one step, and several jobs share this fabric",
             "use circuits = \"uniform\" or \"ring\"");
    else if (s_.model && s_.engine.fidelity != Fidelity::flow)
      refuse(fmt::format("circuits that change between phases are not simulated at fidelity = \"{}\"",
                         name_of(s_.engine.fidelity)),
             "set engine.fidelity = \"flow\", or use circuits = \"demand\"");
    else if (!s_.failures.empty())
      refuse("failures beside circuits that change are not simulated",
             "remove [failures], or use circuits = \"demand\", which are set once");
  }

  /// Keys that only some topologies know.
  void keys_of_topologies() {
    using T = Topology;
    const T topology = s_.fabric.topology;
    const bool pods = topology == T::clos3 || topology == T::fat_tree || topology == T::optical;
    const auto only = [&](const char* key, bool allowed, const char* where) {
      const std::string path = std::string("fabric.") + key;
      if (s_.given(path) && !allowed)
        error("RY-SCN-075", path, fmt::format("{} does not apply to topology = \"{}\"", path, name_of(topology)),
              fmt::format("remove it, or use {}", where));
    };
    const bool split = topology == T::multi_plane || topology == T::dual_tor;
    only("planes", split, "\"multi-plane\" or \"dual-tor\"");
    only("circuits", topology == T::optical, "\"optical\"");
    only("island", topology == T::hybrid, "\"hybrid\"");
    only("haul", topology == T::two_site, "\"two-site\"");
    only("cores", topology == T::clos3 || s_.fabric.hosts_per_pod, "\"clos3\"");
    only("core_rate", pods || s_.fabric.hosts_per_pod, "\"clos3\", \"fat-tree\" or \"optical\"");
    only("spine_uplinks", pods || s_.fabric.hosts_per_pod, "\"clos3\", \"fat-tree\" or \"optical\"");
    only("hosts_per_pod", (pods && topology != T::fat_tree) || split || topology == T::rail_optimized,
         "\"clos3\", \"optical\", \"rail-optimized\", \"multi-plane\" or \"dual-tor\"");
    only("spine_radix", topology != T::star && topology != T::file && topology != T::fat_tree, "a fabric with spines");
    only("rails", topology != T::star && topology != T::file && topology != T::rail_only, "a fabric with leaves");
    for (const char* key : {"hosts_per_leaf", "spines", "uplinks", "uplink_rate", "radix", "oversubscription", "gpus"})
      only(key, topology != T::file, "a fabric that is described by numbers");
  }

  void placement() {
    const std::vector<std::uint32_t>& seats = s_.placement.seats;
    std::vector<std::uint32_t> sorted = seats;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      error("RY-SCN-081", "placement.file", fmt::format("GPU {} is given to two ranks", *twice),
            "give every rank a GPU of its own");
    if (s_.fabric.gpus && s_.cluster.gpus && *s_.fabric.gpus < *s_.cluster.gpus)
      error("RY-SCN-076", "fabric.gpus",
            fmt::format("fabric.gpus = {} is less than cluster.gpus = {}", *s_.fabric.gpus, *s_.cluster.gpus),
            "use at least as many as the cluster has");
    if (s_.fabric.gpus && *s_.fabric.gpus % s_.cluster.gpus_per_node.value_or(1) != 0)
      error("RY-SCN-076", "fabric.gpus",
            fmt::format("gpus = {} does not fill whole nodes of {}", *s_.fabric.gpus, s_.cluster.gpus_per_node.value_or(1)),
            "use a multiple");
    const std::uint32_t drawn = s_.fabric.drawing.gpus();
    if (drawn > 0 && drawn % s_.cluster.gpus_per_node.value_or(1) != 0)
      error("RY-SCN-076", "cluster.gpus_per_node",
            fmt::format("{} drawn GPUs do not fill whole servers of {}", drawn, s_.cluster.gpus_per_node.value_or(1)),
            "use a divisor");
    if (drawn > 0 && s_.collective && s_.collective->group.value_or(0) > drawn)
      error("RY-SCN-076", "collective.group",
            fmt::format("the drawing has {} GPUs, and the group {}", drawn, *s_.collective->group), "use at most as many");
    if (s_.routing.seeds.size() > 3)
      error("RY-SCN-076", "routing.seeds",
            fmt::format("{} seeds are given, and at most three tiers hash", s_.routing.seeds.size()),
            "give those of leaf, spine and core");
    if (drawn > 0 && s_.cluster.gpus && *s_.cluster.gpus > drawn)
      error("RY-SCN-076", "cluster.gpus", fmt::format("the drawing has {} GPUs, and the cluster {}", drawn, *s_.cluster.gpus),
            "use at most as many");
  }

  /// Whether a key was written and refused as it was read: nothing else is wrong that follows from its default.
  bool is_refused(const std::string& key) const {
    const Diagnostics& found = complaints_.found();
    return s_.given(key) &&
           std::any_of(found.begin(), found.end(), [&](const Diagnostic& d) { return d.where == s_.where(key); });
  }

  void error(const char* code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  const ScenarioSpec& s_;
  Complaints& complaints_;
};

}  // namespace

void check_fabric(const ScenarioSpec& scenario, Complaints& complaints) { FabricChecker(scenario, complaints).run(); }

}  // namespace railyard
