#include "tools/place/job_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/step/collective_time.h"

namespace railyard {

namespace {

/// Bytes that a member of a group sends in a step, by whether its collectives are rings or all-to-alls.
struct SentByKind {
  std::array<double, kGroupKinds> ring = {}, pairs = {};
};

void add_ops(const std::vector<Op>& ops, double times, SentByKind& sent) {
  for (const Op& op : ops) {
    if (op.kind != OpKind::collective || op.group.size < 2) continue;
    const bool to_all = op.collective == CollectiveKind::all_to_all;
    (to_all ? sent.pairs : sent.ring)[index(op.group.kind)] += times * sent_by(op).all;
  }
}

/// Of every rank of a stage.
SentByKind sent_in_stage(const Step& step, std::uint32_t stage) {
  SentByKind sent;
  for (std::uint16_t chunk = 0; chunk < step.pipeline.chunks; chunk++) {
    const VirtualStageWork& work = step.work({stage, chunk});
    for (const std::vector<Segment>* segments : {&work.forward, &work.backward})
      for (const Segment& segment : *segments)
        add_ops(segment.ops, static_cast<double>(segment.repeats) * step.pipeline.micro_batches, sent);
  }
  for (const auto& ops : step.stages[stage].gradients) add_ops(ops, 1, sent);
  for (const auto& ops : step.stages[stage].gathers) add_ops(ops, 1, sent);
  return sent;
}

class GraphBuilder {
 public:
  GraphBuilder(const Step& step, const RankUnits& units) : step_(step), unit_of_(step.layout.ranks()), links_(units.size()) {
    for (std::size_t unit = 0; unit < units.size(); unit++)
      for (const std::uint32_t rank : units[unit]) unit_of_[rank] = static_cast<std::uint32_t>(unit);
  }

  UnitGraph build() {
    const Layout& layout = step_.layout;
    std::vector<SentByKind> sent;
    for (std::uint32_t stage = 0; stage < layout.pipeline; stage++) sent.push_back(sent_in_stage(step_, stage));
    for (std::size_t kind = 0; kind < kGroupKinds; kind++)
      if (static_cast<GroupKind>(kind) != GroupKind::pipeline) add_groups(static_cast<GroupKind>(kind), sent);
    add_boundaries();
    UnitGraph graph(links_.size());
    for (std::size_t unit = 0; unit < links_.size(); unit++)
      for (const auto& [to, bytes] : links_[unit])
        graph[unit].push_back({to.first, static_cast<GroupKind>(to.second), bytes.out, bytes.in});
    return graph;
  }

 private:
  struct SentBytes {
    double out = 0, in = 0;
  };

  void add(std::uint32_t a, std::uint32_t b, GroupKind kind, double bytes) {
    if (a == b || bytes == 0) return;
    const auto k = static_cast<std::uint8_t>(kind);
    links_[a][{b, k}].out += bytes;
    links_[b][{a, k}].in += bytes;
  }

  void add_groups(GroupKind kind, const std::vector<SentByKind>& sent) {
    const Layout& layout = step_.layout;
    const Group group = layout.group(kind);
    if (group.size < 2) return;
    std::vector<bool> seen(layout.ranks(), false);
    for (std::uint32_t rank = 0; rank < layout.ranks(); rank++) {
      if (seen[rank]) continue;
      const std::vector<std::uint32_t> members = layout.members(group, rank);
      for (const std::uint32_t member : members) seen[member] = true;
      const SentByKind& bytes = sent[layout.position(rank).pipeline];
      if (bytes.ring[index(kind)] > 0) add_ring(members, kind, bytes.ring[index(kind)]);
      if (bytes.pairs[index(kind)] > 0) add_pairs(members, kind, bytes.pairs[index(kind)]);
    }
  }

  void add_ring(const std::vector<std::uint32_t>& members, GroupKind kind, double sent) {
    std::vector<std::uint32_t> units;
    for (const std::uint32_t member : members)
      if (std::find(units.rbegin(), units.rend(), unit_of_[member]) == units.rend()) units.push_back(unit_of_[member]);
    for (std::size_t i = 0; i < units.size(); i++) add(units[i], units[(i + 1) % units.size()], kind, sent);
  }

