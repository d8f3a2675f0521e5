#include "engine/analytic/batch_times.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/rates/max_min.h"

namespace railyard {

namespace {

constexpr std::size_t kManyMessages = std::size_t{1} << 16;  // of which there are not so many again

/// Of bytes times fractions, rounded up.
Bytes whole_bytes_of(Int128 parted) { return Bytes(static_cast<std::int64_t>((parted + 0xFFFFFFFF) >> 32)); }

}  // namespace

/// Links of one kind with as much on them take as long: mostly the last answer holds.
Picoseconds BatchTimes::time_of(Bytes size, BitsPerSecond rate) {
  if (size != last_.size || rate != last_.rate) last_ = {size, rate, transmit_time(size, rate)};
  return last_.time;
}

/// Nobody shares a link, as in a ring without collisions: every message is as fast as its slowest link. False if some do.
bool BatchTimes::find_alone(std::span<Sending> batch) {
  if (!paths_.are_whole()) return false;
  seen_.resize(paths_.links(), 0);
  if (++batch_number_ == 0) seen_.assign(seen_.size(), 0), batch_number_ = 1;
  for (Sending& sending : batch) {
    BitsPerSecond slowest = BitsPerSecond::max();
    for (const PathHop& step : paths_.steps(sending.path)) {
      if (std::exchange(seen_[step.link], batch_number_) == batch_number_) return false;
      slowest = std::min(slowest, paths_.rate(step.link));
    }
    sending.takes = time_of(sending.size, slowest);
  }
  return true;
}

bool BatchTimes::find(std::span<Sending> batch) {
  links_.resize(paths_.links());  // left() needs them, too
  alone_ = find_alone(batch);
  if (alone_) return true;
  for (const Sending& sending : batch)
    for (const PathHop& step : paths_.steps(sending.path)) links_[step.link].waiting += step.fraction();
  const LargeArray<std::uint32_t>& order = by_size(batch);
  for (const std::uint32_t i : order) serve(batch[i]);
  const bool fair = is_fair(batch, batch[order.front()].size == batch[order.back()].size);
  forget(batch);
  if (order_.size() > kManyMessages) give_back(order_);
  return fair;
}

/// REQUIRES: smaller ones were served before.
void BatchTimes::serve(Sending& sending) {
  const PathSteps steps = paths_.steps(sending.path);
  sending.takes = {};
  on_link_.clear();
  for (const PathHop& step : steps) {
    Link& link = links_[step.link];
    if (link.size != sending.size) link.size = sending.size, link.no_smaller = link.waiting;
    const Int128 size = sending.size.count();
    on_link_.push_back(time_of(whole_bytes_of(link.through + size * link.waiting), paths_.rate(step.link)));
    sending.takes = std::max(sending.takes, on_link_.back());
    link.through += size * step.fraction();
    link.waiting -= step.fraction();
  }
  // It is never faster than when all smaller ones on the link that holds it are through.
  double most = std::numeric_limits<double>::max();
  for (std::uint32_t i = 0; i < steps.size(); i++)
    if (on_link_[i] == sending.takes) {
      Link& link = links_[steps[i].link];
      link.holds = true;
      most = std::min(most, static_cast<double>(paths_.rate(steps[i].link).count()) / static_cast<double>(link.no_smaller));
    }
  for (std::uint32_t i = 0; i < steps.size(); i++)
    if (on_link_[i] != sending.takes) links_[steps[i].link].others += most * static_cast<double>(steps[i].fraction());
}

bool BatchTimes::is_fair(std::span<const Sending> batch, bool equal) const {
  constexpr double kRounding = 1 + 1e-9;
  for (const Sending& sending : batch)
    for (const PathHop& step : paths_.steps(sending.path)) {
      const Link& link = links_[step.link];
      if (link.holds && link.others > 0) return false;
      if (!equal && link.others > static_cast<double>(paths_.rate(step.link).count()) * kRounding) return false;
    }
  return true;
}

void BatchTimes::forget(std::span<const Sending> batch) {
  for (const Sending& sending : batch)
    for (const PathHop& step : paths_.steps(sending.path)) links_[step.link] = {};
}

/// Messages that share a link have sent equally much as long as they last.
std::vector<Int128> BatchTimes::left(std::span<const Sending> batch, Picoseconds elapsed) {
  if (alone_) return left_alone(batch, elapsed);
  for (const Sending& sending : batch)
    for (const PathHop& step : paths_.steps(sending.path)) {
      Link& link = links_[step.link];
      if (sending.takes > elapsed)
        link.waiting += step.fraction();
      else
        link.through += Int128(sending.size.count()) * step.fraction();
    }
  std::vector<Int128> left(batch.size(), 0);
  BitsPerSecond rate;  // of most links
  Bytes sent_at_rate;
  for (std::size_t i = 0; i < batch.size(); i++) {
    if (batch[i].takes <= elapsed) continue;
    Int128 sent = batch[i].size.count();
    for (const PathHop& step : paths_.steps(batch[i].path)) {
      const Link& link = links_[step.link];
      if (paths_.rate(step.link) != rate) rate = paths_.rate(step.link), sent_at_rate = bytes_in(elapsed, rate);
      const Int128 by_these = (Int128(sent_at_rate.count()) << 32) - link.through;
      sent = std::min(sent, link.waiting == kWholeFraction ? by_these >> 32 : by_these / link.waiting);
    }
    left[i] = volume_of(batch[i].size - Bytes(static_cast<std::int64_t>(std::max(Int128(0), sent))));
  }
  forget(batch);
  return left;
}

BitsPerSecond BatchTimes::slowest(std::uint32_t path) const {
  BitsPerSecond slowest = BitsPerSecond::max();
  for (const PathHop& step : paths_.steps(path)) slowest = std::min(slowest, paths_.rate(step.link));
  return slowest;
}

/// The same where nobody shares a link.
std::vector<Int128> BatchTimes::left_alone(std::span<const Sending> batch, Picoseconds elapsed) const {
  std::vector<Int128> left(batch.size(), 0);
  BitsPerSecond rate;  // of most paths
  Bytes sent;
  for (std::size_t i = 0; i < batch.size(); i++) {
    if (batch[i].takes <= elapsed) continue;
    if (const BitsPerSecond own = slowest(batch[i].path); own != rate) rate = own, sent = bytes_in(elapsed, rate);
    left[i] = volume_of(std::max(Bytes::zero(), batch[i].size - sent));
  }
  return left;
}

/// Indices, smallest first; equal sizes keep their order.
const LargeArray<std::uint32_t>& BatchTimes::by_size(std::span<const Sending> batch) {
  order_.resize(batch.size());
  std::iota(order_.begin(), order_.end(), 0U);
  const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return batch[a].size < batch[b].size; };
  if (!std::is_sorted(order_.begin(), order_.end(), smaller)) std::stable_sort(order_.begin(), order_.end(), smaller);
  return order_;
}

}  // namespace railyard
