#include "analysis/packets/pause_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace railyard {

namespace {

constexpr std::int64_t kStillFelt = 4;  // times the mean pause of a port

class Builder {
 public:
  Builder(const Fabric& fabric, const PacketRecord& packets) : fabric_(fabric), packets_(packets) {}

  PauseTree run() {
    for (const PauseRecord& pause : packets_.pause_log) add(pause);
    tree_.is_whole = packets_.pause_log.size() >= packets_.pauses;
    measure();
    return std::move(tree_);
  }

 private:
  using PortClass = std::pair<PortId, std::uint8_t>;  // a port and a class
  struct Last {
    std::uint32_t node = 0;
    Picoseconds at;
  };

  void add(const PauseRecord& pause) {
    const std::uint32_t parent = cause_of(pause);
    const auto existing = ancestor(parent, pause.paused_port);
    if (existing) tree_.cycles++;
    const std::uint32_t node = existing ? *existing : below(parent, pause);
    tree_.nodes[node].pauses++;
    tree_.nodes[root_of(node)].pauses++;
    last_[{pause.paused_port, pause.traffic_class}] = {node, pause.at};
  }

  /// The node whose queue the pause was sent for, or a new root.
  std::uint32_t cause_of(const PauseRecord& pause) {
    if (pause.cause.valid()) {
      const auto last = last_.find({pause.cause, pause.traffic_class});
      if (last != last_.end() && pause.at - last->second.at <= still_felt(pause.cause)) return last->second.node;
    }
    const NodeId host = pause.cause.valid() ? NodeId() : fabric_.port_to[pause.paused_port];
    const auto [entry, is_new] = roots_.try_emplace({pause.cause, host}, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (is_new) tree_.nodes.push_back({.port = pause.cause, .host = host, .parent = {}, .first = pause.at});
    return entry->second;
  }

  [[nodiscard]] Picoseconds still_felt(PortId port) const {
    const PortRecord& record = packets_.ports[port];
    if (record.pauses == 0) return Picoseconds::max();
    return record.paused / static_cast<std::int64_t>(record.pauses) * kStillFelt;
  }

  /// `port` on the way from `node` to its root.
  [[nodiscard]] std::optional<std::uint32_t> ancestor(std::uint32_t node, PortId port) const {
    for (std::optional<std::uint32_t> at = node; at && tree_.nodes[*at].parent; at = tree_.nodes[*at].parent)
      if (tree_.nodes[*at].port == port) return at;
    return std::nullopt;
  }

  std::uint32_t below(std::uint32_t parent, const PauseRecord& pause) {
    const auto [entry, is_new] =
        below_.try_emplace({parent, pause.paused_port}, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (is_new)
      tree_.nodes.push_back(
          {.port = pause.paused_port, .host = {}, .parent = parent, .depth = tree_.nodes[parent].depth + 1, .first = pause.at});
    return entry->second;
  }

  [[nodiscard]] std::uint32_t root_of(std::uint32_t node) const {
    while (tree_.nodes[node].parent) node = *tree_.nodes[node].parent;
    return node;
  }

  void measure() {
    std::map<std::uint32_t, std::set<PortId>> at_depth;
    std::set<PortId> paused_ports;
    for (std::uint32_t i = 0; i < tree_.nodes.size(); i++) {
      const PauseNode& node = tree_.nodes[i];
      if (!node.parent) {
        tree_.roots.push_back(i);
        continue;
      }
      at_depth[node.depth].insert(node.port);
      paused_ports.insert(node.port);
    }
    for (const auto& [depth, ports] : at_depth) {
      tree_.depth = std::max(tree_.depth, depth);
      tree_.width = std::max(tree_.width, static_cast<std::uint32_t>(ports.size()));
    }
    tree_.ports = paused_ports.size();
    for (const PortId port : paused_ports)
      if (fabric_.kind[fabric_.port_from[port]] == NodeKind::host) tree_.hosts++;
    most_first(tree_.roots);
    tree_.children.resize(tree_.nodes.size());
    for (std::uint32_t i = 0; i < tree_.nodes.size(); i++)
      if (tree_.nodes[i].parent) tree_.children[*tree_.nodes[i].parent].push_back(i);
    for (std::vector<std::uint32_t>& children : tree_.children) most_first(children);
  }

  void most_first(std::vector<std::uint32_t>& nodes) const {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return tree_.nodes[a].pauses > tree_.nodes[b].pauses; });
  }

  const Fabric& fabric_;
  const PacketRecord& packets_;
  PauseTree tree_;
  std::map<PortClass, Last> last_;
  std::map<std::pair<PortId, NodeId>, std::uint32_t> roots_;
  std::map<std::pair<std::uint32_t, PortId>, std::uint32_t> below_;
};

}  // namespace

PauseTree pause_tree(const Fabric& fabric, const PacketRecord& packets) { return Builder(fabric, packets).run(); }

}  // namespace railyard
