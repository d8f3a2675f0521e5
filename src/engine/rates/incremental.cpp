#include "engine/rates/incremental.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace railyard {

void LaneMembers::resize(std::size_t lanes, std::size_t crossings) {
  RY_CHECK(lanes >= rows_.size() && crossings >= place_.size(), "tables of lanes and crossings do not shrink");
  rows_.resize(lanes);
  place_.resize(crossings);
}

void LaneMembers::clear() {
  for (Row& row : rows_) row.size = 0;
}

void LaneMembers::grow(Row& row) {
  const std::uint32_t room = row.room == 0 ? 2 : row.room * 2;
  auto& free = free_[static_cast<std::size_t>(std::countr_zero(room))];
  std::uint32_t begin = static_cast<std::uint32_t>(pool_.size());
  if (free.empty()) {
    pool_.resize(pool_.size() + room);
  } else {
    begin = free.back();
    free.pop_back();
  }
  for (std::uint32_t i = 0; i < row.size; i++) pool_[begin + i] = pool_[row.begin + i];
  if (row.room > 0) free_[static_cast<std::size_t>(std::countr_zero(row.room))].push_back(row.begin);
  row = {begin, row.size, room};
}

void LaneMembers::add(std::uint32_t lane, Member member) {
  Row& row = rows_[lane];
  if (row.size == row.room) grow(row);
  place_[member.crossing] = row.size;
  pool_[row.begin + row.size++] = member;
}

void LaneMembers::remove(std::uint32_t lane, std::uint32_t crossing) {
  Row& row = rows_[lane];
  const Member last = pool_[row.begin + --row.size];
  pool_[row.begin + place_[crossing]] = last;
  place_[last.crossing] = place_[crossing];
}

void IncrementalMaxMin::bind(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  RY_CHECK(paths.weight.empty() && paths.priority.empty(), "rates are followed for flows of one weight and priority");
  capacity_ = capacity;
  paths_ = paths;
  largest_cap_ = paths.cap.empty() ? kUnlimitedRate : 0;
  for (const std::int64_t cap : paths.cap) largest_cap_ = std::max(largest_cap_, cap);
  members_.resize(capacity.size(), paths.lane.size());
  lanes_.resize(capacity.size());
  flows_.resize(paths.first.empty() ? 0 : paths.first.size() - 1);
}

/// False only if the lane's level is no less than any of its flows' caps. With c the largest cap of all, and parts p_i of caps
/// c_i open when level() ends: if c · sum(p) <= capacity, at least c · sum(p_i) is left for them, so that k >= c. If
/// sum(p (cap + 1)) <= capacity, k is more than the least of c_i, and none can be open.
bool IncrementalMaxMin::may_fill(std::uint32_t lane) const {
  const Int128 room = Int128(capacity_[lane]) << 32;
  return Int128(lanes_[lane].parts) * largest_cap_ > room && lanes_[lane].most + lanes_[lane].parts > room;
}

std::span<const std::uint32_t> IncrementalMaxMin::path(std::uint32_t flow) const {
  return paths_.lane.subspan(paths_.first[flow], paths_.first[flow + 1] - paths_.first[flow]);
}

void IncrementalMaxMin::reset(std::span<const std::uint32_t> active, std::span<const std::int64_t> rate) {
  RY_CHECK(active.size() == rate.size(), "every active flow has a rate");
  members_.clear();
  for (Lane& lane : lanes_) lane = {};
  for (Flow& flow : flows_) flow = {};
  awake_.clear();
  changed_.clear();
  for (std::size_t i = 0; i < active.size(); i++) {
    enter(active[i]);
    flows_[active[i]].limits.least = rate[i];
  }
  for (std::uint32_t lane = 0; lane < lanes_.size(); lane++) lanes_[lane].level = level_from_rates(lane);
  for (std::size_t i = 0; i < active.size(); i++) {
    flows_[active[i]].limits = limits(active[i]);
    RY_CHECK(flows_[active[i]].limits.least == rate[i], "rates to start from are max-min fair");
  }
}

/// A lane that holds flows back holds those with the largest rate, and has not idle what would raise them all.
std::int64_t IncrementalMaxMin::level_from_rates(std::uint32_t lane) const {
  Int128 idle = Int128(capacity_[lane]) << 32, of_largest = 0;
  std::int64_t largest = -1;
  for (const LaneMembers::Member member : members_.of(lane)) {
    const std::int64_t rate = flows_[member.flow].limits.least;
    const Int128 each = part(member.crossing);
    idle -= rate * each;
    of_largest = rate > largest ? each : of_largest + (rate == largest ? each : 0);
    largest = std::max(largest, rate);
  }
  return idle < of_largest ? largest : kNobody;
}

void IncrementalMaxMin::enter(std::uint32_t flow) {
  RY_CHECK(!flows_[flow].active, "a flow is added once");
  flows_[flow].active = true;
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++) {
    RY_CHECK(part(i) > 0, "who crosses a lane puts something on it");
    members_.add(paths_.lane[i], {flow, i});
    lanes_[paths_.lane[i]].most += Int128(cap(flow)) * part(i);
    lanes_[paths_.lane[i]].parts += part(i);
  }
}

