#include "engine/analytic/batch_times.h"

#include <algorithm>
#include <numeric>

namespace railyard {

bool BatchTimes::find(std::span<Sending> batch) {
  lanes_.resize(ways_.lanes());
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) lanes_[step.lane].waiting++;
  for (const std::uint32_t i : by_size(batch)) serve(batch[i]);
  bool fair = true;
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) {
      Lane& lane = lanes_[step.lane];
      fair &= lane.held == 0 || lane.others == 0;
      lane.through = Bytes::zero();
    }
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) lanes_[step.lane].held = lanes_[step.lane].others = 0;
  return fair;
}

/// REQUIRES: smaller ones were served before.
void BatchTimes::serve(Sending& sending) {
  sending.takes = {};
  on_lane_.clear();
  for (const WayStep& step : ways_.steps(sending.way)) {
    Lane& lane = lanes_[step.lane];
    const Bytes size = part_of(sending.size, step.share);
    on_lane_.push_back(time(step.lane, lane.through + size * lane.waiting));
    sending.takes = std::max(sending.takes, on_lane_.back());
    lane.through += size;
    lane.waiting--;
  }
  std::size_t i = 0;
  for (const WayStep& step : ways_.steps(sending.way))
    (on_lane_[i++] == sending.takes ? lanes_[step.lane].held : lanes_[step.lane].others)++;
}

/// Messages that share a lane have sent equally much as long as they last.
std::span<const Bytes> BatchTimes::left(std::span<const Sending> batch, Picoseconds elapsed) {
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way)) {
      Lane& lane = lanes_[step.lane];
      if (sending.takes > elapsed)
        lane.waiting++;
      else
        lane.through += part_of(sending.size, step.share);
    }
  left_.assign(batch.size(), Bytes::zero());
  for (std::size_t i = 0; i < batch.size(); i++) {
    if (batch[i].takes <= elapsed) continue;
    double sent = static_cast<double>(batch[i].size.count());
    for (const WayStep& step : ways_.steps(batch[i].way)) {
      const Lane& lane = lanes_[step.lane];
      const Bytes by_these = bytes_in(elapsed, ways_.rate(step.lane)) - lane.through;
      sent = std::min(sent, static_cast<double>(by_these.count()) / lane.waiting / step.share);
    }
    left_[i] = batch[i].size - Bytes(static_cast<std::int64_t>(std::max(0.0, sent)));
  }
  for (const Sending& sending : batch)
    for (const WayStep& step : ways_.steps(sending.way))
      lanes_[step.lane].waiting = 0, lanes_[step.lane].through = Bytes::zero();
  return left_;
}

Picoseconds BatchTimes::time(std::uint32_t of, Bytes size) {
  Lane& lane = lanes_[of];
  const BitsPerSecond rate = ways_.rate(of);
  if (size != lane.size || rate != lane.rate) lane.time_of_size = transmit_time(lane.size = size, lane.rate = rate);
  return lane.time_of_size;
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
