#include "engine/rates/binding_links.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace railyard {

bool BindingLinksMaxMin::suits(const FlowPaths& paths) {
  constexpr std::size_t kLongPath = 64;
  return !paths.first.empty() && paths.link.size() >= kLongPath * (paths.first.size() - 1) && paths.weight.empty() &&
         paths.priority.empty();
}

void BindingLinksMaxMin::bind(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  capacity_ = capacity;
  paths_ = paths;
  const std::size_t flows = paths.first.size() - 1;
  std::erase_if(tried_, [&](std::uint32_t link) { return link >= capacity.size(); });
  wanted_.assign(flows, kAway);
  rows_.clear();
  restart(flows);
}

/// Nobody is there, and nobody knows what is tried.
void BindingLinksMaxMin::restart(std::size_t flows) {
  crossings_.assign(flows, {});
  carried_.assign(flows, kAway);
  carrying_.clear(), doubtful_.clear();
  links_.assign(capacity_.size(), {});
  for (std::uint32_t link = 0; link < links_.size(); link++) links_[link].spare = room(link);
  for (std::size_t slot = 0; slot < tried_.size(); slot++) links_[tried_[slot]].slot = static_cast<std::uint32_t>(slot);
}

std::span<const std::uint32_t> BindingLinksMaxMin::path(std::uint32_t flow) const {
  return paths_.link.subspan(paths_.first[flow], paths_.first[flow + 1] - paths_.first[flow]);
}

void BindingLinksMaxMin::solve(std::span<const std::uint32_t> active, std::span<std::int64_t> rate) {
  if (tried_.size() > kMostTried) tried_.clear(), restart(carried_.size());
  for (int round = 0; round < kMostRounds; round++) {
    solve_tried(active, rate);
    carry_all(active, rate);
    const std::size_t before = tried_.size();
    try_doubtful(active);
    if (tried_.size() == before) return;
  }
  solver_.solve(capacity_, paths_, active, rate);
  carry_all(active, rate);
  for (const std::uint32_t link : doubtful_) links_[link].doubtful = false;
  doubtful_.clear();
}

void BindingLinksMaxMin::solve_tried(std::span<const std::uint32_t> active, std::span<std::int64_t> rate) {
  small_.first.assign(1, 0);
  small_.link.clear(), small_.fraction.clear(), small_.cap.clear(), small_.capacity.clear();
  for (const std::uint32_t flow : active) {
    find_tried(flow);
    const Crossings& one = crossings_[flow];
    small_.link.insert(small_.link.end(), one.slot.begin(), one.slot.end());
    if (!paths_.fraction.empty()) small_.fraction.insert(small_.fraction.end(), one.fraction.begin(), one.fraction.end());
    if (!paths_.cap.empty()) small_.cap.push_back(paths_.cap[flow]);
    small_.first.push_back(static_cast<std::uint32_t>(small_.link.size()));
  }
  for (const std::uint32_t link : tried_) small_.capacity.push_back(capacity_[link]);
  small_.active.resize(active.size());
  std::iota(small_.active.begin(), small_.active.end(), 0U);
  solver_.solve(small_.capacity, {.first = small_.first, .link = small_.link, .fraction = small_.fraction, .cap = small_.cap},
                small_.active, rate);
  rounds_++;
}

/// Looks for links on the path that have been tried since it was looked at.
void BindingLinksMaxMin::find_tried(std::uint32_t flow) {
  Crossings& known = crossings_[flow];
  if (known.known == tried_.size()) return;
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++) {
    const std::uint32_t slot = links_[paths_.link[i]].slot;
    if (slot == kNotTried || slot < known.known) continue;
    known.slot.push_back(slot);
    known.fraction.push_back(fraction(i));
  }
  known.known = tried_.size();
}

/// Brings loads up to date. What sinks comes first, so that a link on which somebody rises has no less load in the end. A link
/// on which nobody rises holds nobody back that it did not hold back before: its equation then has no more on any side.
void BindingLinksMaxMin::carry_all(std::span<const std::uint32_t> active, std::span<const std::int64_t> rate) {
  for (std::size_t i = 0; i < active.size(); i++) wanted_[active[i]] = rate[i];
  for (const std::uint32_t flow : carrying_)
    if (wanted_[flow] < carried_[flow]) carry(flow, wanted_[flow]);
  for (const std::uint32_t flow : active)
    if (wanted_[flow] > carried_[flow]) carry(flow, wanted_[flow]);
  for (const std::uint32_t flow : active) wanted_[flow] = kAway;
  carrying_.assign(active.begin(), active.end());
}

