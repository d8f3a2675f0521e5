// Where the time of every rank of a trace goes, as its nodes begin and end.
#pragma once

#include <vector>

#include "sim/trace/trace_run.h"
#include "trace/graph.h"

namespace railyard {

class TraceAccounts {
 public:
  explicit TraceAccounts(const TraceGraph& graph) : ranks_(graph.ranks) {
    for (const TraceNodeId id : ids(graph.nodes)) ranks_[graph.nodes.rank(id)].left++;
  }

  void computes(std::uint32_t rank, int change, Picoseconds now) { settle(rank, now).computing += change; }
  void communicates(std::uint32_t rank, int change, Picoseconds now) { settle(rank, now).communicating += change; }
  /// One of its nodes is over.
  void end_node(std::uint32_t rank, Picoseconds now) {
    Rank& one = settle(rank, now);
    if (--one.left == 0) one.times.end = now;
  }

  [[nodiscard]] std::vector<TraceRankTimes> times() const {
    std::vector<TraceRankTimes> out;
    for (const Rank& one : ranks_) out.push_back(one.times);
    return out;
  }

 private:
  struct Rank {
    std::uint64_t left = 0;  // nodes
    int computing = 0, communicating = 0;
    Picoseconds last;
    TraceRankTimes times;
  };

  Rank& settle(std::uint32_t rank, Picoseconds now) {
    Rank& one = ranks_[rank];
    const Picoseconds passed = now - one.last;
    one.last = now;
    if (one.left > 0)
      (one.computing > 0 ? one.times.compute : one.communicating > 0 ? one.times.exposed : one.times.waiting) += passed;
    return one;
  }

  std::vector<Rank> ranks_;
};

}  // namespace railyard
