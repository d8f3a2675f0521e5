#include "trace/order.h"

#include <vector>

namespace railyard {

namespace {

/// Ends everything that nothing holds up any more.
class EndingOrder {
 public:
  explicit EndingOrder(const TraceGraph& graph)
      : graph_(graph), waits_(graph.nodes.size()), absent_(graph.calls.size()), is_first_(graph.calls.size(), true) {
    for (const TraceNodeId id : ids(graph.nodes)) waits_[id] = graph.waits[id] + (is(id, TraceOp::receive) ? 1 : 0);
    for (const TraceCallId call : ids(graph.calls)) {
      absent_[call] = static_cast<std::uint32_t>(graph.callers.row(call).size());
      if (graph.calls[call].next.valid()) is_first_[graph.calls[call].next] = false;
    }
  }

  /// Nodes that are left.
  std::size_t run() {
    for (const TraceNodeId id : ids(graph_.nodes))
      if (waits_[id] == 0) ready_.push_back(id);
    while (!ready_.empty()) {
      const TraceNodeId id = ready_.back();
      ready_.pop_back();
      for (const TraceNodeId after : graph_.after_begin.row(id)) let_go(after);
      if (is(id, TraceOp::collective))
        arrive(graph_.call_of(id));
      else
        end(id);
    }
    return graph_.nodes.size() - ended_;
  }

  [[nodiscard]] bool waits(TraceNodeId id) const { return waits_[id] > 0; }

 private:
  [[nodiscard]] bool is(TraceNodeId id, TraceOp op) const { return graph_.nodes[id].op == op; }

  void let_go(TraceNodeId id) {
    if (--waits_[id] == 0) ready_.push_back(id);
  }

  void end(TraceNodeId id) {
    ended_++;
    for (const TraceNodeId after : graph_.after_end.row(id)) let_go(after);
    if (is(id, TraceOp::send)) let_go(graph_.message_end(id));
  }

  void arrive(TraceCallId call) {
    absent_[call]--;
    while (call.valid() && absent_[call] == 0 && is_first_[call]) {
      for (const TraceNodeId caller : graph_.callers.row(call)) end(caller);
      call = graph_.calls[call].next;
      if (call.valid()) is_first_[call] = true;
    }
  }

  const TraceGraph& graph_;
  Table<TraceNodeId, std::uint32_t> waits_;
  Table<TraceCallId, std::uint32_t> absent_;
  Table<TraceCallId, std::uint8_t> is_first_;  // of its group, of those that are not over
  std::vector<TraceNodeId> ready_;
  std::size_t ended_ = 0;
};

}  // namespace

TraceNodeId first_in_circle(const TraceGraph& graph) {
  EndingOrder order(graph);
  if (order.run() == 0) return {};
  for (const TraceNodeId id : ids(graph.nodes))
    if (order.waits(id)) return id;
  for (const TraceNodeId id : ids(graph.nodes))  // ranks that wait in collectives for each other
    if (graph.nodes[id].op == TraceOp::collective) return id;
  return {};
}

}  // namespace railyard
