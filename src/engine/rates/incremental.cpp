#include "engine/rates/incremental.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace railyard {

namespace {

constexpr std::uint64_t kTellingCosts = 4;  // members that are looked at for one that is told

}  // namespace

void LinkMembers::resize(std::size_t links, std::size_t crossings) {
  RY_CHECK(links >= rows_.size() && crossings >= position_.size(), "tables of links and crossings do not shrink");
  rows_.resize(links);
  position_.resize(crossings);
}

void LinkMembers::restart(std::size_t links, std::size_t crossings) {
  position_.resize(crossings);
  if (rows_.size() == links) return;  // they were as full before, most likely
  rows_.assign(links, {});
  pool_.clear();
  for (auto& free : free_) free.clear();
}

void LinkMembers::grow(Row& row) {
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

void LinkMembers::add(std::uint32_t link, Member member) {
  Row& row = rows_[link];
  if (row.size == row.room) grow(row);
  position_[member.crossing] = row.size;
  pool_[row.begin + row.size++] = member;
}

void LinkMembers::remove(std::uint32_t link, std::uint32_t crossing) {
  Row& row = rows_[link];
  const Member last = pool_[row.begin + --row.size];
  pool_[row.begin + position_[crossing]] = last;
  position_[last.crossing] = position_[crossing];
}

void IncrementalMaxMin::bind(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  take(capacity, paths);
  members_.resize(capacity.size(), paths.link.size());
  links_.resize(capacity.size());
  flows_.resize(paths.first.empty() ? 0 : paths.first.size() - 1);
}

void IncrementalMaxMin::take(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  RY_CHECK(paths.weight.empty() && paths.priority.empty(), "rates are followed for flows of one weight and priority");
  capacity_ = capacity;
  paths_ = paths;
  largest_cap_ = paths.cap.empty() ? kUnlimitedRate : 0;
  for (const std::int64_t cap : paths.cap) largest_cap_ = std::max(largest_cap_, cap);
}

/// False only if the link's level is no less than any of its flows' caps. With c the largest cap of all, and fractions p_i of
/// caps c_i open when level() ends: if c · sum(p) <= capacity, at least c · sum(p_i) is left for them, so that k >= c. If sum(p
/// (cap + 1)) <= capacity, k is more than the least of c_i, and none can be open.
bool IncrementalMaxMin::may_fill(std::uint32_t link) const {
  const Int128 room = Int128(capacity_[link]) << 32;
  return Int128(links_[link].fractions) * largest_cap_ > room && links_[link].most + links_[link].fractions > room;
}

/// True only if the link holds nobody back. Of a flow with fraction p that e holds back elsewhere the sum that defines level k
/// has no more than p (e + 1), whatever k is: p e if e < k, else p (k + 1).
bool IncrementalMaxMin::fits_elsewhere(std::uint32_t link) const {
  return links_[link].elsewhere + links_[link].fractions <= Int128(capacity_[link]) << 32;
}

std::span<const std::uint32_t> IncrementalMaxMin::path(std::uint32_t flow) const {
  return paths_.link.subspan(paths_.first[flow], paths_.first[flow + 1] - paths_.first[flow]);
}

void IncrementalMaxMin::restart(std::span<const std::int64_t> capacity, const FlowPaths& paths,
                                std::span<const std::uint32_t> active, std::span<const std::int64_t> rate) {
  RY_CHECK(active.size() == rate.size(), "every active flow has a rate");
  take(capacity, paths);
  for (const std::uint32_t link : used_) {
    members_.clear(link);
    links_[link] = {};
  }
  used_.clear();
  members_.restart(capacity.size(), paths.link.size());
  links_.resize(capacity.size());
  flows_.assign(paths.first.empty() ? 0 : paths.first.size() - 1, {});
  awake_.clear();
  changed_.clear();
  for (std::size_t i = 0; i < active.size(); i++) {
    enter(active[i]);
    flows_[active[i]].limits.least = rate[i];
  }
  for (const std::uint32_t link : used_) links_[link].level = level_from_rates(link);
  for (std::size_t i = 0; i < active.size(); i++) {
    flows_[active[i]].limits = limits(active[i]);
    RY_CHECK(flows_[active[i]].limits.least == rate[i], "rates to start from are max-min fair");
    count_elsewhere(active[i], 1);
  }
}

/// A link that holds flows back holds those with the largest rate, and has not idle what would raise them all.
std::int64_t IncrementalMaxMin::level_from_rates(std::uint32_t link) const {
  Int128 idle = Int128(capacity_[link]) << 32, of_largest = 0;
  std::int64_t largest = -1;
  for (const LinkMembers::Member member : members_.of(link)) {
    const std::int64_t rate = flows_[member.flow].limits.least;
    const Int128 each = fraction(member.crossing);
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
    RY_CHECK(fraction(i) > 0, "who crosses a link puts something on it");
    members_.add(paths_.link[i], {flow, i});
    Link& link = links_[paths_.link[i]];
    link.most += Int128(cap(flow)) * fraction(i);
    link.fractions += fraction(i);
    if (!link.used) used_.push_back(paths_.link[i]);
    link.used = true;
  }
}

/// Adds to its links what holds a flow back elsewhere, or takes it from them.
void IncrementalMaxMin::count_elsewhere(std::uint32_t flow, int sign) {
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++)
    links_[paths_.link[i]].elsewhere += Int128(flows_[flow].limits.without(paths_.link[i])) * fraction(i) * sign;
}

