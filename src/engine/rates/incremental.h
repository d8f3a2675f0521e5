// Max-min rates that follow single flows as they come and go.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/units.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// Who is on which lane. Members of a lane lie together; adding and removing take constant time, and no allocation once lanes
/// have been as full before.
class LaneMembers {
 public:
  struct Member {
    std::uint32_t flow;
    std::uint32_t crossing;  // its index in FlowPaths::lane
  };

  /// Keeps what there is. REQUIRES: neither shrinks.
  void resize(std::size_t lanes, std::size_t crossings);
  void clear();
  void add(std::uint32_t lane, Member member);
  void remove(std::uint32_t lane, std::uint32_t crossing);

  [[nodiscard]] std::span<const Member> of(std::uint32_t lane) const {
    return std::span<const Member>(pool_).subspan(rows_[lane].begin, rows_[lane].size);
  }

 private:
  struct Row {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t room = 0;  // 0 or a power of two
  };
  void grow(Row& row);

  LargeArray<Row> rows_;                             // per lane
  LargeArray<std::uint32_t> place_;                  // per crossing that is there: where in its row
  LargeArray<Member> pool_;                          // rows of all sizes
  std::array<std::vector<std::uint32_t>, 32> free_;  // where rows of 2^i members have been left
};

/// The rates of MaxMin::solve for a set of flows that changes by a few at a time, to the last unit. For flows of weight 1 and
/// one priority. For more than about one flow in a hundred at a time, solve and reset() instead. A lane that its flows cannot
/// fill at their caps costs nothing.
///
/// Every lane's level follows from what else holds its flows back (max_min.h); a lane whose level changes wakes those whose own
/// equation that touches, until all hold. Levels for which all equations hold are unique, by the induction in max_min.h: no
/// equation gives less than the least share k, so lanes with that share are at k once they have been looked at and stay there;
/// then so do those of the next level. In the same way settle() ends: lanes are served in turn, so levels come to rest from the
/// lowest upwards.
class IncrementalMaxMin {
 public:
  /// REQUIRES: `paths` has no weights or priorities; it and `capacity` stay until the next bind().
  IncrementalMaxMin() = default;
  IncrementalMaxMin(std::span<const std::int64_t> capacity, const FlowPaths& paths) { bind(capacity, paths); }

  /// Takes longer tables, in which everything there was has the number it had.
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths);
  /// Forgets the flows there are and starts from others. REQUIRES: rate[i] is what MaxMin::solve gave to active[i].
  void reset(std::span<const std::uint32_t> active, std::span<const std::int64_t> rate);

  /// Rates are those of the new set after settle(). REQUIRES: the flow is not there.
  void add(std::uint32_t flow);
  /// REQUIRES: the flow is there.
  void remove(std::uint32_t flow);
  /// Says that a capacity is not what it was at the last settle().
  void capacity_changed(std::uint32_t lane);
  void settle();

  [[nodiscard]] bool active(std::uint32_t flow) const { return flows_[flow].active; }
  /// REQUIRES: the flow is there, and nothing has been added or removed since settle().
  [[nodiscard]] std::int64_t rate(std::uint32_t flow) const { return flows_[flow].limits.least; }
  /// Flows whose rate the last settle() may have changed, new ones among them, in no order that means anything.
  [[nodiscard]] std::span<const std::uint32_t> changed() const { return changed_; }
  /// Lanes looked at since the beginning, for measurements.
  [[nodiscard]] std::uint64_t lanes_visited() const { return lanes_visited_; }

 private:
  /// What holds a flow back, first and second, so that a lane can ask what else does.
  struct Limits {
    std::int64_t least;
    std::int64_t second;  // without `lane`
    std::uint32_t lane;   // whose level is `least`; kNoLane: its cap is
    [[nodiscard]] std::int64_t without(std::uint32_t other) const { return other == lane ? second : least; }
    friend bool operator==(const Limits&, const Limits&) = default;
  };
  struct Flow {
    Limits limits;
    bool active = false;
    bool changed = false;
  };
  struct Lane {
    Int128 most = 0;          // what its flows would put on it at their caps, in 2^-32 units
    std::uint64_t parts = 0;  // what they put on it for every unit of theirs, in 2^-32
    std::int64_t level = kNobody;
    bool awake = false;
  };
  struct Elsewhere {
    std::int64_t limit;
    std::uint64_t part;
  };
  static constexpr std::uint32_t kNoLane = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int64_t kNobody = std::numeric_limits<std::int64_t>::max();  // level of a lane that holds nobody back

  [[nodiscard]] std::span<const std::uint32_t> path(std::uint32_t flow) const;
  [[nodiscard]] std::uint64_t part(std::uint32_t crossing) const {
    return paths_.part.empty() ? kWholePart : paths_.part[crossing];
  }
  [[nodiscard]] std::int64_t cap(std::uint32_t flow) const { return paths_.cap.empty() ? kUnlimitedRate : paths_.cap[flow]; }
  [[nodiscard]] bool may_fill(std::uint32_t lane) const;
  void enter(std::uint32_t flow);
  [[nodiscard]] Limits limits(std::uint32_t flow) const;
  [[nodiscard]] std::int64_t level(std::uint32_t lane);
  [[nodiscard]] std::int64_t level_of_parts(std::uint32_t lane);
  [[nodiscard]] std::int64_t level_from_rates(std::uint32_t lane) const;
  void wake(std::uint32_t lane);
  void tell(std::uint32_t flow, std::uint32_t changed_lane);
  void note_change(std::uint32_t flow);
  void begin_changes();

  std::span<const std::int64_t> capacity_;
  FlowPaths paths_;
  std::int64_t largest_cap_ = 0;
  LaneMembers members_;
  LargeArray<Lane> lanes_;
  LargeArray<Flow> flows_;
  std::vector<std::uint32_t> awake_;  // lanes in the order in which they were woken
  std::vector<std::uint32_t> changed_;
  bool settled_ = true;
  std::vector<std::int64_t> elsewhere_;
  std::vector<Elsewhere> parts_elsewhere_;
  std::uint64_t lanes_visited_ = 0;
};

}  // namespace railyard
