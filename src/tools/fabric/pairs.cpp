#include "tools/fabric/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "engine/wire.h"
#include "fabric/latency.h"
#include "fabric/routes.h"
#include "tools/fabric/drawn_pairs.h"

namespace railyard {

namespace {

/// GPUs at or below one block that share a rail: how many, two of different scale-up domains, and pairs inside one domain.
struct Members {
  double count = 0, inside_domains = 0;  // the latter: ordered pairs, each GPU with itself among them
  std::optional<EndpointId> first, other;
};

struct Pair {
  EndpointId from, to;
};

std::optional<Pair> of_two_domains(const Fabric& f, const Members& a, const Members& b) {
  for (const auto& from : {a.first, a.other})
    for (const auto& to : {b.first, b.other})
      if (from && to && f.domain_of(*from) != f.domain_of(*to)) return Pair{*from, *to};
  return std::nullopt;
}

class Counter {
 public:
  Counter(const Scenario& scenario, const Fabric& fabric)
      : s_(scenario), f_(fabric), local_rails_(f_.rails > 1 ? std::max(1U, f_.rails - f_.host_nics) : 1) {
    members_.resize(f_.blocks.size() * local_rails_);
    inside_below_.resize(f_.blocks.size());
    children_.resize(f_.blocks.size());
    for (const BlockId block : ids(f_.blocks))
      if (f_.blocks[block].parent.valid())
        children_[f_.blocks[block].parent.index()].push_back(block);
      else
        tops_.push_back(block);
    for (std::uint32_t first = 0; first < f_.endpoints(); first += f_.scale_up.domain) add_domain(first);
  }

  std::vector<PairClass> run() {
    const double others = inside_ - f_.endpoints();
    if (others > 0) add("same scale-up domain", {EndpointId(0), EndpointId(1)}, others);
    for (const BlockId block : ids(f_.blocks)) meetings_at(block);
    if (!f_.pods.empty())
      circuits();
    else if (tops_.size() > 1 && f_.scale_up.domain > 1)
      relays();
    return finished();
  }

 private:
  [[nodiscard]] std::uint32_t rail_of(EndpointId gpu) const {
    return local_rails_ == 1 ? 0 : f_.interface_of(gpu).index() % local_rails_;
  }
  Members& at(BlockId block, std::uint32_t rail) { return members_[std::size_t{block.index()} * local_rails_ + rail]; }

  /// Enters the GPUs of one scale-up domain at every block above them.
  void add_domain(std::uint32_t first) {
    std::map<std::pair<BlockId, std::uint32_t>, double> counts;
    const std::uint32_t end = std::min(first + f_.scale_up.domain, f_.endpoints());
    for (std::uint32_t i = first; i < end; i++) {
      const EndpointId gpu(i);
      for (BlockId block = f_.leaf_of(gpu); block.valid(); block = f_.blocks[block].parent) {
        counts[{block, rail_of(gpu)}] += 1;
        Members& m = at(block, rail_of(gpu));
        m.count += 1;
        if (!m.first)
          m.first = gpu;
        else if (!m.other && f_.domain_of(*m.first) != f_.domain_of(gpu))
          m.other = gpu;
      }
    }
    for (auto entry = counts.begin(); entry != counts.end();) {
      const BlockId block = entry->first.first;
      double below = 0;
      for (; entry != counts.end() && entry->first.first == block; ++entry) {
        at(block, entry->first.second).inside_domains += entry->second * entry->second;
        below += entry->second;
      }
      inside_below_[block.index()] += below * below;
    }
    inside_ += static_cast<double>(end - first) * (end - first);
  }

  /// Ordered pairs of different domains below a block: all, and those of one rail.
  double pairs_below(BlockId block, bool same_rail) {
    if (!same_rail) return count_below(block) * count_below(block) - inside_below_[block.index()];
    double sum = 0;
    for (std::uint32_t rail = 0; rail < local_rails_; rail++)
      sum += at(block, rail).count * at(block, rail).count - at(block, rail).inside_domains;
    return sum;
  }

  double meeting(BlockId block, bool same_rail) {
    double pairs = pairs_below(block, same_rail);
    for (const BlockId child : children_[block.index()]) pairs -= pairs_below(child, same_rail);
    return pairs;
  }

