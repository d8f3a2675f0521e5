#include "base/read_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::size_t kAtOnce = 1 << 16;  // bytes

/// Closes what it holds.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  const int number;
};

}  // namespace

tl::expected<std::string, ReadProblem> read_text(const std::filesystem::path& path, std::size_t largest) {
  const Descriptor file(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat found = {};
  if (file.number < 0 || fstat(file.number, &found) != 0) return tl::unexpected(ReadProblem::unreadable);
  if (S_ISDIR(found.st_mode)) return tl::unexpected(ReadProblem::folder);
  const auto expected = S_ISREG(found.st_mode) ? static_cast<std::size_t>(found.st_size) : 0;
  if (expected > largest) return tl::unexpected(ReadProblem::too_large);
  std::string text;
  text.reserve(expected + 1);
  for (std::size_t size = 0;;) {
    text.resize(std::min(size + std::max(kAtOnce, expected - std::min(size, expected) + 1), largest + 1));
    const ssize_t got = read(file.number, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(size == 0 ? ReadProblem::unreadable : ReadProblem::broken_off);
    size += static_cast<std::size_t>(got);
    if (size > largest) return tl::unexpected(ReadProblem::too_large);
    if (got == 0) {
      text.resize(size);
      return text;
    }
  }
}

std::string size_limit_text(std::size_t largest) { return format(Bytes(static_cast<std::int64_t>(largest))); }

}  // namespace railyard
