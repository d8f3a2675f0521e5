#include "engine/analytic/shared_times.h"

#include <algorithm>

namespace railyard {

void SharedTimes::find_rates(std::span<const Sending> batch) {
  for (const Sending& one : batch) path_.push_back(one.path);
  rate_.resize(path_.size());
  shares_.find_rates(path_, rate_);
  for (const std::int64_t rate : rate_) RY_CHECK(rate > 0, "a link that runs has something for everybody");
}

void SharedTimes::find(std::span<Sending> batch) {
  find_rates(batch);
  for (std::size_t i = 0; i < batch.size(); i++)
    batch[i].takes = Picoseconds(static_cast<std::int64_t>((volume_of(batch[i].size) + rate_[i] - 1) / rate_[i]));
  forget();
}

std::vector<Int128> SharedTimes::left(std::span<const Sending> batch, Picoseconds elapsed) {
  find_rates(batch);
  std::vector<Int128> left(batch.size(), 0);
  for (std::size_t i = 0; i < batch.size(); i++)
    left[i] = std::max(Int128(0), volume_of(batch[i].size) - Int128(rate_[i]) * elapsed.count());
  forget();
  return left;
}

void SharedTimes::forget() {
  give_back(path_);
  give_back(rate_);
}

}  // namespace railyard