void IncrementalMaxMin::add(std::uint32_t flow) {
  begin_changes();
  enter(flow);
  flows_[flow].limits = limits(flow);
  count_elsewhere(flow, 1);
  note_change(flow);
  for (const std::uint32_t link : path(flow)) wake(link);
}

void IncrementalMaxMin::remove(std::uint32_t flow) {
  RY_CHECK(flows_[flow].active, "a flow that is removed is there");
  begin_changes();
  flows_[flow].active = false;
  count_elsewhere(flow, -1);
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++) {
    members_.remove(paths_.link[i], i);
    links_[paths_.link[i]].most -= Int128(cap(flow)) * fraction(i);
    links_[paths_.link[i]].fractions -= fraction(i);
    if (links_[paths_.link[i]].level != kNobody) wake(paths_.link[i]);
  }
}

void IncrementalMaxMin::capacity_changed(std::uint32_t link) {
  begin_changes();
  wake(link);
}

/// What the last solve() changed is of interest until something new happens.
void IncrementalMaxMin::begin_changes() {
  if (!solved_) return;
  solved_ = false;
  for (const std::uint32_t flow : changed_) flows_[flow].changed = false;
  changed_.clear();
}

bool IncrementalMaxMin::solve(std::uint64_t most) {
  begin_changes();
  const std::uint64_t before = members_visited_;
  for (std::size_t next = 0; next < awake_.size(); next++) {
    const std::uint32_t link = awake_[next];
    links_[link].awake = false;
    links_visited_++;
    const std::int64_t now = level(link);
    if (now == links_[link].level) continue;
    links_[link].level = now;
    members_visited_ += kTellingCosts * members_.of(link).size();
    if (members_visited_ - before > most) return false;
    for (const LinkMembers::Member member : members_.of(link)) tell(member.flow, link);
  }
  awake_.clear();
  std::erase_if(changed_, [&](std::uint32_t flow) {
    flows_[flow].changed = flows_[flow].active;
    return !flows_[flow].active;
  });
  return solved_ = true;
}

/// The least k such that those held back elsewhere below k, and k + 1 for each of the others, do not fit.
std::int64_t IncrementalMaxMin::level(std::uint32_t link) {
  if (!may_fill(link) || fits_elsewhere(link)) return kNobody;
  members_visited_ += members_.of(link).size();
  if (!paths_.fraction.empty()) return level_of_fractions(link);
  elsewhere_.clear();
  for (const LinkMembers::Member member : members_.of(link)) elsewhere_.push_back(flows_[member.flow].limits.without(link));
  std::int64_t left = capacity_[link];
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

/// The same where flows put fractions of their rates on the link.
std::int64_t IncrementalMaxMin::level_of_fractions(std::uint32_t link) {
  fractions_elsewhere_.clear();
  Int128 left = Int128(capacity_[link]) << 32, fractions = 0;
  for (const LinkMembers::Member member : members_.of(link)) {
    fractions_elsewhere_.push_back({flows_[member.flow].limits.without(link), fraction(member.crossing)});
    fractions += fraction(member.crossing);
  }
  for (std::size_t count = fractions_elsewhere_.size(); count > 0;) {
    const Int128 share = left / fractions;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; i++) {
      const Elsewhere& one = fractions_elsewhere_[i];
      if (one.limit < share)
        left -= Int128(one.limit) * one.fraction, fractions -= one.fraction;
      else
        fractions_elsewhere_[kept++] = one;
    }
    if (kept == count) return static_cast<std::int64_t>(share);
    count = kept;
  }
  return kNobody;
}

IncrementalMaxMin::Limits IncrementalMaxMin::limits(std::uint32_t flow) const {
  Limits limits{cap(flow), kNobody, kNoLink};
  for (const std::uint32_t link : path(flow)) {
    const std::int64_t level = links_[link].level;
    if (link == limits.link) continue;
    if (level < limits.least)
      limits = {level, limits.least, link};
    else
      limits.second = std::min(limits.second, level);
  }
  return limits;
}

void IncrementalMaxMin::wake(std::uint32_t link) {
  if (links_[link].awake || (links_[link].level == kNobody && (!may_fill(link) || fits_elsewhere(link)))) return;
  links_[link].awake = true;
  awake_.push_back(link);
}

/// Lets a flow look again after a link's level changed, and wakes the links that see another flow in it than before: not those
/// where it was and is held back no further than by themselves.
void IncrementalMaxMin::tell(std::uint32_t flow, std::uint32_t changed_link) {
  const Limits before = flows_[flow].limits, after = limits(flow);
  if (after == before) return;
  flows_[flow].limits = after;
  if (after.least != before.least) note_change(flow);
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++) {
    const std::uint32_t link = paths_.link[i];
    const std::int64_t old = before.without(link), now = after.without(link);
    if (old == now) continue;
    links_[link].elsewhere += Int128(now - old) * fraction(i);
    if (link != changed_link && std::min(old, now) < links_[link].level) wake(link);
  }
}

void IncrementalMaxMin::note_change(std::uint32_t flow) {
  if (flows_[flow].changed) return;
  flows_[flow].changed = true;
  changed_.push_back(flow);
}

}  // namespace railyard
