#include "tools/fabric/fabric_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quantity_text.h"

namespace railyard {

namespace {

std::string many(std::uint64_t count, const std::string& one, const std::string& several = "") {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : several.empty() ? one + "s" : several);
}

class Critic {
 public:
  Critic(const Fabric& fabric, const FabricSummary& summary) : f_(fabric), s_(summary) {}

  std::vector<std::string> run() {
    for (const SwitchTier& tier : s_.switches) empty_ports(tier);
    partial_leaves();
    partial_pods();
    for (const SwitchTier& tier : s_.switches) single_switch(tier);
    lost_with_a_leaf();
    idle_spines();
    if (f_.drawn) uneven_gpus();
    if (s_.bisection.share() < 0.999 && !s_.bisection.where.empty())
      warn("Half of the GPUs reach the other half with {:.1f} % of what their NICs carry.", s_.bisection.share() * 100);
    return std::move(found_);
  }

 private:
  template<class... Args>
  void warn(fmt::format_string<Args...> text, Args&&... args) {
    found_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void empty_ports(const SwitchTier& tier) {
    if (!tier.radix || tier.used_most >= *tier.radix) return;
    warn("Every {} has {} of {} ports free.", tier_name(tier.kind, s_.topology),
         tier.used_least == tier.used_most
             ? std::to_string(*tier.radix - tier.used_most)
             : fmt::format("{} to {}", *tier.radix - tier.used_most, *tier.radix - tier.used_least),
         *tier.radix);
  }

  void partial_leaves() {
    if (f_.drawn || s_.switches.empty() || f_.blocks_of(NodeKind::leaf) < 2) return;
    std::vector<std::uint32_t> hosts(f_.blocks.size());
    for (const BlockId leaf : f_.leaf) hosts[leaf.index()]++;
    std::uint32_t most = 0, fewest = ~0U, partial = 0;
    for (const BlockId block : ids(f_.blocks))
      if (f_.blocks[block].kind == NodeKind::leaf) most = std::max(most, hosts[block.index()]);
    for (const BlockId block : ids(f_.blocks))
      if (f_.blocks[block].kind == NodeKind::leaf && hosts[block.index()] < most)
        partial++, fewest = std::min(fewest, hosts[block.index()]);
    if (partial > 0)
      warn("{} not full: {} NICs instead of {}{}.", partial == 1 ? "One leaf is" : many(partial, "leaf", "leaves") + " are",
           fewest, most, partial > 1 && f_.rails == 1 ? " at the least" : "");
  }

  void partial_pods() {
    if (s_.pods < 2) return;
    std::map<BlockId, std::uint32_t> leaves;
    for (const Block& block : f_.blocks)
      if (block.kind == NodeKind::leaf && block.parent.valid()) leaves[block.parent]++;
    std::uint32_t most = 0;
    for (const auto& [pod, count] : leaves) most = std::max(most, count);
    for (const auto& [pod, count] : leaves)
      if (count < most) warn("A pod has {} of {} leaves, and spines and uplinks for all of them.", count, most);
  }

  void single_switch(const SwitchTier& tier) {
    if (f_.drawn || tier.kind == NodeKind::leaf || tier.switches != tier.groups) return;
    warn("{} a single {}: if it fails, its leaves cannot reach each other.",
         tier.groups == 1               ? "There is"
         : tier.kind == NodeKind::spine ? "Every pod has"
                                        : "There is",
         tier_name(tier.kind, s_.topology));
  }

  /// One switch below which GPUs hang and nothing else does.
  void lost_with_a_leaf() {
    if (f_.drawn) return;
    std::vector<std::uint32_t> gpus(f_.blocks.size());
    for (std::uint32_t i = 0; i < f_.endpoints(); i++) gpus[f_.leaf_of(EndpointId(i)).index()]++;
    std::uint32_t most = 0, alone = 0;
    for (const BlockId block : ids(f_.blocks)) {
      if (f_.blocks[block].kind == NodeKind::leaf && f_.blocks[block].width == 1) alone++;
      most = std::max(most, gpus[block.index()]);
    }
    if (alone == 0)
      warn("Every NIC is on {} leaf switches: one may fail and every GPU stays reachable; {} lose some of their bandwidth.",
           s_.planes, many(most, "GPU"));
    else
      warn("If {} {} fails, {} {} off the network{}.", s_.topology == Topology::star ? "the" : "a",
           tier_name(NodeKind::leaf, s_.topology), many(most, "GPU"), most == 1 ? "is" : "are",
           f_.rails > 1 ? fmt::format(", one of every server ({} servers)", format_count(most)) : "");
  }

  /// Spines above a single leaf join nothing.
  void idle_spines() {
    if (f_.drawn || f_.topology == Topology::hybrid) return;
    std::map<BlockId, std::uint32_t> children;
    for (const Block& block : f_.blocks)
      if (block.parent.valid()) children[block.parent]++;
    std::uint32_t idle = 0;
    for (const auto& [block, count] : children)
      if (count == 1 && !f_.blocks[block].parent.valid() && f_.pods.empty()) idle += f_.blocks[block].width;
    if (idle > 0) warn("{} connect a single leaf and carry no traffic.", many(idle, "spine"));
  }

  void uneven_gpus() {
    std::map<BitsPerSecond, std::uint32_t> by_rate;
    for (std::uint32_t gpu = 0; gpu < f_.endpoints(); gpu++) {
      BitsPerSecond sum;
      for (const TrunkId trunk : f_.drawn->from.row(NodeId(gpu)))
        if (f_.trunk_tier[trunk] == Tier::host_up) sum += f_.trunk_rate(trunk);
      by_rate[sum]++;
    }
    if (by_rate.size() < 2) return;
    std::string list;
    for (const auto& [rate, gpus] : by_rate)
      list += fmt::format("{}{} at {}", list.empty() ? "" : ", ", format_count(gpus), format(rate));
    warn("GPUs are not connected alike: {}.", list);
  }

  const Fabric& f_;
  const FabricSummary& s_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> fabric_warnings(const Fabric& fabric, const FabricSummary& summary) {
  return Critic(fabric, summary).run();
}

}  // namespace railyard