  /// Two GPUs whose paths meet at `block` and no lower.
  std::optional<Pair> example(BlockId block, bool same_rail) {
    const std::vector<BlockId>& children = children_[block.index()];
    if (children.empty()) {
      for (std::uint32_t a = 0; a < local_rails_; a++)
        for (std::uint32_t b = 0; b < local_rails_; b++)
          if (const auto pair = (a == b) == same_rail ? of_two_domains(f_, at(block, a), at(block, b)) : std::nullopt)
            return pair;
      return std::nullopt;
    }
    for (std::size_t i = 0; i < children.size(); i++)
      for (std::size_t j = i + 1; j < children.size(); j++)
        for (std::uint32_t a = 0; a < local_rails_; a++)
          for (std::uint32_t b = 0; b < local_rails_; b++)
            if (const auto pair =
                    (a == b) == same_rail ? of_two_domains(f_, at(children[i], a), at(children[j], b)) : std::nullopt)
              return pair;
    return std::nullopt;
  }

  void meetings_at(BlockId block) {
    const double same = meeting(block, true), all = meeting(block, false);
    const std::string name = meeting_name(block);
    const bool railed = local_rails_ > 1 && !children_[block.index()].empty();
    if (const auto pair = same > 0.5 ? example(block, true) : std::nullopt)
      add(railed && f_.topology != Topology::rail_only ? "same rail, " + name : name, *pair, same);
    if (const auto pair = all - same > 0.5 ? example(block, false) : std::nullopt)
      add(railed ? "another rail, " + name : name, *pair, all - same);
  }

  [[nodiscard]] std::string meeting_name(BlockId block) const {
    switch (f_.blocks[block].kind) {
      case NodeKind::leaf:
        return f_.topology == Topology::star ? "through the switch" : "under one leaf";
      case NodeKind::spine:
        return s_.fabric.topology != Topology::hybrid && (tops_.size() > 1 || f_.blocks[block].parent.valid()) &&
                       f_.topology != Topology::rail_only
                   ? "across leaves of a pod"
                   : "across leaves";
      case NodeKind::gateway:
        return "across the boundary";
      default:
        return "across pods";
    }
  }

  void circuits() {
    std::map<std::uint32_t, std::pair<double, std::optional<Pair>>> by_distance;
    double all = 0, apart = static_cast<double>(f_.endpoints()) * f_.endpoints() - inside_;  // the latter: of different domains
    for (const BlockId top : tops_) apart -= pairs_below(top, false);
    for (std::uint32_t a = 0; a < f_.pods.size(); a++)
      for (std::uint32_t b = 0; b < f_.pods.size(); b++) {
        if (a == b) continue;
        std::uint32_t distance = 0;
        for (std::uint32_t pod = a; pod != b; pod = f_.next_pod[pod][b]) distance++;
        auto& [pairs, pair] = by_distance[distance];
        for (std::uint32_t i = 0; i < local_rails_; i++)
          for (std::uint32_t j = 0; j < local_rails_; j++) {
            pairs += at(f_.pods[a], i).count * at(f_.pods[b], j).count;
            all += at(f_.pods[a], i).count * at(f_.pods[b], j).count;
            if (!pair) pair = of_two_domains(f_, at(f_.pods[a], i), at(f_.pods[b], j));
          }
      }
    for (const auto& [distance, found] : by_distance)
      if (found.second)
        add(fmt::format("across pods, {} circuit{}", distance, distance == 1 ? "" : "s"), *found.second,
            found.first * apart / all);
  }

  double count_below(BlockId block) {
    double sum = 0;
    for (std::uint32_t rail = 0; rail < local_rails_; rail++) sum += at(block, rail).count;
    return sum;
  }

  /// Rails that meet nowhere: a message is handed to a GPU of its own server that is on the right one.
  void relays() {
    for (std::uint32_t first = 0; first < f_.endpoints(); first += f_.per_node)
      for (const BlockId top : tops_) relays_of_server(first, top);
  }

