#include "sweep/pool.h"

#include <utility>

namespace railyard {

PointPool::PointPool(const Sweep& sweep, unsigned threads, Progress& progress) : sweep_(sweep), progress_(progress) {
  for (unsigned i = 0; i < threads; i++) threads_.emplace_back([this] { work(); });
}

PointPool::~PointPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PointPool::push(std::span<const std::size_t> points) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), points.begin(), points.end());
  }
  has_work_.notify_all();
}

std::vector<NumberedRow> PointPool::take(std::chrono::microseconds patience) {
  progress_.stop_if_cancelled();
  std::unique_lock lock(mutex_);
  has_rows_.wait_for(lock, patience, [this] { return !done_.empty(); });
  return std::exchange(done_, {});
}

void PointPool::work() {
  for (;;) {
    std::size_t point = 0;
    {
      std::unique_lock lock(mutex_);
      has_work_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      point = waiting_.front();
      waiting_.pop_front();
    }
    try {
      Progress part(progress_, 0);
      SweepRow row = sweep_.run(point, part);
      const std::lock_guard lock(mutex_);
      done_.push_back({point, std::move(row)});
    } catch (const Cancelled&) {
      return;
    }
    has_rows_.notify_one();
  }
}

}  // namespace railyard