void BindingLinksMaxMin::carry(std::uint32_t flow, std::int64_t rate) {
  // A flow that is there takes a unit more than its rate: kAway is one unit less than nothing.
  const std::int64_t before = std::exchange(carried_[flow], rate), more = rate - before;
  const bool comes = before == kAway, goes = rate == kAway;
  for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++) {
    Link& link = links_[paths_.link[i]];
    const std::uint64_t each = fraction(i);
    link.spare -= Int128(more) * each;
    if (comes) link.fractions += each;
    if (goes) link.fractions -= each;
    if (more < 0 || link.spare >= 0 || link.slot != kNotTried || link.doubtful) continue;
    link.doubtful = true;
    doubtful_.push_back(paths_.link[i]);
  }
}

/// Where links are overloaded, tries the fullest, one for each flow: the others mostly have room at the rates that follow. Else
/// those that hold somebody back by a unit, and forgets the doubts about all others.
void BindingLinksMaxMin::try_doubtful(std::span<const std::uint32_t> active) {
  std::erase_if(doubtful_, [&](std::uint32_t index) {
    Link& link = links_[index];
    link.doubtful = link.slot == kNotTried && link.spare < 0;
    return !link.doubtful;
  });
  if (std::any_of(doubtful_.begin(), doubtful_.end(), [&](std::uint32_t link) { return links_[link].is_overloaded(); })) {
    for (const std::uint32_t flow : active) try_fullest(flow);
    return;
  }
  find_rows();
  for (const std::uint32_t link : doubtful_) {
    links_[link].doubtful = false;
    if (holds_somebody(link)) try_link(link);
  }
  doubtful_.clear();
}

/// Tries the link on the path that is most overloaded for its size, if one is.
void BindingLinksMaxMin::try_fullest(std::uint32_t flow) {
  double most = 0;
  std::uint32_t fullest = kNotTried;
  for (const std::uint32_t link : path(flow)) {
    if (links_[link].slot != kNotTried || !links_[link].is_overloaded()) continue;
    const double excess = -static_cast<double>(links_[link].spare) / std::max(0.5, static_cast<double>(capacity_[link]));
    if (excess > most) most = excess, fullest = link;
  }
  if (fullest != kNotTried) try_link(fullest);
}

void BindingLinksMaxMin::try_link(std::uint32_t link) {
  links_[link].slot = static_cast<std::uint32_t>(tried_.size());
  tried_.push_back(link);
}

/// Who crosses the doubtful links, unless that is known of all of them.
void BindingLinksMaxMin::find_rows() {
  const std::size_t before = rows_.size();
  for (const std::uint32_t link : doubtful_) rows_.try_emplace(link);
  if (rows_.size() == before) return;
  for (const std::uint32_t link : doubtful_) rows_[link].clear();
  for (std::uint32_t flow = 0; flow < carried_.size(); flow++)
    for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++)
      if (links_[paths_.link[i]].doubtful) rows_[paths_.link[i]].push_back({flow, fraction(i)});
}

/// Whether a flow on the link has more than the link's level (max_min.h) at the rates of all others.
bool BindingLinksMaxMin::holds_somebody(std::uint32_t link) {
  open_.clear();
  std::int64_t largest = 0;
  Int128 left = room(link), fractions = 0;
  for (const Member& member : rows_[link]) {
    if (carried_[member.flow] == kAway) continue;
    open_.push_back(member);
    largest = std::max(largest, carried_[member.flow]);
    fractions += member.fraction;
  }
  while (!open_.empty()) {
    const Int128 share = left / fractions;
    if (share >= largest) return false;
    std::size_t kept = 0;
    for (const Member& member : open_) {
      if (carried_[member.flow] >= share)
        open_[kept++] = member;
      else
        left -= Int128(carried_[member.flow]) * member.fraction, fractions -= member.fraction;
    }
    if (kept == open_.size()) return true;
    open_.resize(kept);
  }
  return false;
}

}  // namespace railyard