  void relays_of_server(std::uint32_t first, BlockId top) {
    const std::uint32_t end = std::min(first + f_.per_node, f_.endpoints());
    const std::optional<EndpointId> goal = first_below(top);
    std::optional<EndpointId> from;
    double senders = 0;
    for (std::uint32_t i = first; i < end; i++)
      if (f_.pod_of(EndpointId(i)) != top) senders++, from = from ? from : EndpointId(i);
    if (!from || !goal) return;
    const BlockId leaf = f_.leaf_of(relay_of(f_, *from, *goal));
    double own_leaf = 0, own_top = 0;  // of the domain itself, which no relay is needed for
    const std::uint32_t start = f_.domain_of(*from) * f_.scale_up.domain;
    for (std::uint32_t i = start; i < std::min(start + f_.scale_up.domain, f_.endpoints()); i++) {
      own_leaf += f_.leaf_of(EndpointId(i)) == leaf ? 1 : 0;
      own_top += f_.pod_of(EndpointId(i)) == top ? 1 : 0;
    }
    const double near = senders * (count_below(leaf) - own_leaf);
    const double far = senders * (count_below(top) - own_top) - near;
    if (near > 0.5) add_relay("another rail, under its leaf", *from, leaf, near);
    for (const BlockId other : far > 0.5 ? children_[top.index()] : std::vector<BlockId>{})
      if (other != leaf && add_relay("another rail, across leaves", *from, other, far)) break;
  }

  [[nodiscard]] std::optional<EndpointId> first_below(BlockId block) {
    for (std::uint32_t rail = 0; rail < local_rails_; rail++)
      if (at(block, rail).first) return at(block, rail).first;
    return std::nullopt;
  }

  bool add_relay(const std::string& name, EndpointId from, BlockId leaf, double pairs) {
    Members sender;
    sender.first = from;
    for (std::uint32_t rail = 0; rail < local_rails_; rail++)
      if (const auto pair = of_two_domains(f_, sender, at(leaf, rail))) {
        if (const auto known = relay_class_.find(name); known != relay_class_.end())
          known->second->pairs += pairs;  // all alike: one way is enough
        else
          relay_class_[name] = &add(name, *pair, pairs);
        return true;
      }
    return false;
  }

  PairClass& add(std::string name, Pair pair, double pairs) {
    const TrunkPath path = path_of(f_, pair.from, pair.to);
    std::set<std::uint32_t> hops;
    for (const TrunkShare& step : path) {
      const NodeKind to = f_.kind[f_.port_to[f_.trunk_ports[step.trunk].front()]];
      if (to != NodeKind::host && to != NodeKind::scale_up) hops.insert(step.hop);
    }
    if (s_.fabric.topology == Topology::hybrid && in_island(pair.from) && in_island(pair.to)) name += ", island";
    const Picoseconds latency = small_message(s_, f_, pair.from, pair.to);
    PairClass& c = classes_[{latency, name, hops.size()}];
    c.name = name;
    c.switches = static_cast<std::uint32_t>(hops.size());
    c.latency_least = c.latency_most = latency;
    c.pairs += pairs;
    return c;
  }

  [[nodiscard]] bool in_island(EndpointId gpu) const { return gpu.index() >= f_.endpoints() - s_.fabric.island_gpus(); }

  std::vector<PairClass> finished() {
    std::vector<PairClass> all;
    const double pairs = static_cast<double>(f_.endpoints()) * (f_.endpoints() - 1.0);
    for (auto& [key, c] : classes_) {
      c.share = c.pairs / pairs;
      all.push_back(c);
    }
    return all;
  }

  const Scenario& s_;
  const Fabric& f_;
  std::uint32_t local_rails_;
  std::vector<Members> members_;      // by block, then rail
  std::vector<double> inside_below_;  // by block: ordered pairs of one domain
  std::vector<std::vector<BlockId>> children_;
  std::vector<BlockId> tops_;
  double inside_ = 0;
  std::map<std::tuple<Picoseconds, std::string, std::size_t>, PairClass> classes_;
  std::map<std::string, PairClass*> relay_class_;  // nodes of `classes_` stay where they are
};

}  // namespace

Picoseconds small_message(const Scenario& scenario, const Fabric& f, EndpointId from, EndpointId to) {
  const TransportPlan& t = scenario.transport;
  const WireFormat wire{t.mtu, t.header, t.message_header};
  return packet_time(f, path_of(f, from, to), wire.packet_size(64_B));
}

PairTable classify_pairs(const Scenario& scenario, const Fabric& fabric) {
  if (fabric.drawn) return classify_drawn(scenario, fabric);
  return {Counter(scenario, fabric).run(), false};
}

}  // namespace railyard
