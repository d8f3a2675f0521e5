// How far a long computation is, and what it is at, for whoever watches. Workers only add; a watcher on another thread only
// reads.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace railyard {

/// A computation was given up by whoever watches it.
struct Cancelled {};

/// Thread-safe. Values are for display and never influence a result.
///
/// Work is counted in units of the worker's choice. A part is a Progress of its own, with units of its own: as it gets on, so
/// much of what its whole expects is done. Whoever opens parts or does work says before that how much all of it is.
class Progress {
 public:
  Progress() = default;
  /// Stands for `work` of what `whole` expects; all of it is done when the part ends. `name` is what it is at, for people; a
  /// part of a part that has a name is known by that one. `whole` outlives it.
  Progress(Progress& whole, std::uint64_t work, std::string name = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void expect(std::uint64_t work) { total_.fetch_add(work, std::memory_order_relaxed); }
  /// So much of what was expected will not be done after all.
  void drop(std::uint64_t work) { total_.fetch_sub(work, std::memory_order_relaxed); }
  /// Throws Cancelled if whoever watches has given up.
  void add(std::uint64_t work);
  /// All that was expected is done, or there was less to do.
  void finish();

  /// Throws Cancelled likewise, for those who have nothing to add yet.
  void stop_if_cancelled() const;
  /// For the watcher: whoever adds next stops instead. What was computed so far is lost.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }
  /// From 0 to 1; never falls, even if more is expected later.
  [[nodiscard]] double share() const;
  /// What it is at: the part that began last of those that go on. Empty if none has a name.
  [[nodiscard]] std::string now() const;

 private:
  struct Named {
    const Progress* part;
    std::string name;
  };

  void count(std::uint64_t work);
  void pass_on(std::uint64_t work);
  void begin(const Progress* part, std::string name);
  void end(const Progress* part);

  Progress* const whole_ = nullptr;
  const std::uint64_t work_ = 0;  // of the whole
  bool is_named_ = false;         // or part of one that is
  std::atomic<std::uint64_t> done_{0}, total_{0}, passed_on_{0};
  std::atomic<bool> cancelled_{false};
  mutable std::atomic<double> reached_{0};
  mutable std::mutex mutex_;
  std::vector<Named> parts_;  // with names, that go on; of the outermost Progress alone
};

/// Of a part, where nothing better is known: fine enough for parts of it to be seen.
inline constexpr std::uint64_t kPartWork = 1'000'000;

}  // namespace railyard
