// Collectives that ranks of a group do together, and who takes part in each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/id.h"
#include "base/packed_numbers.h"
#include "base/units.h"
#include "trace/edges.h"
#include "trace/node.h"

namespace railyard {

using TraceGroupId = Id<struct TraceGroupTag>;  // ranks that do collectives together
using TraceCallId = Id<struct TraceCallTag>;    // one collective of a group

/// The same collective of all ranks of a group. It begins when the last of them is there and the group's call before it is
/// over.
struct TraceCall {
  TraceGroupId group;
  TraceCollective kind = TraceCollective::all_reduce;
  Bytes size;
  TraceCallId next;  // of the group
};

/// Calls group by group, in their order; of each group the nodes of one member after the other.
class TraceCalls {
 public:
  /// Begins the next group.
  void begin_group(std::uint32_t members) {
    of_group_.push({TraceCallId(static_cast<std::uint32_t>(size())), 0, members, callers_});
  }
  /// A call of the group that was begun last.
  void add(TraceCollective kind, Bytes size) {
    OfGroup& group = of_group_[TraceGroupId(static_cast<std::uint32_t>(of_group_.size() - 1))];
    group.calls++;
    callers_ += group.members;
    groups_.push(of_group_.size() - 1);
    whats_.push(static_cast<std::uint64_t>(kind));
    sizes_.push(static_cast<std::uint64_t>(size.count()));
  }
  /// Who makes them: for each group, and each of its members, the node of each call.
  void add_caller(TraceNodeId node) { nodes_.push(node.index()); }

  [[nodiscard]] std::size_t size() const { return groups_.size(); }
  [[nodiscard]] TraceGroupId group_of(TraceCallId id) const {
    return TraceGroupId(static_cast<std::uint32_t>(groups_[id.index()]));
  }
  /// None of a group that has none.
  [[nodiscard]] TraceCallId first_of(TraceGroupId group) const {
    return group.index() < of_group_.size() && of_group_[group].calls > 0 ? of_group_[group].first : TraceCallId();
  }
  /// Ranks that take part.
  [[nodiscard]] std::uint32_t members(TraceCallId id) const { return of_group_[group_of(id)].members; }
  [[nodiscard]] TraceCall operator[](TraceCallId id) const {
    const TraceGroupId group = group_of(id);
    const OfGroup& all = of_group_[group];
    const bool is_last = id.index() + 1 == all.first.index() + all.calls;
    return {group, static_cast<TraceCollective>(whats_[id.index()]), Bytes(static_cast<std::int64_t>(sizes_[id.index()])),
            is_last ? TraceCallId() : TraceCallId(id.index() + 1)};
  }
  /// By position in the group.
  [[nodiscard]] TraceRow callers(TraceCallId id) const {
    const OfGroup& all = of_group_[group_of(id)];
    return {nodes_, all.first_caller + (id.index() - all.first.index()), all.calls, all.members, 0};
  }

 private:
  struct OfGroup {
    TraceCallId first;
    std::uint32_t calls = 0, members = 0;
    std::size_t first_caller = 0;
  };

  Table<TraceGroupId, OfGroup> of_group_;
  PackedNumbers groups_, whats_, sizes_;  // by call
  PackedNumbers nodes_;
  std::size_t callers_ = 0;
};

inline IdRange<TraceCallId> ids(const TraceCalls& calls) { return {TraceCallId(0), static_cast<std::uint32_t>(calls.size())}; }

}  // namespace railyard
