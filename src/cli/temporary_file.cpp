#include "cli/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <utility>

namespace railyard {

namespace {

constexpr std::size_t kMostFiles = 8, kNoSlot = kMostFiles;
constexpr int kMostTries = 100;  // names that somebody else left behind
constexpr int kEndings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT};

/// What a handler of signals may look at is nothing but this.
struct FileSlot {
  std::atomic<bool> is_taken = false;
  char path[PATH_MAX] = {};
};
std::array<FileSlot, kMostFiles> unfinished;
static_assert(std::atomic<bool>::is_always_lock_free);

/// Removes what is unfinished, and lets the signal do what it does to a program that does not care.
void remove_and_end(int signal) {
  for (const FileSlot& slot : unfinished)
    if (slot.is_taken) unlink(slot.path);
  std::raise(signal);  // SA_RESETHAND; it comes once this returns
}

/// Once. What is ignored (nohup) stays ignored. A file that grows too large is an error of write, and no end.
void watch_signals() {
  static const bool once [[maybe_unused]] = [] {
    for (const int signal : kEndings) {
      struct sigaction old = {}, wanted = {};
      sigaction(signal, nullptr, &old);
      if (old.sa_handler != SIG_DFL) continue;
      wanted.sa_handler = remove_and_end;
      wanted.sa_flags = static_cast<int>(SA_RESETHAND);
      sigaction(signal, &wanted, nullptr);
    }
    std::signal(SIGXFSZ, SIG_IGN);
    return true;
  }();
}

/// No signal comes between what is done to a file and what the handler is told of it.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kEndings) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_ = {};
};

std::size_t free_slot() {
  for (std::size_t i = 0; i < kMostFiles; i++)
    if (!unfinished[i].is_taken) return i;
  return kNoSlot;
}

bool is_regular_or_none(const std::filesystem::path& path) {
  struct stat found = {};
  if (lstat(path.c_str(), &found) != 0) return errno == ENOENT;
  if (S_ISREG(found.st_mode)) return true;
  errno = EEXIST;
  return false;
}

}  // namespace

std::optional<TemporaryFile> TemporaryFile::create(const std::filesystem::path& folder, mode_t mode) {
  watch_signals();
  const SignalsHeld held;
  const std::size_t slot = free_slot();
  if (slot == kNoSlot) {
    errno = EMFILE;
    return std::nullopt;
  }
  for (int i = 0; i < kMostTries; i++) {
    const std::string path = (folder / fmt::format(".railyard-{}-{}.partial", getpid(), i)).string();
    if (path.size() >= sizeof unfinished[slot].path) {
      errno = ENAMETOOLONG;
      return std::nullopt;
    }
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return std::nullopt;
    path.copy(unfinished[slot].path, path.size());
    unfinished[slot].path[path.size()] = '\0';
    unfinished[slot].is_taken = true;
    return TemporaryFile(descriptor, slot);
  }
  return std::nullopt;
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), slot_(std::exchange(other.slot_, kNoSlot)) {}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (slot_ == kNoSlot) return;
  const SignalsHeld held;
  unlink(unfinished[slot_].path);
  unfinished[slot_].is_taken = false;
}

bool TemporaryFile::publish(const std::filesystem::path& target) {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) return false;  // some file systems have none
  if (close(std::exchange(descriptor_, -1)) != 0) return false;
  if (!is_regular_or_none(target)) return false;
  const SignalsHeld held;
  if (rename(unfinished[slot_].path, target.c_str()) != 0) return false;
  unfinished[std::exchange(slot_, kNoSlot)].is_taken = false;
  return true;
}

}  // namespace railyard
