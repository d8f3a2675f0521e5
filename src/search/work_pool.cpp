#include "search/work_pool.h"

#include <utility>

namespace railyard {

WorkPool::WorkPool(const std::function<std::string(std::size_t, Progress&)>& make, unsigned threads, Progress& progress)
    : make_(make), progress_(progress) {
  for (unsigned i = 0; i < threads; i++) threads_.emplace_back([this] { work(); });
}

WorkPool::~WorkPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkPool::push(std::span<const std::size_t> numbers) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
  }
  has_work_.notify_all();
}

std::vector<WorkPool::Made> WorkPool::take(std::chrono::microseconds patience) {
  progress_.stop_if_cancelled();
  std::unique_lock lock(mutex_);
  has_made_.wait_for(lock, patience, [this] { return !made_.empty(); });
  return std::exchange(made_, {});
}

void WorkPool::work() {
  for (;;) {
    std::size_t number = 0;
    {
      std::unique_lock lock(mutex_);
      has_work_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      number = waiting_.front();
      waiting_.pop_front();
    }
    try {
      Progress part(progress_, 0);
      std::string text = make_(number, part);
      const std::lock_guard lock(mutex_);
      made_.push_back({number, std::move(text)});
    } catch (const Cancelled&) {
      return;
    }
    has_made_.notify_one();
  }
}

}  // namespace railyard
