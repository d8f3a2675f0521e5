#include "sim/traffic/message_sums.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

void add_times(const ArrivedMessage& arrived, MessageSums::Times& times) {
  const double slowdown = arrived.slowdown();
  times.payload += arrived.message.size;
  times.delivery_us.add(microseconds(arrived.taken()));
  times.slowdown.add(slowdown);
  times.taken.add(static_cast<std::uint64_t>(arrived.taken().count()));
  times.slowdown_millionths.add(static_cast<std::uint64_t>(std::llround(slowdown * 1e6)));
}

}  // namespace

void MessageSums::add(const ArrivedMessage& arrived, std::uint32_t switches) {
  const PlannedMessage& message = arrived.message;
  add_times(arrived, all_);
  add_times(arrived, by_switches_[switches]);
  const std::uint64_t ends = std::uint64_t{message.from.index()} << 32 | message.to.index();
  const auto [entry, is_new] = pair_numbers_.try_emplace(ends, static_cast<std::uint32_t>(pairs_.size()));
  if (is_new) pairs_.push_back({message.from, message.to, Bytes::zero()});
  pairs_[entry->second].payload += message.size;
  begin_ = std::min(begin_, message.start);
  end_ = std::max(end_, arrived.delivered);
  keep_if_slow(arrived);
}

void MessageSums::keep_if_slow(const ArrivedMessage& arrived) {
  if (slowest_.size() == kSlowest && arrived.taken() <= slowest_.back().taken()) return;
  const auto after = std::upper_bound(slowest_.begin(), slowest_.end(), arrived,
                                      [](const ArrivedMessage& a, const ArrivedMessage& b) { return a.taken() > b.taken(); });
  slowest_.insert(after, arrived);
  if (slowest_.size() > kSlowest) slowest_.pop_back();
}

}  // namespace railyard
