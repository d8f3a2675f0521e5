#include "engine/rates/dense_max_min.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/check.h"
#include "engine/rates/max_min.h"

namespace railyard {

namespace {

constexpr std::uint32_t kRateWords = 2;        // of a row
constexpr std::uint32_t kNoLink = 0xFFFFFFFF;  // ends a row
constexpr std::size_t kManyFlows = std::size_t{1} << 18;
constexpr std::int64_t kOpen = -1;  // rate of a flow that has none yet

std::int64_t rate_in(const std::uint32_t* row) {
  std::int64_t rate = 0;
  std::memcpy(&rate, row, sizeof rate);
  return rate;
}

void set_rate(std::uint32_t* row, std::int64_t rate) { std::memcpy(row, &rate, sizeof rate); }

}  // namespace

/// Links with equal least shares are taken together: to each of them flows of the others are not held below its level.
void DenseMaxMin::solve(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active,
                        std::span<std::int64_t> rate) {
  open(capacity, paths, active);
  while (find_least()) {
    const std::int64_t level = least_.front().first;
    if (!caps_.empty() && caps_.back().first < level) {
      const auto [cap, flow] = caps_.back();
      caps_.pop_back();
      freeze(flow, cap);
      continue;
    }
    ready_.clear();
    do {
      ready_.push_back(least_.front().second);
      links_[ready_.back()].done = true;
      std::pop_heap(least_.begin(), least_.end(), std::greater<>());
      least_.pop_back();
    } while (find_least() && least_.front().first == level);
    for (const std::uint32_t link : ready_) freeze_members(link, level);
  }
  for (std::size_t i = 0; i < active.size(); i++) rate[i] = rate_in(rows_.data() + i * width_);
  if (active.size() > kManyFlows) {  // which take longer than asking for memory again
    give_back(rows_);
    give_back(member_);
  }
}

void DenseMaxMin::open(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active) {
  links_.assign(capacity.size(), {});
  caps_.clear();
  std::uint32_t longest = 0;
  for (const std::uint32_t flow : active) longest = std::max(longest, paths.first[flow + 1] - paths.first[flow]);
  width_ = kRateWords + longest;
  rows_.resize(active.size() * width_);
  for (std::uint32_t i = 0; i < active.size(); i++)
    add_flow(i, capacity, paths.link.subspan(paths.first[active[i]], paths.first[active[i] + 1] - paths.first[active[i]]),
             paths.cap.empty() ? kUnlimitedRate : paths.cap[active[i]]);
  std::sort(caps_.begin(), caps_.end(), std::greater<>());
  least_.clear();
  for (std::uint32_t link = 0; link < links_.size(); link++) {
    RY_CHECK(capacity[link] >= 0, "a link has no negative capacity");
    links_[link].left = capacity[link];
    if (links_[link].open > 0) least_.emplace_back(links_[link].share(), link);
  }
  std::make_heap(least_.begin(), least_.end(), std::greater<>());
  add_members(active.size());
}

void DenseMaxMin::add_flow(std::uint32_t flow, std::span<const std::int64_t> capacity, std::span<const std::uint32_t> links,
                           std::int64_t cap) {
  RY_CHECK(cap >= 0, "a flow has no negative cap");
  std::uint32_t* const row = rows_.data() + std::size_t{flow} * width_;
  std::int64_t narrowest = kUnlimitedRate;
  for (std::size_t i = 0; i < links.size(); i++) {
    row[kRateWords + i] = links[i];
    links_[links[i]].open++;
    narrowest = std::min(narrowest, capacity[links[i]]);
  }
  if (kRateWords + links.size() < width_) row[kRateWords + links.size()] = kNoLink;
  set_rate(row, links.empty() ? cap : kOpen);
  if (!links.empty() && cap < narrowest) caps_.emplace_back(cap, flow);
}

void DenseMaxMin::add_members(std::size_t flows) {
  first_.assign(links_.size() + 1, 0);
  for (std::uint32_t link = 0; link < links_.size(); link++) first_[link + 1] = first_[link] + links_[link].open;
  member_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t flow = 0; flow < flows; flow++)
    for (const std::uint32_t link : links_of(flow)) member_[next[link]++] = flow;
}

std::span<const std::uint32_t> DenseMaxMin::links_of(std::uint32_t flow) const {
  const std::span<const std::uint32_t> row =
      std::span(rows_).subspan(std::size_t{flow} * width_ + kRateWords, width_ - kRateWords);
  std::size_t links = 0;
  while (links < row.size() && row[links] != kNoLink) links++;
  return row.first(links);
}

/// Brings the link with the least share to the front. False if none has open flows.
bool DenseMaxMin::find_least() {
  while (!least_.empty()) {
    const auto [share, number] = least_.front();
    const Link& link = links_[number];
    if (link.open > 0 && link.share() == share) return true;
    std::pop_heap(least_.begin(), least_.end(), std::greater<>());
    if (link.open == 0) {
      least_.pop_back();
      continue;
    }
    least_.back().first = link.share();
    std::push_heap(least_.begin(), least_.end(), std::greater<>());
  }
  return false;
}

/// Rows lie anywhere: memory is asked for some in advance.
void DenseMaxMin::freeze_members(std::uint32_t link, std::int64_t at) {
  constexpr std::uint32_t kAhead = 12;
  for (std::uint32_t i = first_[link]; i < first_[link + 1]; i++) {
    if (i + kAhead < first_[link + 1]) __builtin_prefetch(rows_.data() + std::size_t{member_[i + kAhead]} * width_, 1);
    freeze(member_[i], at);
  }
}

/// Gives a flow its rate, unless it has one, and takes it off the links that have no level yet.
void DenseMaxMin::freeze(std::uint32_t flow, std::int64_t at) {
  std::uint32_t* const row = rows_.data() + std::size_t{flow} * width_;
  if (rate_in(row) != kOpen) return;
  set_rate(row, at);
  for (const std::uint32_t number : links_of(flow)) {
    Link& link = links_[number];
    if (link.done) continue;
    link.left -= at;
    link.open--;
  }
}

}  // namespace railyard
