#include "tools/place/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/printed_text.h"
#include "base/quantity_text.h"
#include "scheduler/host_list.h"

namespace railyard {

namespace {

using Indices = std::vector<std::uint32_t>;

/// Orders lists of names one by one.
struct PathOrder {
  bool operator()(const std::vector<std::string>& a, const std::vector<std::string>& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), is_before);
  }
};
using Groups = std::map<std::vector<std::string>, Indices, PathOrder>;

/// The number that all names have in one place, between the same letters.
std::optional<std::vector<std::uint64_t>> numbers_in(const std::vector<ListedNode>& nodes) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::uint64_t kLargest = 1'000'000'000;
  std::vector<std::uint64_t> numbers;
  std::string before, behind;
  for (const ListedNode& node : nodes) {
    const std::size_t last = node.name.find_last_of(kDigits);
    if (last == std::string::npos) return std::nullopt;
    const std::size_t first = node.name.find_last_not_of(kDigits, last) + 1;  // npos + 1 is 0
    const std::string prefix = node.name.substr(0, first), suffix = node.name.substr(last + 1);
    if (numbers.empty()) before = prefix, behind = suffix;
    const auto number = printed::whole_number(node.name.substr(first, last + 1 - first), kLargest);
    if (!number || prefix != before || suffix != behind) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

class Matcher {
 public:
  Matcher(const ListedNodes& list, const Fabric& fabric)
      : nodes_(list.nodes), fabric_(fabric), servers_(server_count(fabric)), server_of_(list.nodes.size(), kNone) {}

  Result<MatchedNodes> match(bool by_switches) {
    if (nodes_.size() > servers_) {
      refuse(nodes_[servers_], fmt::format("the list has {} nodes, and the fabric {} servers", format_count(nodes_.size()),
                                           format_count(servers_)));
    } else if (by_switches) {
      match_switches();
    } else if (nodes_.size() == servers_) {
      in_order(in_natural_order(), 0, "Nodes are servers of the fabric in natural order of their names.");
    } else {
      match_numbers();
    }
    if (!errors_.empty()) return errors_;
    return finish();
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void refuse(const ListedNode& node, std::string what) {
    errors_.push_back({Severity::error, "RY-PLC-010", std::move(what),
                       "let fabric.gpus and the topology be those of the whole cluster, or list fewer nodes", node.where});
  }

  void assume(std::string what, std::string hint) {
    out_.warnings.push_back(
        {Severity::warning, "RY-PLC-014", std::move(what), std::move(hint), {nodes_.front().where.file, 0, 0}});
  }

  [[nodiscard]] Indices in_natural_order() const {
    Indices order(nodes_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return is_before(nodes_[a].name, nodes_[b].name); });
    return order;
  }

  void in_order(const Indices& order, std::uint32_t first, std::string how) {
    for (std::size_t i = 0; i < order.size(); i++) server_of_[order[i]] = first + static_cast<std::uint32_t>(i);
    out_.how = std::move(how);
  }

  /// A list of free nodes alone: their numbers tell how far apart they are.
  void match_numbers() {
    const auto numbers = numbers_in(nodes_);
    const std::uint64_t least = numbers ? *std::min_element(numbers->begin(), numbers->end()) : 0;
    const std::uint64_t most = numbers ? *std::max_element(numbers->begin(), numbers->end()) : UINT64_MAX;
    const std::uint64_t base = least == 0 ? 0 : 1;
    if (!numbers || most >= base + servers_) {
      assume(fmt::format("the list has {} of {} servers, and their names do not tell which", nodes_.size(), servers_),
             "list all nodes with their states, or add the topology; the first servers of the fabric are taken here");
      return in_order(in_natural_order(), 0, "Nodes are the first servers of the fabric, in natural order of their names.");
    }
    for (std::size_t i = 0; i < nodes_.size(); i++) server_of_[i] = static_cast<std::uint32_t>((*numbers)[i] - base);
    out_.how = fmt::format("Nodes are servers of the fabric by the number in their names, from {}.", base);
    if (base == 1 && most < servers_)
      assume("the number in the names of nodes is taken to begin with 1",
             "list all nodes with their states, or add the topology, to be sure");
  }

  /// Servers by leaf, leaves by pod.
  [[nodiscard]] std::vector<std::vector<Indices>> leaves_by_pod() const {
    std::vector<std::vector<Indices>> pods;
    std::map<BlockId, std::size_t> pod_index;
    std::map<BlockId, std::pair<std::size_t, std::size_t>> leaf_index;
    for (std::uint32_t server = 0; server < servers_; server++) {
      const EndpointId first(server * fabric_.per_node);
      const BlockId leaf = fabric_.leaf_of(first), pod = fabric_.drawn ? BlockId(0) : fabric_.pod_of(first);
      const auto [p, new_pod] = pod_index.try_emplace(pod, pods.size());
      if (new_pod) pods.emplace_back();
      std::vector<Indices>& leaves = pods[p->second];
      const auto [l, new_leaf] = leaf_index.try_emplace(leaf, p->second, leaves.size());
      if (new_leaf) leaves.emplace_back();
      pods[l->second.first][l->second.second].push_back(server);
    }
    return pods;
  }

  void match_leaf(const std::string& name, Indices members, const Indices& servers) {
    if (members.size() > servers.size())
      return refuse(nodes_[members[servers.size()]],
                    fmt::format("{} has {} nodes, and a leaf of the fabric {} servers", name, members.size(), servers.size()));
    std::sort(members.begin(), members.end(),
              [&](std::uint32_t a, std::uint32_t b) { return is_before(nodes_[a].name, nodes_[b].name); });
    for (std::size_t i = 0; i < members.size(); i++) server_of_[members[i]] = servers[i];
  }

  /// The switches of some pod, or of all, in order.
  void match_leaves(const Groups& groups, const std::vector<Indices>& leaves) {
    std::size_t at = 0;
    for (const auto& [path, members] : groups) {
      if (at == leaves.size())
        return refuse(nodes_[members.front()], fmt::format("the list has {} leaf switches where the fabric has {} leaves",
                                                           groups.size(), leaves.size()));
      match_leaf(path.back(), members, leaves[at++]);
    }
  }

  void match_switches() {
    Groups groups;
    std::map<std::vector<std::string>, Groups, PathOrder> above;
    for (std::uint32_t i = 0; i < nodes_.size(); i++) {
      const std::vector<std::string>& path = nodes_[i].switches;
      if (path.empty()) continue;  // not free, or merging would have refused it
      groups[path].push_back(i);
      above[{path.begin(), path.end() - 1}][path].push_back(i);
    }
    const std::vector<std::vector<Indices>> pods = leaves_by_pod();
    out_.how = fmt::format("Nodes are servers of the fabric by the switches above them: {} leaf switches.", groups.size());
    if (pods.size() > 1 && above.size() > 1 && above.size() <= pods.size()) {
      std::size_t at = 0;
      for (const auto& [path, some] : above) match_leaves(some, pods[at++]);
      return;
    }
    std::vector<Indices> leaves;
    for (const std::vector<Indices>& pod : pods) leaves.insert(leaves.end(), pod.begin(), pod.end());
    match_leaves(groups, leaves);
  }

  Result<MatchedNodes> finish() {
    out_.names.resize(servers_);
    for (std::size_t i = 0; i < nodes_.size(); i++) {
      if (!nodes_[i].is_free) out_.busy[printed::lower_case(nodes_[i].state)]++;
      if (server_of_[i] == kNone) continue;
      out_.names[server_of_[i]] = nodes_[i].name;
      if (nodes_[i].is_free) out_.free.push_back(server_of_[i]);
    }
    return std::move(out_);
  }

  const std::vector<ListedNode>& nodes_;
  const Fabric& fabric_;
  const std::uint32_t servers_;
  Indices server_of_;
  MatchedNodes out_;
  Diagnostics errors_;
};

}  // namespace

std::uint32_t server_count(const Fabric& fabric) { return (fabric.endpoints() - 1) / fabric.per_node + 1; }

Result<MatchedNodes> match_nodes(const ListedNodes& list, const Fabric& fabric) {
  return Matcher(list, fabric).match(list.tells_switches);
}

}  // namespace railyard
