#include "trace/order.h"

#include <vector>

namespace railyard {

namespace {

/// Ends everything that nothing holds up any more.
class EndingOrder {
 public:
  explicit EndingOrder(const TraceGraph& graph)
      : graph_(graph),
        waits_(graph.after_end, graph.after_begin, graph.nodes.size()),
        begun_(graph.nodes.size(), false),
        absent_(graph.calls.size()),
        first_(graph.groups.size()) {
    for (const TraceNodeId id : ids(graph.nodes))
      if (is(id, TraceOp::receive)) waits_.add(id);  // for its message
    for (const TraceCallId call : ids(graph.calls)) absent_[call] = graph.calls.members(call);
    for (const TraceGroupId group : ids(graph.groups)) first_[group] = graph.calls.first_of(group);
  }

  /// Nodes that are left.
  std::size_t run() {
    for (const TraceNodeId id : ids(graph_.nodes)) {
      if (!waits_.waits(id) && !begun_[id.index()]) begin(id);
      while (!ready_.empty()) {
        const TraceNodeId next = ready_.back();
        ready_.pop_back();
        begin(next);
      }
    }
    return graph_.nodes.size() - ended_;
  }

  [[nodiscard]] bool waits(TraceNodeId id) const { return waits_.waits(id); }

 private:
  [[nodiscard]] bool is(TraceNodeId id, TraceOp op) const { return graph_.nodes.op(id) == op; }

  void begin(TraceNodeId id) {
    begun_[id.index()] = true;
    for (const TraceNodeId after : graph_.after_begin.row(id)) let_go(after);
    if (is(id, TraceOp::collective))
      arrive(graph_.call_of(id));
    else
      end(id);
  }

  void let_go(TraceNodeId id) {
    if (waits_.take(id)) ready_.push_back(id);
  }

  void end(TraceNodeId id) {
    ended_++;
    for (const TraceNodeId after : graph_.after_end.row(id)) let_go(after);
    if (is(id, TraceOp::send)) let_go(graph_.message_end(id));
  }

  void arrive(TraceCallId call) {
    absent_[call]--;
    TraceCallId& first = first_[graph_.calls.group_of(call)];
    while (first.valid() && absent_[first] == 0) {
      for (const TraceNodeId caller : graph_.calls.callers(first)) end(caller);
      first = graph_.calls[first].next;
    }
  }

  const TraceGraph& graph_;
  TraceWaits waits_;
  std::vector<bool> begun_;
  Table<TraceCallId, std::uint32_t> absent_;
  Table<TraceGroupId, TraceCallId> first_;  // of those that are not over
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
    if (graph.nodes.op(id) == TraceOp::collective) return id;
  return {};
}

}  // namespace railyard
