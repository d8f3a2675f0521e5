// Messages that share one link equally, by what each has sent.
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"
#include "engine/analytic/analytic_paths.h"
#include "engine/rates/end_queue.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// Follows what is on paths of which one link alone decides (SoleLinks). All on it have one rate, so that in any time each
/// sends as much as every other: a message is through when the group has sent, to each, what it had sent when the message came
/// and the message's size more. So a change costs one rate and one end, however many share the link; sums are whole numbers,
/// and times those of rates that are followed flow by flow.
///
/// Costs nothing until the first message is asked for. From the first path that is added later and the first link that changes
/// on, nothing is taken until clear().
class EqualShares {
 public:
  explicit EqualShares(const AnalyticPaths& paths) : paths_(paths) {}

  /// Whether what takes the path is followed here. False as soon as there are more paths than there were: then release().
  [[nodiscard]] bool takes(std::uint32_t path) {
    if (!found_) find();
    return path < group_of_.size() && group_of_[path] != kNone;
  }
  /// Whether paths have been added since it was known what they share.
  [[nodiscard]] bool is_outdated() const { return found_ && !group_of_.empty() && group_of_.size() != paths_.size(); }

  /// `left` is in the units of volume_of. REQUIRES: takes(path), and nothing is on it.
  void enter(std::uint32_t path, std::uint32_t sending, Int128 left, Picoseconds now);
  /// When something is through next; kNever if nothing is there. REQUIRES: nothing was entered since settle().
  [[nodiscard]] Picoseconds next() const { return ends_.next(); }
  /// Takes out what is through now, and appends it. REQUIRES: next() == now.
  void take_ended(Picoseconds now, std::vector<std::uint32_t>& sendings);
  /// Finds rates and ends where something came in.
  void settle(Picoseconds now);
  /// Gives up everything that is there, job(sending, left), and takes nothing more until clear().
  template<class Job>
  void release(Picoseconds now, Job job) {
    if (!found_) return;
    for (Group& group : groups_) {
      advance(group, now);
      for (std::uint32_t i = 0; i < group.size; i++)
        job(on_wire_[group.begin + i].sending, on_wire_[group.begin + i].end - group.sent);
    }
    forget();
  }
  /// Nothing is there any more, and links run as built.
  void clear() {
    forget();
    found_ = false;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Group {
    Int128 sent = 0;  // by whoever was there all the time, until `since`
    std::int64_t rate = 0;
    Picoseconds since = {};
    std::int64_t capacity = 0, cap = 0;
    std::uint32_t begin = 0;  // in on_wire_
    std::uint32_t size = 0;   // there
    bool touched = false;     // since settle()
  };
  static_assert(sizeof(Group) == 64, "a change looks at one cache line of its group");
  struct OnWire {
    Int128 end;  // what the group will have sent
    std::uint32_t sending;
  };
  /// Of a heap, the last to end first.
  struct EndsLater {
    bool operator()(const OnWire& a, const OnWire& b) const { return a.end > b.end; }
  };

  void find();
  void forget();
  void take_ended_of(std::uint32_t number, Picoseconds now, std::vector<std::uint32_t>& sendings);
  void find_end(std::uint32_t number, Picoseconds now);
  static void advance(Group& group, Picoseconds now) {
    group.sent += Int128(group.rate) * (now - group.since).count();
    group.since = now;
  }

  const AnalyticPaths& paths_;
  bool found_ = false;
  LargeArray<std::uint32_t> group_of_;  // by path
  LargeArray<Group> groups_;
  LargeArray<OnWire> on_wire_;                   // group by group: heaps, the next to end first
  std::vector<std::uint32_t> touched_, ending_;  // groups: since settle(); now
  EndQueue ends_;                                // of groups
};

}  // namespace railyard
