#include "base/progress.h"

#include <algorithm>
#include <utility>

namespace railyard {

Progress::Progress(Progress& whole, std::uint64_t work, std::string name)
    : whole_(&whole), work_(work), is_named_(whole.is_named_ || !name.empty()) {
  if (!whole.is_named_ && !name.empty()) begin(this, std::move(name));
}

Progress::~Progress() {
  if (!whole_) return;
  pass_on(work_);
  if (is_named_ && !whole_->is_named_) end(this);
}

void Progress::stop_if_cancelled() const {
  for (const Progress* all = this; all; all = all->whole_)
    if (all->cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
}

void Progress::add(std::uint64_t work) {
  stop_if_cancelled();
  count(work);
}

void Progress::count(std::uint64_t work) {
  done_.fetch_add(work, std::memory_order_relaxed);
  if (whole_) pass_on(static_cast<std::uint64_t>(share() * static_cast<double>(work_)));
}

void Progress::finish() {
  if (total() == 0) expect(1);
  if (done() < total()) add(total() - done());
}

double Progress::share() const {
  const std::uint64_t all = total();
  const double now = all > 0 ? std::min(1.0, static_cast<double>(done()) / static_cast<double>(all)) : 0;
  double before = reached_.load(std::memory_order_relaxed);
  while (now > before && !reached_.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
  return std::max(now, before);
}

/// `work` of the whole is done by this part: what was not said yet is.
void Progress::pass_on(std::uint64_t work) {
  std::uint64_t before = passed_on_.load(std::memory_order_relaxed);
  while (work > before && !passed_on_.compare_exchange_weak(before, work, std::memory_order_relaxed)) {
  }
  if (work > before) whole_->count(work - before);
}

void Progress::begin(const Progress* part, std::string name) {
  if (whole_) return whole_->begin(part, std::move(name));
  const std::lock_guard lock(mutex_);
  parts_.push_back({part, std::move(name)});
}

void Progress::end(const Progress* part) {
  if (whole_) return whole_->end(part);
  const std::lock_guard lock(mutex_);
  std::erase_if(parts_, [&](const Named& named) { return named.part == part; });
}

std::string Progress::now() const {
  if (whole_) return whole_->now();
  const std::lock_guard lock(mutex_);
  return parts_.empty() ? std::string() : parts_.back().name;
}

}  // namespace railyard
