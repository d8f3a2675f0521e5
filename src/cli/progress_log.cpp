#include "cli/progress_log.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <utility>

#include "base/json.h"

namespace railyard {

namespace {

constexpr auto kBetweenLines = std::chrono::milliseconds(200);

std::string progress_record(double share, const std::string& now) {
  Document record = Document::object();
  record.set("share", Document(share));
  record.set("now", Document(now));
  return write_compact_json(record) + "\n";
}

bool write_all(int descriptor, const std::string& text) {
  return ::write(descriptor, text.data(), text.size()) ==
         static_cast<ssize_t>(text.size());  // shorter than a pipe takes at once
}

}  // namespace

ProgressLog::ProgressLog(const Progress& progress, int descriptor, std::function<void(double)> on_sign)
    : progress_(progress), descriptor_(descriptor), on_sign_(std::move(on_sign)) {
  if (descriptor >= 0) watcher_ = std::thread([this] { watch(); });
}

ProgressLog::~ProgressLog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void ProgressLog::watch() {
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  const auto start = std::chrono::steady_clock::now();
  std::string before;
  std::unique_lock lock(mutex_);
  do {
    if (on_sign_) on_sign_(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    const std::string line = progress_record(progress_.share(), progress_.now());
    if (line != before && !write_all(descriptor_, line)) return;
    before = line;
  } while (!ended_.wait_for(lock, kBetweenLines, [this] { return over_; }));
}

}  // namespace railyard
