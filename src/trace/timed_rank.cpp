#include "trace/timed_rank.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace railyard {

namespace {

enum : std::uint16_t { kComputeStream = 0, kOpaqueStream = 1, kHostStream = 2 };

class TimedRank {
 public:
  TimedRank(TraceDraft& draft, std::uint32_t rank) : draft_(draft), rank_(rank) {}

  void add(const TimedEvent& event, std::uint32_t peer) {
    settle(event.start);
    const std::int64_t idle = std::max<std::int64_t>(0, idle_before(event));
    const bool waits_apart = event.node.op != TraceOp::compute && idle > 0;
    if (waits_apart)
      wait_for_last(draft_.nodes.push({.stream = kHostStream, .rank = rank_, .place = event.node.place, .amount = idle}));
    TraceNode node = event.node;
    node.rank = rank_;
    if (node.op == TraceOp::compute) {
      node.stream = event.communicates ? kOpaqueStream : kComputeStream;
      node.amount = event.end - event.start + idle;
    } else {
      node.peer = peer;
    }
    const TraceNodeId id = draft_.nodes.push(node);
    if (waits_apart)
      draft_.after_end.add(TraceNodeId(id.index() - 1), id);
    else
      wait_for_last(id);
    running_.push_back({event.end, id, event.communicates || node.op != TraceOp::compute});
  }

 private:
  struct Running {
    std::int64_t end = 0;
    TraceNodeId node;
    bool communicates = false;
  };

  void settle(std::int64_t now) {
    for (const Running& one : running_)
      if (one.end <= now && (!last_[one.communicates].valid() || one.end >= ended_[one.communicates]))
        last_[one.communicates] = one.node, ended_[one.communicates] = one.end;
    std::erase_if(running_, [&](const Running& one) { return one.end <= now; });
  }

  /// How long nothing ran before it.
  [[nodiscard]] std::int64_t idle_before(const TimedEvent& event) const {
    if (!running_.empty()) return 0;
    std::int64_t idle = event.start;
    for (const bool communicates : {false, true})
      if (last_[communicates].valid()) idle = std::min(idle, event.start - ended_[communicates]);
    return idle;
  }

  void wait_for_last(TraceNodeId id) {
    for (const TraceNodeId one : last_)
      if (one.valid()) draft_.after_end.add(one, id);
  }

  TraceDraft& draft_;
  const std::uint32_t rank_;
  TraceNodeId last_[2] = {};  // compute, communication
  std::int64_t ended_[2] = {};
  std::vector<Running> running_;
};

}  // namespace

void add_timed_rank(TraceDraft& draft, std::uint32_t rank, std::span<const TimedEvent> events,
                    const std::function<std::uint32_t(const TimedEvent&)>& peer) {
  TimedRank adder(draft, rank);
  for (const TimedEvent& event : events) adder.add(event, event.node.op == TraceOp::compute ? 0 : peer(event));
}

}  // namespace railyard
