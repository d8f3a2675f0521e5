#include "serve/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace railyard {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kProgress = 3;  // the child's descriptor
constexpr int kNotStarted = 127;
constexpr rlim_t kMostFiles = 256, kLargestFile = rlim_t{4} << 30U;
constexpr auto kGrace = std::chrono::seconds(1);

/// Everything that the child is given, made before it is: between fork and exec it may not allocate.
struct Prepared {
  std::vector<std::string> words;
  std::vector<char*> argv;
  std::string folder, log;
  rlimit memory, cores, files, size;
  pid_t parent;
  int progress;
};

Prepared prepare(const ChildRequest& request, int progress) {
  Prepared out{.words = {"railyard"},
               .argv = {},
               .folder = request.folder.string(),
               .log = (request.folder / "log.txt").string(),
               .memory = {request.memory, request.memory},
               .cores = {0, 0},
               .files = {kMostFiles, kMostFiles},
               .size = {kLargestFile, kLargestFile},
               .parent = getpid(),
               .progress = progress};
  out.words.insert(out.words.end(), request.arguments.begin(), request.arguments.end());
  return out;
}

/// In the child. Nothing but calls of the system.
[[noreturn]] void become(Prepared& given) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != given.parent) _exit(kNotStarted);  // it died before that was said
  const int nothing = open("/dev/null", O_RDWR), log = open(given.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  const int progress = fcntl(given.progress, F_DUPFD, 10);
  if (nothing < 0 || log < 0 || progress < 0 || chdir(given.folder.c_str()) != 0) _exit(kNotStarted);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  dup2(progress, kProgress);
  close_range(kProgress + 1, ~0U, 0);
  setrlimit(RLIMIT_CORE, &given.cores);
  setrlimit(RLIMIT_NOFILE, &given.files);
  setrlimit(RLIMIT_FSIZE, &given.size);
  if (given.memory.rlim_cur > 0) setrlimit(RLIMIT_DATA, &given.memory);
  char* const environment[] = {nullptr};
  execve("/proc/self/exe", given.argv.data(), environment);
  _exit(kNotStarted);
}

/// Bytes as lines.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& on_line) : on_line_(on_line) {}

  void add(std::string_view bytes) {
    for (const char c : bytes)
      if (c == '\n')
        end();
      else if (line_.size() < kLongest)
        line_ += c;
  }

 private:
  static constexpr std::size_t kLongest = 4096;

  void end() {
    on_line_(line_);
    line_.clear();
  }

  const std::function<void(std::string_view)>& on_line_;
  std::string line_;
};

/// Sends signals to a child that is to end.
class Stopping {
 public:
  explicit Stopping(pid_t child) : child_(child) {}

  void go_on() {
    if (is_asked_ && Clock::now() - asked_ < kGrace) return;
    kill(-child_, is_asked_ ? SIGKILL : SIGTERM);
    if (!is_asked_) asked_ = Clock::now();
    is_asked_ = true;
  }

 private:
  pid_t child_;
  bool is_asked_ = false;
  Clock::time_point asked_;
};

/// Until the child closes its end, which it does when it ends.
void follow(pid_t child, int pipe, const ChildRequest& request, const std::function<void(std::string_view)>& on_line,
            const std::atomic<bool>& stop, ChildEnd& end) {
  const Clock::time_point latest = Clock::now() + request.longest;
  Lines lines(on_line);
  Stopping stopping(child);
  std::array<char, 4096> buffer;
  while (true) {
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = poll(&waiting, 1, 50);
    if (ready > 0) {
      const ssize_t got = read(pipe, buffer.data(), buffer.size());
      if (got <= 0 && errno != EINTR) return;
      if (got > 0) lines.add({buffer.data(), static_cast<std::size_t>(got)});
    }
    if (stop) end.was_stopped = true;
    if (Clock::now() > latest) end.took_too_long = true;
    if (end.was_stopped || end.took_too_long) stopping.go_on();
  }
}

}  // namespace

ChildEnd run_child(const ChildRequest& request, const std::function<void(std::string_view)>& on_line,
                   const std::atomic<bool>& stop) {
  ChildEnd end;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {.started = false};
  Prepared given = prepare(request, ends[1]);
  for (std::string& word : given.words) given.argv.push_back(word.data());
  given.argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) become(given);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return {.started = false};
  }
  follow(child, ends[0], request, on_line, stop, end);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.started = end.code != kNotStarted;
  return end;
}

}  // namespace railyard
