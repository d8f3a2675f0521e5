// Messages that share one link equally, by what each has sent.
#pragma once

#include <algorithm>
#include <array>
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
  // Of groups, for whoever plays each by itself.

  /// Whether every path there is is followed here.
  [[nodiscard]] bool takes_all() const { return found_ && takes_all_ && group_of_.size() == paths_.size(); }
  [[nodiscard]] std::size_t groups() const { return groups_.size(); }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t path) const { return group_of_[path]; }
  /// When the first of it is through; kNever if nothing is there.
  [[nodiscard]] Picoseconds end_at(std::uint32_t group) const { return ends_.at(group); }
  /// Ends are not known here from then on, until all are set again.
  void forget_ends() { ends_.clear(); }
  void set_end(std::uint32_t group, Picoseconds at) { ends_.set(group, at); }
  class Alone;
  /// Gives new numbers to everything that is there: sending = job(sending).
  template<class Job>
  void renumber(Job job) {
    for (const Group& group : groups_)
      for (std::uint32_t i = 0; i < group.size; i++) on_wire_[group.begin + i].sending = job(on_wire_[group.begin + i].sending);
  }

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
    std::uint32_t rated = 0;  // for so many there the rate is
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

  void put(Group& group, std::uint32_t sending, Int128 left) {
    OnWire* const first = on_wire_.data() + group.begin;
    first[group.size++] = {group.sent + left, sending};
    std::push_heap(first, first + group.size, EndsLater());
  }
  /// Takes out what is through next.
  std::uint32_t take(Group& group) {
    OnWire* const first = on_wire_.data() + group.begin;
    const std::uint32_t sending = first->sending;
    std::pop_heap(first, first + group.size--, EndsLater());
    return sending;
  }
  [[nodiscard]] bool is_through(const Group& group) const { return group.size > 0 && on_wire_[group.begin].end <= group.sent; }
  /// When the first of it is through, with those who are there now. REQUIRES: the group was advanced to now.
  [[nodiscard]] Picoseconds end_of(Group& group, Picoseconds now);

  void find();
  void forget();
  void take_ended_of(std::uint32_t number, Picoseconds now, std::vector<std::uint32_t>& sendings);
  void find_end(std::uint32_t number, Picoseconds now);
  [[nodiscard]] std::int64_t share_of(std::int64_t capacity, std::uint32_t many);
  static void advance(Group& group, Picoseconds now) {
    group.sent += Int128(group.rate) * (now - group.since).count();
    group.since = now;
  }

  const AnalyticPaths& paths_;
  bool found_ = false;
  bool takes_all_ = false;              // paths that there were
  LargeArray<std::uint32_t> group_of_;  // by path
  LargeArray<Group> groups_;
  LargeArray<OnWire> on_wire_;                   // group by group: heaps, the next to end first
  std::vector<std::uint32_t> touched_, ending_;  // groups: since settle(); now
  EndQueue ends_;                                // of groups
  std::array<std::int64_t, 32> shares_ = {};     // a capacity, and what it is for so many where it was asked for
  Int128 last_left_ = 0;
  std::int64_t last_rate_ = 0;
  Picoseconds last_time_;  // that left takes at this rate
};

/// One group that is played by itself.
class EqualShares::Alone {
 public:
  Alone(EqualShares& shares, std::uint32_t group) : shares_(shares), group_(shares.groups_[group]) {}
  void advance(Picoseconds now) { EqualShares::advance(group_, now); }
  /// REQUIRES: it was advanced to now, for these.
  void put(std::uint32_t sending, Int128 left) { shares_.put(group_, sending, left); }
  [[nodiscard]] bool is_through() const { return shares_.is_through(group_); }
  std::uint32_t take() { return shares_.take(group_); }
  [[nodiscard]] Picoseconds end(Picoseconds now) { return shares_.end_of(group_, now); }

 private:
  EqualShares& shares_;
  Group& group_;
};

/// Links mostly have one capacity, and few share one.
inline std::int64_t EqualShares::share_of(std::int64_t capacity, std::uint32_t many) {
  if (many >= shares_.size()) return capacity / many;
  if (capacity != shares_.front()) {
    shares_.fill(0);
    shares_.front() = capacity;
  }
  std::int64_t& share = shares_[many];
  if (share == 0) share = capacity / many;
  return share;
}

/// Messages mostly find as many others as the last one, and have as much left.
inline Picoseconds EqualShares::end_of(Group& group, Picoseconds now) {
  if (group.size == 0) return kNever;
  if (group.rated != group.size) {
    group.rate = std::min(group.cap, share_of(group.capacity, group.size));
    group.rated = group.size;
    RY_CHECK(group.rate > 0, "a link that runs has something for everybody");
  }
  const Int128 left = on_wire_[group.begin].end - group.sent;
  if (left != last_left_ || group.rate != last_rate_) {
    last_left_ = left;
    last_rate_ = group.rate;
    last_time_ = time_of_volume(left, group.rate);
  }
  return now + last_time_;
}

}  // namespace railyard
