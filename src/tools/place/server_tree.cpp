#include "tools/place/server_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "tools/place/hosts.h"

namespace railyard {

namespace {

double bytes_per_second(const Fabric& fabric, TrunkId trunk) {
  return static_cast<double>(fabric.trunk_rate(trunk).count()) / 8;
}

/// From a leaf to the top.
std::vector<BlockId> chain_above(const Fabric& fabric, BlockId leaf) {
  std::vector<BlockId> chain;
  for (BlockId at = leaf; at.valid(); at = fabric.blocks[at].parent) chain.push_back(at);
  return chain;
}

/// What leaves a block upwards; where it is on top, over its circuits. 0: nothing is above.
double rate_above(const Fabric& fabric, BlockId block) {
  if (fabric.blocks[block].parent.valid()) return bytes_per_second(fabric, fabric.blocks[block].up);
  double sum = 0;
  for (const CircuitBundle& bundle : fabric.circuits)
    if (bundle.a == block || bundle.b == block) sum += bytes_per_second(fabric, bundle.there);
  return sum;
}

class TreeMaker {
 public:
  explicit TreeMaker(const Fabric& fabric) : fabric_(fabric), servers_(server_count(fabric)) {}

  ServerTree make() {
    for (std::uint32_t server = 0; server < servers_; server++) {
      tree_.domain.push_back(fabric_.domain_of(EndpointId(server * fabric_.per_node)));
      if (!fabric_.drawn) tree_.levels = std::max(tree_.levels, depth_of(server));
    }
    for (std::uint32_t server = 0; server < servers_; server++)
      for (std::uint32_t level = 0; level < tree_.levels; level++) tree_.above.push_back(block_at(server, level));
    if (fabric_.drawn) return std::move(tree_);
    for (std::size_t block = 0; block < members_.size(); block++)
      for (const BlockId one : members_[block]) tree_.rate[block] += rate_above(fabric_, one);
    return std::move(tree_);
  }

 private:
  [[nodiscard]] std::uint32_t depth_of(std::uint32_t server) const {
    return static_cast<std::uint32_t>(chain_above(fabric_, fabric_.leaf_of(EndpointId(server * fabric_.per_node))).size());
  }

  /// The block of the first GPU names it; those of the others belong to it, too.
  std::uint32_t block_at(std::uint32_t server, std::uint32_t level) {
    const std::uint32_t first = server * fabric_.per_node, end = std::min(first + fabric_.per_node, fabric_.endpoints());
    const BlockId own = fabric_.drawn ? fabric_.leaf_of(EndpointId(first)) : at_level(first, level);
    const auto [entry, fresh] = index_.try_emplace({level, own}, static_cast<std::uint32_t>(tree_.rate.size()));
    if (fresh) {
      tree_.rate.push_back(0);
      tree_.level_of.push_back(level);
      members_.emplace_back();
    }
    for (std::uint32_t endpoint = first; endpoint < end; endpoint++) {
      const InterfaceId interface = fabric_.interface_of(EndpointId(endpoint));
      if (fabric_.drawn)
        tree_.rate[entry->second] += bytes_per_second(fabric_, host_up_trunk(fabric_, interface));
      else
        members_[entry->second].insert(at_level(endpoint, level));
    }
    return entry->second;
  }

  /// The top block stands for levels above it where others have more.
  [[nodiscard]] BlockId at_level(std::uint32_t endpoint, std::uint32_t level) const {
    const std::vector<BlockId> chain = chain_above(fabric_, fabric_.leaf_of(EndpointId(endpoint)));
    return chain[std::min<std::size_t>(level, chain.size() - 1)];
  }

  const Fabric& fabric_;
  const std::uint32_t servers_;
  ServerTree tree_;
  std::map<std::pair<std::uint32_t, BlockId>, std::uint32_t> index_;
  std::vector<std::set<BlockId>> members_;
};

}  // namespace

ServerTree tree_of(const Fabric& fabric) { return TreeMaker(fabric).make(); }

}  // namespace railyard
