#include "sim/slice/slice_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/quantity_text.h"
#include "fabric/ecmp.h"
#include "fabric/routes.h"
#include "sim/edge_qp_indices.h"
#include "sim/slice/slice_failures.h"
#include "sim/step/collective_time.h"

namespace railyard {

namespace {

constexpr std::uint64_t kMostPackets = std::uint64_t{1} << 29;  // of data, in the window
constexpr std::uint64_t kMostPieces = std::uint64_t{1} << 26;   // of all collectives
constexpr double kLeastShare = 0.05;                            // of a port that background leaves

double fraction_between(Picoseconds start, Picoseconds end, Picoseconds from, Picoseconds to) {
  const Picoseconds first = std::max(start, from), last = std::min(end, to);
  if (last <= first || end <= start) return 0;
  return seconds(last - first) / seconds(end - start);
}

double fraction_within(const FlowRecord& one, Picoseconds from, Picoseconds to) {
  return fraction_between(one.start, one.carried, from, to);
}

double bytes_of(Bytes bytes) { return static_cast<double>(bytes.count()); }

class SlicePlanner {
 public:
  SlicePlanner(const Scenario& scenario, const Network& network, const Placement& placement, const CarriedStep& step)
      : s_(scenario),
        spec_(*scenario.workload.slice),
        network_(network),
        placement_(placement),
        step_(step),
        edge_qp_indices_(network.fabric, step.bundles, network.routing.queue_pairs) {}

  Result<SlicePlan> run() {
    if (step_.collectives.empty()) return refuse("slice", "no collective of this step crosses the network", "use more GPUs");
    if (auto wrong = pick_ranks()) return *wrong;
    if (auto wrong = pick_names()) return *wrong;
    if (auto wrong = pick_window()) return *wrong;
    for (const FlowRecord& one : step_.collectives) {
      if (fraction_within(one, plan_.from, plan_.to) <= 0) continue;
      if (names_.contains(one.what) && add(one)) continue;
      whole_[one.connection.index()] += bytes_of(one.size) * fraction_within(one, plan_.from, plan_.to);
      plan_.others++;
    }
    if (plan_.collectives.empty())
      return refuse(spec_.from ? "slice.from" : "slice", fmt::format("no selected collective is on the network {}", window()),
                    "move the window: railyard run --flows FILE, at fidelity = \"flow\", lists what is sent and when");
    if (plan_.packets > kMostPackets || pieces_ > kMostPieces) return too_many();
    std::stable_sort(plan_.collectives.begin(), plan_.collectives.end(),
                     [](const SlicedCollective& a, const SlicedCollective& b) { return a.start < b.start; });
    plan_.names.assign(names_.begin(), names_.end());
    add_failures();
    add_background();
    return std::move(plan_);
  }

 private:
  Diagnostic refuse(const std::string& key, std::string what, std::string hint) const {
    return {Severity::error, "RY-RUN-051", std::move(what), std::move(hint), s_.keys.where(key)};
  }
  [[nodiscard]] std::string window() const {
    return fmt::format("between {} and {} of the step", format(plan_.from), format(plan_.to));
  }

  Diagnostic too_many() const {
    return {Severity::error, "RY-RUN-052",
            fmt::format("this slice has about {} packets in {} messages; the limit is {} in {}", format_count(plan_.packets),
                        format_count(pieces_), format_count(kMostPackets), format_count(kMostPieces)),
            "use a shorter length, fewer ranks, or one collective",
            s_.keys.where(s_.keys.given("slice.length") ? "slice.length" : "slice")};
  }

