// Runs of a server: who waits, who runs, who has ended.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "serve/child.h"
#include "serve/data_folder.h"
#include "serve/serve_limits.h"

namespace railyard {

/// Thread-safe. Every change of a run is on the disk before anybody hears of it, but for how far it is.
class RunQueue {
 public:
  /// Takes up what the folder has: what was queued is queued, what ran is lost (RY-WEB-023). Both outlive it.
  RunQueue(const DataFolder& data, const ServeLimits& limits, RunChild run_child);
  ~RunQueue();  // ends runs; they are lost, and those that wait still wait when the folder is opened again
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  enum class Refused { full, disk };
  /// The run that was queued, or why there is none.
  tl::expected<RunRecord, Refused> submit(const std::string& scenario);

  /// The newest first.
  [[nodiscard]] std::vector<RunRecord> list() const;
  [[nodiscard]] std::optional<RunRecord> find(const std::string& id) const;

  /// Ends a run that has not ended, and waits until it has. Nothing where there is no such run.
  std::optional<RunRecord> cancel(const std::string& id);
  /// The same, and nothing is left of it. False where there is no such run.
  bool remove(const std::string& id);

  /// The run once its version is another than `version`, or after a while as it is. Nothing where it is gone.
  std::optional<RunRecord> wait_for_change(const std::string& id, std::uint64_t version,
                                           std::chrono::milliseconds longest) const;

  /// Ends everything that waits or runs, so that nobody waits for it. Once.
  void close();

 private:
  struct Entry {
    RunRecord record;
    std::atomic<bool> stop = false, is_cancelled = false;
  };
  using Entries = std::map<std::string, std::shared_ptr<Entry>>;

  void take_up();
  void work();
  void perform(Entry& entry);
  void on_progress(Entry& entry, std::string_view line);
  void settle(Entry& entry, const ChildEnd& end);
  void change(Entry& entry, ServedState state);
  void forget_old();

  const DataFolder& data_;
  const ServeLimits limits_;
  const RunChild run_child_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Entries entries_;
  std::deque<std::string> waiting_;
  bool is_closed_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace railyard
