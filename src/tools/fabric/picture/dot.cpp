#include "tools/fabric/picture/dot.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/printable.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::size_t kMostNodes = 2000;

/// Text between double quotes.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class DotWriter {
 public:
  DotWriter(const Fabric& fabric, const FabricSummary& summary) : f_(fabric), s_(summary) {
    std::size_t switches = 0;
    spine_groups_ = f_.blocks_of(NodeKind::spine);
    for (const NodeKind kind : f_.kind) switches += kind != NodeKind::host && kind != NodeKind::scale_up ? 1 : 0;
    fold_hosts_ = !f_.drawn && f_.kind.size() > kMostNodes;
    fold_switches_ = fold_hosts_ && switches > kMostNodes;
  }

  std::string run() {
    std::string label = s_.name;
    if (fold_hosts_) label += " (hosts of a leaf are drawn as one node)";
    if (fold_switches_) label += " (so are the switches of a group)";
    out_ = fmt::format(
        "graph fabric {{\n  label={};\n  labelloc=t;\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n",
        quoted(label));
    std::map<BlockId, std::string> pods;  // by the spines that serve them
    std::string outside;
    for (const NodeId node : ids(f_.kind)) {
      const std::string name = name_of_node(node);
      if (!seen_.insert(name).second) continue;
      const BlockId pod = pod_of(node);
      (pod.valid() ? pods[pod] : outside) += fmt::format("  {} [label={}{}];\n", name, quoted(label_of(node)), style_of(node));
    }
    for (const auto& [pod, nodes] : pods)
      out_ += fmt::format("  subgraph cluster_{} {{\n  label={};\n{}  }}\n", pod.index(), quoted(pod_label(pod)), nodes);
    out_ += outside;
    edges();
    return out_ + "}\n";
  }

 private:
  [[nodiscard]] BlockId leaf_of(NodeId host) const { return f_.leaf[InterfaceId(host.index())]; }

  /// The cluster of a node: below its spines where the fabric has pods, else below its leaf.
  [[nodiscard]] BlockId pod_of(NodeId node) const {
    if (f_.drawn || f_.kind[node] == NodeKind::scale_up) return {};
    const BlockId block = f_.kind[node] == NodeKind::host ? leaf_of(node) : f_.block_of[node];
    const NodeKind kind = f_.blocks[block].kind;
    if (kind == NodeKind::core || kind == NodeKind::gateway) return {};
    if (spine_groups_ < 2) return kind == NodeKind::leaf ? block : BlockId();
    return kind == NodeKind::leaf && f_.blocks[block].parent.valid() ? f_.blocks[block].parent : block;
  }
  [[nodiscard]] std::string pod_label(BlockId block) const {
    return f_.blocks[block].kind == NodeKind::leaf ? fmt::format("leaf group {}", block.index())
                                                   : fmt::format("pod {}", block.index() - f_.blocks_of(NodeKind::leaf));
  }

  [[nodiscard]] std::string name_of_node(NodeId node) const {
    if (f_.kind[node] == NodeKind::host && fold_hosts_) return fmt::format("hosts{}", leaf_of(node).index());
    if (f_.kind[node] == NodeKind::scale_up && fold_hosts_) return "scale_up";
    if (fold_switches_ && f_.kind[node] != NodeKind::host && f_.kind[node] != NodeKind::scale_up)
      return fmt::format("group{}", f_.block_of[node].index());
    return fmt::format("n{}", node.index());
  }

  [[nodiscard]] std::string label_of(NodeId node) const {
    if (f_.drawn) return f_.names[node.index()];
    const NodeKind kind = f_.kind[node];
    if (kind == NodeKind::host && fold_hosts_) return fmt::format("hosts of leaf {}", leaf_of(node).index());
    if (kind == NodeKind::scale_up && fold_hosts_) return fmt::format("{} scale-up domains", format_count(f_.count(kind)));
    if (kind == NodeKind::host)
      return node.index() < f_.interfaces ? fmt::format("GPU {}", node.index() * f_.per_interface)
                                          : fmt::format("server NIC {}", node.index() - f_.interfaces);
    if (kind == NodeKind::scale_up) return fmt::format("domain {}", node.index() - f_.scale_up.first_switch.index());
    const Block& block = f_.blocks[f_.block_of[node]];
    if (fold_switches_) return fmt::format("{} × {}", block.width, name_of(kind));
    return fmt::format("{} {}", name_of(kind), node.index() - static_cast<std::uint32_t>(f_.leaf.size()));
  }

  [[nodiscard]] std::string style_of(NodeId node) const {
    switch (f_.kind[node]) {
      case NodeKind::host:
        return ", style=filled, fillcolor=\"#dafbe1\"";
      case NodeKind::scale_up:
        return ", shape=ellipse, color=\"#1a7f37\"";
      default:
        return ", style=filled, fillcolor=\"#ddf4ff\"";
    }
  }

  void edges() {
    std::map<std::pair<std::string, std::string>, std::map<BitsPerSecond, std::uint64_t>> cables;
    for (const PortId port : ids(f_.port_from)) {
      const Tier tier = f_.trunk_tier[f_.port_trunk[port]];
      const NodeId from = f_.port_from[port], to = f_.port_to[port];
      const bool one_way = tier == Tier::host_up || tier == Tier::leaf_up || tier == Tier::spine_up;
      const bool counted = one_way || ((tier == Tier::across || tier == Tier::scale_up) && (from < to || is_down(tier, to)));
      if (!counted || (fold_hosts_ && tier == Tier::scale_up)) continue;
      cables[{name_of_node(from), name_of_node(to)}][f_.trunk_port_rate[f_.port_trunk[port]]]++;
    }
    for (const auto& [ends, rates] : cables) {
      std::string label;
      for (const auto& [rate, count] : rates)
        label += (label.empty() ? "" : ", ") +
                 (count == 1 ? format(rate) : fmt::format("{} × {}", format_count(count), format(rate)));
      out_ += fmt::format("  {} -- {} [label={}];\n", ends.first, ends.second, quoted(label));
    }
  }

  /// A scale-up link is one cable even where its far end has the lower number (a drawn switch always has the higher).
  [[nodiscard]] bool is_down(Tier tier, NodeId to) const { return tier == Tier::scale_up && f_.kind[to] == NodeKind::scale_up; }

  const Fabric& f_;
  const FabricSummary& s_;
  bool fold_hosts_ = false, fold_switches_ = false;
  std::uint32_t spine_groups_ = 0;
  std::set<std::string> seen_;
  std::string out_;
};

}  // namespace

std::string fabric_dot(const Fabric& fabric, const FabricSummary& summary) { return DotWriter(fabric, summary).run(); }

}  // namespace railyard
