#include "collective/lowering.h"

#include <algorithm>
#include <numeric>

namespace railyard {

Schedule empty_schedule(const Task& task, Chunks chunks) {
  Schedule schedule;
  schedule.kind = task.kind;
  schedule.positions = task.shape.positions;
  schedule.chunks = std::move(chunks);
  return schedule;
}

std::uint32_t pipeline_pieces(const Task& task, std::uint32_t parts) {
  const std::int64_t part = std::max<std::int64_t>(1, task.size.count() / parts);
  const std::int64_t about = (part + kPipelinePiece.count() - 1) / kPipelinePiece.count();
  const std::int64_t wanted =
      task.options.pipeline > 0 ? task.options.pipeline : std::min<std::int64_t>(about, kLongestPipeline);
  return static_cast<std::uint32_t>(std::min(wanted, part));
}

namespace {

void drop_empty(const Schedule& schedule, const Round& round, std::vector<Transfer>& transfers) {
  std::erase_if(transfers,
                [&](const Transfer& transfer) { return schedule.bytes_of(round, transfer, transfer.start) == Bytes::zero(); });
}

}  // namespace

void add_round(Schedule& schedule, std::vector<Transfer> transfers) {
  Round round;
  drop_empty(schedule, round, transfers);
  round.transfers = std::move(transfers);
  if (!round.transfers.empty()) schedule.rounds.push_back(std::move(round));
}

void add_pipeline(Schedule& schedule, std::vector<Transfer> transfers, std::uint32_t pieces, std::uint32_t window) {
  Round round;
  round.times = pieces;
  round.chunk_step = 1;
  round.window = window;
  drop_empty(schedule, round, transfers);
  if (transfers.empty()) return;
  std::uint32_t latest = 0;
  for (const Transfer& transfer : transfers) latest = std::max(latest, transfer.start);
  round.repeats = latest + pieces;
  round.transfers = std::move(transfers);
  schedule.rounds.push_back(std::move(round));
}

void add_rings(Schedule& schedule, const Rings& rings) {
  const std::uint32_t n = schedule.positions, rails = rings.per_domain, domains = n / rails;
  if (domains < 2) return;
  Round round;
  round.repeats = round.times = domains - 1;
  round.chunk_step = (n - rails) * rings.pieces;  // one domain back
  for (std::uint32_t p = 0; p < n; p++) {
    const std::uint32_t first = (p + n - rings.behind * rails) % n;
    round.transfers.push_back({.from = PositionId(p),
                               .to = PositionId((p + rails) % n),
                               .chunk = first * rings.pieces,
                               .chunks = rings.pieces,
                               .reduce = rings.reduce});
  }
  schedule.rounds.push_back(std::move(round));
}

RootedTree rooted_tree(std::vector<std::uint32_t> parent) {
  const auto nodes = static_cast<std::uint32_t>(parent.size());
  RootedTree tree{std::move(parent), std::vector<std::uint32_t>(nodes, 0), std::vector<std::uint32_t>(nodes, 0)};
  for (std::uint32_t node = 0; node < nodes; node++) {
    for (std::uint32_t at = node; tree.parent[at] != RootedTree::kNone; at = tree.parent[at]) {
      tree.depth[node]++;
      RY_CHECK(tree.depth[node] < nodes && tree.parent[at] < nodes, "the path up a tree ends at its root");
    }
    if (tree.depth[node] > 0) continue;
    RY_CHECK(tree.root == RootedTree::kNone, "a tree has one root");
    tree.root = node;
  }
  std::vector<std::uint32_t> deepest_first(nodes);
  std::iota(deepest_first.begin(), deepest_first.end(), 0U);
  std::stable_sort(deepest_first.begin(), deepest_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return tree.depth[a] > tree.depth[b]; });
  for (const std::uint32_t node : deepest_first)
    if (node != tree.root) tree.height[tree.parent[node]] = std::max(tree.height[tree.parent[node]], tree.height[node] + 1);
  RY_CHECK(tree.root != RootedTree::kNone, "a tree has a root");
  return tree;
}

void add_upwards(std::vector<Transfer>& to, const RootedTree& tree, const std::vector<PositionId>& seats, Transfer run) {
  for (std::uint32_t node = 0; node < tree.parent.size(); node++) {
    if (node == tree.root) continue;
    to.push_back(run);
    to.back().from = seats[node];
    to.back().to = seats[tree.parent[node]];
    to.back().start += tree.height[node];
  }
}

void add_downwards(std::vector<Transfer>& to, const RootedTree& tree, const std::vector<PositionId>& seats, Transfer run) {
  for (std::uint32_t node = 0; node < tree.parent.size(); node++) {
    if (node == tree.root) continue;
    to.push_back(run);
    to.back().from = seats[tree.parent[node]];
    to.back().to = seats[node];
    to.back().start += tree.depth[node] - 1;
  }
}

}  // namespace railyard