  std::optional<Diagnostic> pick_ranks() {
    if (spec_.ranks.empty()) return std::nullopt;
    chosen_.assign(network_.fabric.endpoints(), false);
    for (const std::uint32_t rank : spec_.ranks) {
      if (rank >= placement_.size())
        return refuse("slice.ranks", fmt::format("there is no rank {}", rank),
                      fmt::format("use 0 to {}", placement_.size() - 1));
      chosen_[placement_[RankId(rank)].index()] = true;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> pick_names() {
    std::map<std::string_view, double> moved;
    for (const FlowRecord& one : step_.collectives) {
      if (step_.bundles[one.connection.index()].edges.empty())
        switched_.insert(one.what);
      else
        moved[one.what] += bytes_of(one.size) * static_cast<double>(one.edges);
    }
    if (moved.empty())
      return refuse("slice", "switches add up all that crosses the network, and a slice has what ranks send to each other",
                    "remove parallel.switch_reduction");
    std::vector<std::string> all;
    for (const auto& [name, bytes] : moved) all.emplace_back(name);
    for (const std::string& name : spec_.collectives) {
      const auto found = moved.find(name);
      if (found == moved.end() && switched_.contains(name))
        return refuse("slice.collective",
                      fmt::format("switches add up \"{}\", and a slice has what ranks send to each other", name),
                      "choose another collective, or remove parallel.switch_reduction");
      if (found == moved.end())
        return refuse("slice.collective", fmt::format("no collective \"{}\" crosses the network", printable(name)),
                      fmt::format("those that do: {}", fmt::join(all, ", ")));
      names_.insert(found->first);
    }
    if (!names_.empty()) return std::nullopt;
    if (spec_.from) {
      for (const auto& [name, bytes] : moved) names_.insert(name);
      return std::nullopt;
    }
    const auto most =
        std::max_element(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    names_.insert(most->first);
    return std::nullopt;
  }

  std::optional<Diagnostic> pick_window() {
    if (spec_.from) {
      plan_.from = *spec_.from;
    } else {
      std::optional<Picoseconds> first;
      for (const FlowRecord& one : step_.collectives)
        if (names_.contains(one.what) && (!first || one.start < *first) && touches(step_.bundles[one.connection.index()]))
          first = one.start;
      if (!first)
        return refuse("slice.ranks", "none of these ranks sends or receives what is selected over the network",
                      "use other ranks, or another collective");
      plan_.from = *first;
    }
    plan_.to = plan_.from + spec_.length;
    return std::nullopt;
  }

  [[nodiscard]] bool is_chosen(const Edge& edge) const {
    return chosen_.empty() || chosen_[edge.from.index()] || chosen_[edge.to.index()];
  }
  [[nodiscard]] bool touches(const Bundle& bundle) const {
    return std::any_of(bundle.edges.begin(), bundle.edges.end(), [&](const Edge& edge) { return is_chosen(edge); });
  }

  /// For every edge, whether its group has a chosen rank.
  [[nodiscard]] std::vector<bool> chosen_edges(const Bundle& bundle) const {
    std::vector<bool> all(bundle.edges.size(), chosen_.empty());
    if (chosen_.empty()) return all;
    std::size_t first = 0;
    const auto group = [&](std::size_t end) {
      const bool is =
          std::any_of(bundle.edges.begin() + static_cast<std::ptrdiff_t>(first),
                      bundle.edges.begin() + static_cast<std::ptrdiff_t>(end), [&](const Edge& e) { return is_chosen(e); });
      for (; first < end; first++) all[first] = is;
    };
    for (const std::uint32_t end : bundle.flow_ends) group(end);
    while (first < all.size()) group(first + 1);
    return all;
  }

  std::uint32_t line_of(std::uint32_t bundle, std::uint32_t edge) {
    const auto [entry, is_new] = lines_.try_emplace({bundle, edge}, static_cast<std::uint32_t>(plan_.lines.size()));
    if (is_new) {
      const Edge& one = step_.bundles[bundle].edges[edge];
      plan_.lines.push_back({.from = one.from, .to = one.to, .qp_indices = edge_qp_indices_.of(bundle, edge)});
    }
    return entry->second;
  }

  /// False if none of its groups is selected; the rest of them is background.
  bool add(const FlowRecord& one) {
    const std::uint32_t index = one.connection.index();
    const Bundle& bundle = step_.bundles[index];
    const auto known = edges_.try_emplace(index, chosen_edges(bundle)).first;
    const std::vector<bool>& chosen = known->second;
    const double fraction = fraction_within(one, plan_.from, plan_.to);
    SlicedCollective sliced{.what = one.what, .group = one.group, .stage = one.stage, .start = one.start, .end = one.carried};
    double most = 0;
    for (std::uint32_t edge = 0; edge < bundle.edges.size(); edge++) {
      if (!chosen[edge]) continue;
      const double bytes = bytes_of(one.size) * bundle.edges[edge].share;
      most = std::max(most, bytes);
      sliced.edges.push_back({line_of(index, edge), {}, Bytes(static_cast<std::int64_t>(bytes))});
      plan_.packets += static_cast<std::uint64_t>(bytes * fraction / bytes_of(network_.wire.mtu)) + 1;
    }
    if (sliced.edges.empty()) return false;
    own_[index] += bytes_of(one.size) * fraction;
    if (sliced.edges.size() < bundle.edges.size()) {
      rest_[index] += bytes_of(one.size) * fraction;
      plan_.others++;
    }
    if (one.steps > 1) join_ring(sliced);
    sliced.pieces = cut_into_pieces(most, one.steps);
    if (one.start < plan_.from)
      sliced.first =
          static_cast<std::uint32_t>(sliced.pieces.count * seconds(plan_.from - one.start) / seconds(one.carried - one.start));
    pieces_ += std::uint64_t{sliced.pieces.count - sliced.first} * sliced.edges.size();
    plan_.collectives.push_back(std::move(sliced));
    return true;
  }

  void join_ring(SlicedCollective& sliced) const {
    std::vector<Edge> edges;
    for (const SlicedEdge& edge : sliced.edges) edges.push_back({plan_.lines[edge.line].from, plan_.lines[edge.line].to});
    const std::vector<RingPlace> places = ring_places(edges);
    for (std::size_t i = 0; i < places.size(); i++) sliced.edges[i].place = places[i];
  }

  void add_failures() {
    const Fabric& fabric = network_.fabric;
    plan_.host_faults = faults_within(s_.packet.host_faults, plan_.from, plan_.to);
    live_ = live_at(fabric, network_.routing.weights, network_.failures, plan_.from);
    plan_.failures = changes_within(fabric, network_.failures, plan_.from, plan_.to, s_.packet.failover.convergence);
    plan_.has_failures = reach_lines(fabric, plan_.failures, plan_.host_faults, plan_.lines);
  }

  /// Every port that `edge` may cross as the window begins, with its share of what the edge sends.
  template<class Use>
  void for_each_port(std::uint32_t bundle, std::uint32_t edge, const Use& use) {
    const Edge& one = step_.bundles[bundle].edges[edge];
    const Fabric& fabric = network_.fabric;
    if (!keeps_path(network_.routing.policy)) {
      for (const TrunkShare& step : path_of(fabric, one.from, one.to))
        for (const PortId port : fabric.trunk_ports[step.trunk])
          if (live_.is_live(port))
            use(port, step.share / static_cast<double>(fabric.trunk_ports[step.trunk].size() - live_.down_in(step.trunk)));
      return;
    }
    const QpIndices qp_indices = edge_qp_indices_.of(bundle, edge);
    const std::uint32_t paths = std::max(1U, network_.routing.queue_pairs);
    for (std::uint32_t i = 0; i < paths; i++) {
      path_.clear();
      const FlowHeader header = header_of(fabric, one.from, one.to, qp_indices.local + i, qp_indices.remote + i, numbers_);
      if (live_.all_live())
        find_hashed_path(fabric, one.from, one.to, header, network_.routing.hash, path_);
      else
        find_hashed_path(fabric, live_, one.from, one.to, header, network_.routing.hash, path_);
      for (const PortId port : path_) use(port, 1.0 / paths);
    }
  }

  /// How long something that is selected is on the network in the window.
  [[nodiscard]] Picoseconds busy() const {
    Picoseconds sum, until = plan_.from;
    for (const SlicedCollective& one : plan_.collectives) {
      const Picoseconds first = std::max(one.start, until), last = std::min(one.end, plan_.to);
      if (last <= first) continue;
      sum += last - first;
      until = last;
    }
    return sum;
  }

  [[nodiscard]] static double in(const std::map<std::uint32_t, double>& sums, std::uint32_t bundle) {
    const auto found = sums.find(bundle);
    return found == sums.end() ? 0 : found->second;
  }

  /// Background leaves what selected traffic had beside it in the flow engine, and a little in any case.
  void add_background() {
    if (whole_.empty() && rest_.empty()) return;
    std::vector<double> others(network_.fabric.port_from.size(), 0), own(others);
    std::set<std::uint32_t> bundles;
    for (const auto* sums : {&whole_, &rest_, &own_})
      for (const auto& [bundle, sum] : *sums) bundles.insert(bundle);
    for (const std::uint32_t bundle : bundles) {
      for (const Hop& hop : step_.bundles[bundle].hops)
        for (const PortId port : network_.fabric.trunk_ports[hop.trunk])
          others[port.index()] +=
              in(whole_, bundle) * hop.share / static_cast<double>(network_.fabric.trunk_ports[hop.trunk].size());
      const auto chosen = edges_.find(bundle);
      for (std::uint32_t edge = 0; edge < step_.bundles[bundle].edges.size(); edge++) {
        const bool selected = chosen != edges_.end() && chosen->second[edge];
        const double share = step_.bundles[bundle].edges[edge].share;
        const double other = (in(whole_, bundle) + (selected ? 0 : in(rest_, bundle))) * share;
        const double mine = selected ? in(own_, bundle) * share : 0;
        for_each_port(bundle, edge, [&](PortId port, double fraction) {
          others[port.index()] += other * fraction;
          own[port.index()] += mine * fraction;
        });
      }
    }
    const double wire = bytes_of(network_.wire.mtu + network_.wire.header) / bytes_of(network_.wire.mtu);
    const double window = seconds(plan_.to - plan_.from), active = seconds(busy()),
                 share = s_.workload.gpu->step.scale_out_share;
    plan_.taken.assign(others.size(), BitsPerSecond::zero());
    for (const PortId port : ids(network_.fabric.port_from)) {
      const auto rate = static_cast<double>(network_.fabric.trunk_port_rate[network_.fabric.port_trunk[port]].count());
      const double left = std::max(rate * kLeastShare, own[port.index()] * 8 / active / share);
      const double taken = std::min(others[port.index()] * 8 * wire / window, rate - std::min(left, rate));
      plan_.taken[port.index()] = BitsPerSecond(static_cast<std::int64_t>(taken));
    }
  }

  const Scenario& s_;
  const SliceSpec& spec_;
  const Network& network_;
  const Placement& placement_;
  const CarriedStep& step_;
  EdgeQpIndices edge_qp_indices_;
  LivePorts live_{network_.fabric};  // as the window begins
  QueuePairNumbers numbers_{network_.fabric, network_.routing.hash};
  SlicePlan plan_;
  std::set<std::string_view> names_, switched_;                             // selected; and what switches add up, which is not
  std::vector<bool> chosen_;                                                // by endpoint; empty: all
  std::map<std::uint32_t, std::vector<bool>> edges_;                        // of bundles that selected collectives use
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lines_;  // by bundle and edge
  // Bytes of the busiest edge in the window, by bundle: of what is not selected, of what is, and of groups of that which are
  // not.
  std::map<std::uint32_t, double> whole_, own_, rest_;
  std::uint64_t pieces_ = 0;
  std::vector<PortId> path_;  // scratch
};

}  // namespace

double SlicedCollective::fraction_within(Picoseconds from, Picoseconds to) const {
  return fraction_between(start, end, from, to);
}

Result<SlicePlan> plan_slice(const Scenario& scenario, const Network& network, const Placement& placement,
                             const CarriedStep& step) {
  return SlicePlanner(scenario, network, placement, step).run();
}

}  // namespace railyard
