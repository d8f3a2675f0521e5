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

/// Who is on which link. Members of a link lie together; adding and removing take constant time, and no allocation once links
/// have been as full before.
class LinkMembers {
 public:
  struct Member {
    std::uint32_t flow;
    std::uint32_t crossing;  // its index in FlowPaths::link
  };

  /// Keeps what there is. REQUIRES: neither shrinks.
  void resize(std::size_t links, std::size_t crossings);
  /// For tables of any size. REQUIRES: no link has members.
  void restart(std::size_t links, std::size_t crossings);
  void clear(std::uint32_t link) { rows_[link].size = 0; }
  void add(std::uint32_t link, Member member);
  void remove(std::uint32_t link, std::uint32_t crossing);

  [[nodiscard]] std::span<const Member> of(std::uint32_t link) const {
    return std::span<const Member>(pool_).subspan(rows_[link].begin, rows_[link].size);
  }

 private:
  struct Row {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t room = 0;  // 0 or a power of two
  };
  void grow(Row& row);

  LargeArray<Row> rows_;                             // per link
  LargeArray<std::uint32_t> position_;               // per crossing that is there: where in its row
  LargeArray<Member> pool_;                          // rows of all sizes
  std::array<std::vector<std::uint32_t>, 32> free_;  // where rows of 2^i members have been left
};

/// The rates of MaxMin::solve for a set of flows that changes by a few at a time, to the last unit. For flows of weight 1 and
/// one priority. For more than about one flow in a hundred at a time, solve and restart() instead. A link that its flows cannot
/// fill at their caps costs nothing, one that they do not fill an addition for every flow whose rate changes.
///
/// Every link's level follows from what else holds its flows back (max_min.h); a link whose level changes wakes those whose own
/// equation that touches, until all hold. Levels for which all equations hold are unique, by the induction in max_min.h: no
/// equation gives less than the least share k, so links with that share are at k once they have been looked at and stay there;
/// then so do those of the next level. In the same way solve() ends: links are served in turn, so levels come to rest from the
/// lowest upwards.
class IncrementalMaxMin {
 public:
  /// REQUIRES: `paths` has no weights or priorities; it and `capacity` stay until the next bind().
  IncrementalMaxMin() = default;
  IncrementalMaxMin(std::span<const std::int64_t> capacity, const FlowPaths& paths) { bind(capacity, paths); }

  /// Takes longer tables, in which everything there was has the number it had.
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths);
  /// Forgets the flows there are and starts from others, on tables that need not have anything in common with those before:
  /// where ports fail and come back, paths become longer and shorter. REQUIRES: rate[i] is what MaxMin::solve gave to
  /// active[i].
  void restart(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active,
               std::span<const std::int64_t> rate);

  /// Rates are those of the new set after solve(). REQUIRES: the flow is not there.
  void add(std::uint32_t flow);
  /// REQUIRES: the flow is there.
  void remove(std::uint32_t flow);
  /// Says that a capacity is not what it was at the last solve().
  void capacity_changed(std::uint32_t link);
  /// Gives up when it has looked at more members of links than `most`, and returns false: then only restart() helps.
  bool solve(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

  [[nodiscard]] bool active(std::uint32_t flow) const { return flows_[flow].active; }
  /// REQUIRES: the flow is there, and nothing has been added or removed since solve().
  [[nodiscard]] std::int64_t rate(std::uint32_t flow) const { return flows_[flow].limits.least; }
  /// Flows whose rate the last solve() may have changed, new ones among them, in no order that means anything.
  [[nodiscard]] std::span<const std::uint32_t> changed() const { return changed_; }
  /// Links and members of links looked at since the beginning, for measurements.
  [[nodiscard]] std::uint64_t links_visited() const { return links_visited_; }
  [[nodiscard]] std::uint64_t members_visited() const { return members_visited_; }

 private:
  /// What holds a flow back, first and second, so that a link can ask what else does.
  struct Limits {
    std::int64_t least;
    std::int64_t second;  // without `link`
    std::uint32_t link;   // whose level is `least`; kNoLink: its cap is
    [[nodiscard]] std::int64_t without(std::uint32_t other) const { return other == link ? second : least; }
    friend bool operator==(const Limits&, const Limits&) = default;
  };
  struct Flow {
    Limits limits;
    bool active = false;
    bool changed = false;
  };
  struct Link {
    Int128 most = 0;              // what its flows would put on it at their caps, in 2^-32 units
    Int128 elsewhere = 0;         // the same with what else than this link holds each of them back
    std::uint64_t fractions = 0;  // what they put on it for every unit of theirs, in 2^-32
    std::int64_t level = kNobody;
    bool awake = false;
    bool used = false;  // since the last restart
  };
  struct Elsewhere {
    std::int64_t limit;
    std::uint64_t fraction;
  };
  static constexpr std::uint32_t kNoLink = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int64_t kNobody = std::numeric_limits<std::int64_t>::max();  // level of a link that holds nobody back

  void take(std::span<const std::int64_t> capacity, const FlowPaths& paths);
  [[nodiscard]] std::span<const std::uint32_t> path(std::uint32_t flow) const;
  [[nodiscard]] std::uint64_t fraction(std::uint32_t crossing) const {
    return paths_.fraction.empty() ? kWholeFraction : paths_.fraction[crossing];
  }
  [[nodiscard]] std::int64_t cap(std::uint32_t flow) const { return paths_.cap.empty() ? kUnlimitedRate : paths_.cap[flow]; }
  [[nodiscard]] bool may_fill(std::uint32_t link) const;
  [[nodiscard]] bool fits_elsewhere(std::uint32_t link) const;
  void enter(std::uint32_t flow);
  void count_elsewhere(std::uint32_t flow, int sign);
  [[nodiscard]] Limits limits(std::uint32_t flow) const;
  [[nodiscard]] std::int64_t level(std::uint32_t link);
  [[nodiscard]] std::int64_t level_of_fractions(std::uint32_t link);
  [[nodiscard]] std::int64_t level_from_rates(std::uint32_t link) const;
  void wake(std::uint32_t link);
  void tell(std::uint32_t flow, std::uint32_t changed_link);
  void note_change(std::uint32_t flow);
  void begin_changes();

  std::span<const std::int64_t> capacity_;
  FlowPaths paths_;
  std::int64_t largest_cap_ = 0;
  LinkMembers members_;
  LargeArray<Link> links_;
  LargeArray<Flow> flows_;
  std::vector<std::uint32_t> used_;   // links that flows have crossed since the last restart
  std::vector<std::uint32_t> awake_;  // links in the order in which they were woken
  std::vector<std::uint32_t> changed_;
  bool solved_ = true;
  std::vector<std::int64_t> elsewhere_;
  std::vector<Elsewhere> fractions_elsewhere_;
  std::uint64_t links_visited_ = 0, members_visited_ = 0;
};

}  // namespace railyard
