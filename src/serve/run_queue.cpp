#include "serve/run_queue.h"

#include <algorithm>
#include <chrono>

#include "base/json.h"
#include "serve/run_end.h"

namespace railyard {

namespace {

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

ChildRequest request_of(const std::filesystem::path& folder, const ServeLimits& limits) {
  return {.arguments = {"run", "scenario.toml", "--json", "results.json", "-o", "page.html", "--within", "files", "--quiet",
                        "--threads", std::to_string(limits.threads), "--progress-fd", "3"},
          .folder = folder,
          .memory = limits.memory,
          .longest = limits.longest};
}

}  // namespace

RunQueue::RunQueue(const DataFolder& data, const ServeLimits& limits, RunChild run_child)
    : data_(data), limits_(limits), run_child_(std::move(run_child)) {
  take_up();
  for (std::size_t i = 0; i < limits_.parallel; i++) workers_.emplace_back([this] { work(); });
}

RunQueue::~RunQueue() {
  close();
  for (std::thread& worker : workers_) worker.join();
}

void RunQueue::take_up() {
  for (RunRecord& record : data_.load()) {
    auto entry = std::make_shared<Entry>();
    entry->record = std::move(record);
    if (entry->record.state == ServedState::queued) waiting_.push_back(entry->record.id);
    if (entry->record.state == ServedState::running) {
      entry->record.problems = {lost_run()};
      change(*entry, ServedState::lost);
    }
    entries_.emplace(entry->record.id, std::move(entry));
  }
}

tl::expected<RunRecord, RunQueue::Refused> RunQueue::submit(const std::string& scenario) {
  const std::lock_guard lock(mutex_);
  if (is_closed_ || waiting_.size() >= limits_.queue) return tl::unexpected(Refused::full);
  auto entry = std::make_shared<Entry>();
  entry->record = {.id = new_run_id(), .name = title_of_scenario(scenario), .created_ms = now_ms()};
  if (!data_.create(entry->record, scenario)) return tl::unexpected(Refused::disk);
  forget_old();
  const RunRecord record = entry->record;
  waiting_.push_back(record.id);
  entries_.emplace(record.id, std::move(entry));
  changed_.notify_all();
  return record;
}

/// REQUIRES: the mutex is held.
void RunQueue::forget_old() {
  std::vector<const RunRecord*> ended;
  for (const auto& [id, entry] : entries_)
    if (has_ended(entry->record.state)) ended.push_back(&entry->record);
  std::sort(ended.begin(), ended.end(), [](const RunRecord* a, const RunRecord* b) { return a->created_ms < b->created_ms; });
  for (std::size_t i = 0; i + limits_.keep < ended.size(); i++) {
    const std::string id = ended[i]->id;
    data_.remove(id);
    entries_.erase(id);
  }
}

std::vector<RunRecord> RunQueue::list() const {
  std::vector<RunRecord> out;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_) out.push_back(entry->record);
  }
  std::sort(out.begin(), out.end(), [](const RunRecord& a, const RunRecord& b) {
    return std::pair(b.created_ms, b.id) < std::pair(a.created_ms, a.id);
  });
  return out;
}

std::optional<RunRecord> RunQueue::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  return found == entries_.end() ? std::nullopt : std::optional(found->second->record);
}

std::optional<RunRecord> RunQueue::cancel(const std::string& id) {
  std::unique_lock lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return std::nullopt;
  const std::shared_ptr<Entry> entry = found->second;
  if (entry->record.state == ServedState::queued) {
    std::erase(waiting_, id);
    change(*entry, ServedState::cancelled);
  }
  entry->is_cancelled = true;
  entry->stop = true;
  changed_.wait(lock, [&] { return has_ended(entry->record.state); });
  return entry->record;
}

bool RunQueue::remove(const std::string& id) {
  if (!cancel(id)) return false;
  const std::lock_guard lock(mutex_);
  if (entries_.erase(id) == 0) return false;
  data_.remove(id);
  changed_.notify_all();
  return true;
}

std::optional<RunRecord> RunQueue::wait_for_change(const std::string& id, std::uint64_t version,
                                                   std::chrono::milliseconds longest) const {
  std::unique_lock lock(mutex_);
  const auto is_other = [&] {
    const auto found = entries_.find(id);
    return is_closed_ || found == entries_.end() || found->second->record.version != version;
  };
  changed_.wait_for(lock, longest, is_other);
  const auto found = entries_.find(id);
  return is_closed_ || found == entries_.end() ? std::nullopt : std::optional(found->second->record);
}

void RunQueue::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  for (const auto& [id, entry] : entries_) entry->stop = true;
  changed_.notify_all();
}

/// REQUIRES: the mutex is held, or nobody else is there yet.
void RunQueue::change(Entry& entry, ServedState state) {
  RunRecord& record = entry.record;
  record.state = state;
  if (state == ServedState::running) record.started_ms = now_ms();
  if (has_ended(state)) record.ended_ms = now_ms();
  if (state == ServedState::finished) record.share = 1;
  if (has_ended(state)) record.now.clear();
  record.version++;
  data_.save(record);
  changed_.notify_all();
}

void RunQueue::work() {
  while (true) {
    std::shared_ptr<Entry> entry;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_closed_ || !waiting_.empty(); });
      if (is_closed_) return;
      entry = entries_.at(waiting_.front());
      waiting_.pop_front();
      change(*entry, ServedState::running);
    }
    perform(*entry);
  }
}

void RunQueue::perform(Entry& entry) {
  const ChildEnd end = run_child_(
      request_of(data_.run(entry.record.id), limits_), [&](std::string_view line) { on_progress(entry, line); }, entry.stop);
  settle(entry, end);
}

void RunQueue::on_progress(Entry& entry, std::string_view line) {
  const Result<Document> document = parse_json(line, "progress", "RY-WEB-022");
  if (!document) return;
  double storage = 0;
  const Document* const share = document->find("share");
  const Document* const now = document->find("now");
  const std::lock_guard lock(mutex_);
  if (share && share->number(storage)) entry.record.share = std::clamp(*share->number(storage), entry.record.share, 1.0);
  if (now && now->text()) entry.record.now = *now->text();
  entry.record.version++;
  changed_.notify_all();
}

void RunQueue::settle(Entry& entry, const ChildEnd& end) {
  RunEnd told;
  if (entry.is_cancelled)
    told = {.state = ServedState::cancelled};
  else if (end.was_stopped)
    told = {.state = ServedState::lost, .problems = {lost_run()}};
  else
    told = end_of_run(end, data_.run(entry.record.id), limits_);
  const std::lock_guard lock(mutex_);
  entry.record.problems = std::move(told.problems);
  change(entry, told.state);
}

}  // namespace railyard
