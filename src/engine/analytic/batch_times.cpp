#include "engine/analytic/batch_times.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace railyard {

namespace {

/// Of bytes times parts, rounded up.
Picoseconds time_of(Int128 parted, BitsPerSecond rate) {
  return transmit_time(Bytes(static_cast<std::int64_t>((parted + 0xFFFFFFFF) >> 32)), rate);
}

}  // namespace

bool BatchTimes::find(std::span<Sending> batch) {
  lanes_.resize(ways_.lanes());
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) lanes_[step.lane].waiting += step.part();
  const std::vector<std::uint32_t>& order = by_size(batch);
  for (const std::uint32_t i : order) serve(batch[i]);
  const bool fair = is_fair(batch, batch[order.front()].size == batch[order.back()].size);
  forget(batch);
  return fair;
}

/// REQUIRES: smaller ones were served before.
void BatchTimes::serve(Sending& sending) {
  const std::span<const WayStep> steps = ways_.steps(sending.way);
  sending.takes = {};
  on_lane_.clear();
  for (const WayStep& step : steps) {
    Lane& lane = lanes_[step.lane];
    if (lane.size != sending.size) lane.size = sending.size, lane.no_smaller = lane.waiting;
    const Int128 size = sending.size.count();
    on_lane_.push_back(time_of(lane.through + size * lane.waiting, ways_.rate(step.lane)));
    sending.takes = std::max(sending.takes, on_lane_.back());
    lane.through += size * step.part();
    lane.waiting -= step.part();
  }
  // It is never faster than when all smaller ones on the lane that holds it are through.
  double most = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < steps.size(); i++)
    if (on_lane_[i] == sending.takes) {
      Lane& lane = lanes_[steps[i].lane];
      lane.holds = true;
      most = std::min(most, static_cast<double>(ways_.rate(steps[i].lane).count()) / static_cast<double>(lane.no_smaller));
    }
  for (std::size_t i = 0; i < steps.size(); i++)
    if (on_lane_[i] != sending.takes) lanes_[steps[i].lane].others += most * static_cast<double>(steps[i].part());
}

bool BatchTimes::is_fair(std::span<const Sending> batch, bool equal) const {
  constexpr double kRounding = 1 + 1e-9;
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) {
      const Lane& lane = lanes_[step.lane];
      if (lane.holds && lane.others > 0) return false;
      if (!equal && lane.others > static_cast<double>(ways_.rate(step.lane).count()) * kRounding) return false;
    }
  return true;
}

void BatchTimes::forget(std::span<const Sending> batch) {
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) lanes_[step.lane] = {};
}

/// Messages that share a lane have sent equally much as long as they last.
std::span<const Bytes> BatchTimes::left(std::span<const Sending> batch, Picoseconds elapsed) {
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) {
      Lane& lane = lanes_[step.lane];
      if (sending.takes > elapsed)
        lane.waiting += step.part();
      else
        lane.through += Int128(sending.size.count()) * step.part();
    }
  left_.assign(batch.size(), Bytes::zero());
  for (std::size_t i = 0; i < batch.size(); i++) {
    if (batch[i].takes <= elapsed) continue;
    Int128 sent = batch[i].size.count();
    for (const WayStep& step : ways_.steps(batch[i].way)) {
      const Lane& lane = lanes_[step.lane];
      const Int128 by_these = (Int128(bytes_in(elapsed, ways_.rate(step.lane)).count()) << 32) - lane.through;
      sent = std::min(sent, by_these / lane.waiting);
    }
    left_[i] = batch[i].size - Bytes(static_cast<std::int64_t>(std::max(Int128(0), sent)));
  }
  forget(batch);
  return left_;
}

/// Indices, smallest first; equal sizes keep their order.
const std::vector<std::uint32_t>& BatchTimes::by_size(std::span<const Sending> batch) {
  order_.resize(batch.size());
  std::iota(order_.begin(), order_.end(), 0U);
  const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return batch[a].size < batch[b].size; };
  if (!std::is_sorted(order_.begin(), order_.end(), smaller)) std::stable_sort(order_.begin(), order_.end(), smaller);
  return order_;
}

}  // namespace railyard