  void add_pairs(const std::vector<std::uint32_t>& members, GroupKind kind, double sent) {
    std::map<std::uint32_t, double> count;
    for (const std::uint32_t member : members) count[unit_of_[member]]++;
    const double each = sent / static_cast<double>(members.size() - 1);
    for (const auto& [a, of_a] : count)
      for (const auto& [b, of_b] : count) add(a, b, kind, each * of_a * of_b);
  }

  void add_boundaries() {
    const Layout& layout = step_.layout;
    const double bytes = static_cast<double>(step_.boundary.count()) * step_.pipeline.micro_batches * step_.pipeline.chunks;
    for (std::uint32_t rank = 0; rank < layout.ranks() && layout.pipeline > 1; rank++) {
      Position next = layout.position(rank);
      const bool is_last = next.pipeline + 1 == layout.pipeline;
      if (is_last && step_.pipeline.chunks < 2) continue;  // chunks go round
      next.pipeline = is_last ? 0 : next.pipeline + 1;
      const std::uint32_t to = layout.rank(next);
      add(unit_of_[rank], unit_of_[to], GroupKind::pipeline, bytes);
      add(unit_of_[to], unit_of_[rank], GroupKind::pipeline, bytes);
    }
  }

  const Step& step_;
  std::vector<std::uint32_t> unit_of_;
  std::vector<std::map<std::pair<std::uint32_t, std::uint8_t>, SentBytes>> links_;
};

enum class RankAxis : std::uint8_t { context, data, pipeline };
constexpr std::string_view kAxisNames[] = {"context", "data", "pipeline"};
using AxisOrder = std::array<RankAxis, 3>;

std::uint32_t length_of(const Layout& layout, RankAxis axis) {
  return axis == RankAxis::context ? layout.context : axis == RankAxis::data ? layout.data : layout.pipeline;
}

RankUnits units_in(const Layout& layout, const AxisOrder& axes, std::uint32_t per_node) {
  RankUnits units;
  const std::uint32_t a = length_of(layout, axes[0]), b = length_of(layout, axes[1]);
  for (std::uint32_t i = 0; i < layout.ranks(); i++) {
    if (i % per_node == 0) units.emplace_back();
    const std::uint32_t rest = i / layout.tensor;
    std::array<std::uint32_t, 3> at = {};
    at[static_cast<std::size_t>(axes[0])] = rest % a;
    at[static_cast<std::size_t>(axes[1])] = rest / a % b;
    at[static_cast<std::size_t>(axes[2])] = rest / a / b;
    units.back().push_back(layout.rank({i % layout.tensor, at[0], at[1], at[2]}));
  }
  for (auto& unit : units) std::sort(unit.begin(), unit.end());  // launchers count the ranks of a node so
  return units;
}

RankUnits units_as_numbered(const Layout& layout, std::uint32_t per_node) {
  RankUnits units;
  for (std::uint32_t rank = 0; rank < layout.ranks(); rank++) {
    if (rank % per_node == 0) units.emplace_back();
    units.back().push_back(rank);
  }
  return units;
}

}  // namespace

UnitGraph graph_of(const Step& step, const RankUnits& units) { return GraphBuilder(step, units).build(); }

std::vector<UnitOrder> unit_orders(const Layout& layout, std::uint32_t per_node) {
  std::vector<UnitOrder> all = {{"ranks in order", units_as_numbered(layout, per_node)}};
  std::set<RankUnits> seen = {all.front().units};
  AxisOrder axes = {RankAxis::context, RankAxis::data, RankAxis::pipeline};
  do {
    RankUnits units = units_in(layout, axes, per_node);
    if (!seen.insert(units).second) continue;
    std::string name;
    for (const RankAxis axis : axes)
      if (length_of(layout, axis) > 1)
        name += (name.empty() ? "" : " inside ") + std::string(kAxisNames[static_cast<std::size_t>(axis)]);
    all.push_back({std::move(name), std::move(units)});
  } while (std::next_permutation(axes.begin(), axes.end()));
  return all;
}

}  // namespace railyard