void IncrementalMaxMin::add(std::uint32_t flow) {
  begin_changes();
  enter(flow);
  flows_[flow].limits = limits(flow);
  note_change(flow);
  for (const std::uint32_t lane : path(flow)) wake(lane);
}

void IncrementalMaxMin::remove(std::uint32_t flow) {
  RY_CHECK(flows_[flow].active, "a flow that is removed is there");
  begin_changes();
  flows_[flow].active = false;
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++) {
    members_.remove(paths_.lane[i], i);
    lanes_[paths_.lane[i]].most -= Int128(cap(flow)) * part(i);
    lanes_[paths_.lane[i]].parts -= part(i);
    if (lanes_[paths_.lane[i]].level != kNobody) wake(paths_.lane[i]);
  }
}

void IncrementalMaxMin::capacity_changed(std::uint32_t lane) {
  begin_changes();
  wake(lane);
}

/// What the last settle() changed is of interest until something new happens.
void IncrementalMaxMin::begin_changes() {
  if (!settled_) return;
  settled_ = false;
  for (const std::uint32_t flow : changed_) flows_[flow].changed = false;
  changed_.clear();
}

void IncrementalMaxMin::settle() {
  begin_changes();
  for (std::size_t next = 0; next < awake_.size(); next++) {
    const std::uint32_t lane = awake_[next];
    lanes_[lane].awake = false;
    lanes_visited_++;
    const std::int64_t now = level(lane);
    if (now == lanes_[lane].level) continue;
    lanes_[lane].level = now;
    for (const LaneMembers::Member member : members_.of(lane)) tell(member.flow, lane);
  }
  awake_.clear();
  std::erase_if(changed_, [&](std::uint32_t flow) {
    flows_[flow].changed = flows_[flow].active;
    return !flows_[flow].active;
  });
  settled_ = true;
}

/// The least k such that those held back elsewhere below k, and k + 1 for each of the others, do not fit.
std::int64_t IncrementalMaxMin::level(std::uint32_t lane) {
  if (!may_fill(lane)) return kNobody;
  if (!paths_.part.empty()) return level_of_parts(lane);
  elsewhere_.clear();
  for (const LaneMembers::Member member : members_.of(lane)) elsewhere_.push_back(flows_[member.flow].limits.without(lane));
  std::int64_t left = capacity_[lane];
  for (std::size_t count = elsewhere_.size(); count > 0;) {
    const std::int64_t share = left / static_cast<std::int64_t>(count);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; i++) {
      if (elsewhere_[i] < share)
        left -= elsewhere_[i];
      else
        elsewhere_[kept++] = elsewhere_[i];
    }
    if (kept == count) return share;
    count = kept;
  }
  return kNobody;
}

/// The same where flows put parts of their rates on the lane.
std::int64_t IncrementalMaxMin::level_of_parts(std::uint32_t lane) {
  parts_elsewhere_.clear();
  Int128 left = Int128(capacity_[lane]) << 32, parts = 0;
  for (const LaneMembers::Member member : members_.of(lane)) {
    parts_elsewhere_.push_back({flows_[member.flow].limits.without(lane), part(member.crossing)});
    parts += part(member.crossing);
  }
  for (std::size_t count = parts_elsewhere_.size(); count > 0;) {
    const Int128 share = left / parts;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; i++) {
      const Elsewhere& one = parts_elsewhere_[i];
      if (one.limit < share)
        left -= Int128(one.limit) * one.part, parts -= one.part;
      else
        parts_elsewhere_[kept++] = one;
    }
    if (kept == count) return static_cast<std::int64_t>(share);
    count = kept;
  }
  return kNobody;
}

IncrementalMaxMin::Limits IncrementalMaxMin::limits(std::uint32_t flow) const {
  Limits limits{cap(flow), kNobody, kNoLane};
  for (const std::uint32_t lane : path(flow)) {
    const std::int64_t level = lanes_[lane].level;
    if (lane == limits.lane) continue;
    if (level < limits.least)
      limits = {level, limits.least, lane};
    else
      limits.second = std::min(limits.second, level);
  }
  return limits;
}

void IncrementalMaxMin::wake(std::uint32_t lane) {
  if (lanes_[lane].awake || (lanes_[lane].level == kNobody && !may_fill(lane))) return;
  lanes_[lane].awake = true;
  awake_.push_back(lane);
}

/// Lets a flow look again after a lane's level changed, and wakes the lanes that see another flow in it than before: not those
/// where it was and is held back no further than by themselves.
void IncrementalMaxMin::tell(std::uint32_t flow, std::uint32_t changed_lane) {
  const Limits before = flows_[flow].limits, after = limits(flow);
  if (after == before) return;
  flows_[flow].limits = after;
  if (after.least != before.least) note_change(flow);
  for (const std::uint32_t lane : path(flow)) {
    const std::int64_t old = before.without(lane), now = after.without(lane);
    if (lane != changed_lane && old != now && std::min(old, now) < lanes_[lane].level) wake(lane);
  }
}

void IncrementalMaxMin::note_change(std::uint32_t flow) {
  if (flows_[flow].changed) return;
  flows_[flow].changed = true;
  changed_.push_back(flow);
}

}  // namespace railyard
