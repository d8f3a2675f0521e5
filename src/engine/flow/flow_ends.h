// Which flow is through next.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>

#include "base/large_array.h"
#include "engine/flow/flow_state.h"

namespace railyard {

/// When flows are through at the rates they have, the earliest first. A flow that gets another rate is pushed again; what it
/// left behind is dropped when it comes to the front, or when most are like it. `states` is asked and must outlive this.
class FlowEnds {
 public:
  explicit FlowEnds(const LargeArray<FlowState>& states) : states_(states) {}

  void push(Picoseconds at, FlowId flow) { ends_.push({at, flow}); }
  void clear() { ends_ = {}; }

  /// kNever if no flow has a rate.
  [[nodiscard]] Picoseconds next() {
    while (!ends_.empty() && states_[ends_.top().flow.index()].finish != ends_.top().at) ends_.pop();
    return ends_.empty() ? kNever : ends_.top().at;
  }
  /// REQUIRES: next() is not kNever.
  FlowId take() {
    const FlowId flow = ends_.top().flow;
    ends_.pop();
    return flow;
  }

  /// Keeps no more than about twice as many as there are flows.
  void tidy(std::span<const std::uint32_t> active) {
    constexpr std::size_t kFew = 4096;
    if (ends_.size() <= kFew + 2 * active.size()) return;
    LargeArray<FlowEnd> ends;
    for (const std::uint32_t flow : active)
      if (states_[flow].finish != kNever) ends.push_back({states_[flow].finish, FlowId(flow)});
    ends_ = Queue(std::greater<>(), std::move(ends));
  }

 private:
  using Queue = std::priority_queue<FlowEnd, LargeArray<FlowEnd>, std::greater<>>;
  const LargeArray<FlowState>& states_;
  Queue ends_;
};

}  // namespace railyard
