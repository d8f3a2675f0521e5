#include "trace/edges.h"

namespace railyard {

namespace {

bool is_earlier(const TraceEdges::Edge& a, const TraceEdges::Edge& b) { return a.first < b.first; }

/// Files have edges nearly in order; where they do not, it gives up.
bool sort_by_moving_few(std::vector<TraceEdges::Edge>& edges) {
  constexpr std::size_t kMovesEach = 8;
  std::size_t left = edges.size() * kMovesEach;
  for (std::size_t i = 1; i < edges.size(); i++) {
    const TraceEdges::Edge edge = edges[i];
    std::size_t at = i;
    for (; at > 0 && is_earlier(edge, edges[at - 1]); at--) {
      if (left-- == 0) return edges[at] = edge, false;
      edges[at] = edges[at - 1];
    }
    edges[at] = edge;
  }
  return true;
}

}  // namespace

void TraceEdges::close_part() {
  if (open_.empty()) return;
  if (!sort_by_moving_few(open_)) std::stable_sort(open_.begin(), open_.end(), is_earlier);
  Part& part = parts_.emplace_back();
  for (const auto& [before, after] : open_) {
    part.before.push(before.index());
    part.span.push(std::uint64_t{after.index()} - before.index());
  }
  closed_ += open_.size();
  open_.clear();
}

std::vector<TraceEdges::Head> TraceEdges::heads() const {
  std::vector<Head> out;
  for (std::uint32_t part = 0; part < parts_.size(); part++)
    out.push_back({static_cast<std::uint32_t>(parts_[part].before[0]), part, 0});
  std::make_heap(out.begin(), out.end(), std::greater<>());
  return out;
}

TraceSuccessors::TraceSuccessors(TraceEdges edges, std::size_t nodes) {
  if (edges.empty()) return;
  edges.in_order([&](TraceNodeId before, TraceNodeId after) {
    RY_CHECK(before.index() < nodes && after.index() < nodes, "an edge joins nodes that exist");
    while (starts_.size() <= before.index()) starts_.push(spans_.size());
    spans_.push(std::uint64_t{after.index()} - before.index());
  });
  while (starts_.size() <= nodes) starts_.push(spans_.size());
}

void TraceSuccessors::for_all(const std::function<void(TraceNodeId)>& take) const {
  PackedReader starts(starts_), spans(spans_);
  for (std::size_t node = 0, at = 0; at < spans_.size(); node++)
    for (const std::size_t end = starts[node + 1]; at < end; at++)
      take(TraceNodeId(static_cast<std::uint32_t>(node + spans[at])));
}

TraceWaits::TraceWaits(const TraceSuccessors& after_end, const TraceSuccessors& after_begin, std::size_t nodes)
    : few_(nodes, 0) {
  for (const TraceSuccessors* const edges : {&after_end, &after_begin}) edges->for_all([&](TraceNodeId after) { add(after); });
}

bool TraceWaits::take_of_many(TraceNodeId node) {
  const auto more = many_.find(node.index());
  RY_CHECK(more != many_.end(), "what is beyond few is counted");
  if (--more->second > 0) return false;
  many_.erase(more);
  few_[node.index()]--;
  return false;
}

}  // namespace railyard
