#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <iostream>

#include "base/diagnostic.h"

namespace railyard {

namespace {

constexpr int kMostLinks = 40;
constexpr std::size_t kAtOnce = 1 << 16;  // bytes

FileIdentity identity(const struct stat& found) { return {found.st_dev, found.st_ino}; }

/// Whether standard output is this, so that both would write over each other. Devices but terminals do not care.
bool is_behind_standard_output(const struct stat& found) {
  struct stat out = {};
  if (fstat(STDOUT_FILENO, &out) != 0 || identity(out) != identity(found)) return false;
  return !S_ISCHR(out.st_mode) || isatty(STDOUT_FILENO);
}

/// The number of an open descriptor of this program: 3 for "3" in /dev/fd.
std::optional<int> descriptor_of(const std::filesystem::path& folder, const std::string& name) {
  if (folder != fmt::format("/proc/{}/fd", getpid())) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

/// Writes all of it, or returns errno.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0 || S_ISCHR(found.st_mode)) return std::nullopt;
  return identity(found);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : option_(std::move(other.option_)),
      name_(std::move(other.name_)),
      kind_(other.kind_),
      place_(std::move(other.place_)),
      identity_(other.identity_),
      folder_(other.folder_),
      mode_(other.mode_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      temporary_(std::move(other.temporary_)),
      waiting_(std::move(other.waiting_)),
      error_(other.error_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string OutputFile::cannot(int error) const {
  return fmt::format("cannot write {} ({}); check that its folder exists, is writable and has room", printable(name_),
                     std::strerror(error));
}

std::optional<std::string> OutputFile::prepare() {
  if (name_ == "-") {
    kind_ = Kind::standard_output;
    return std::nullopt;
  }
  if (auto wrong = follow_links()) return wrong;
  return kind_ == Kind::regular ? prepare_place() : std::nullopt;
}

/// One by one: a link may lead to a file that is not there yet, and in /proc to what has no name.
std::optional<std::string> OutputFile::follow_links() {
  std::filesystem::path path = name_;
  for (int i = 0; i < kMostLinks; i++) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
    if (error) return cannot(error.value());
    if (const auto descriptor = descriptor_of(folder, path.filename().string())) return open_descriptor(*descriptor);
    place_ = folder / path.filename();
    if (!std::filesystem::is_symlink(place_, error) || folder.string().starts_with("/proc/")) return std::nullopt;
    path = folder / std::filesystem::read_symlink(place_, error);
    if (error) return cannot(error.value());
  }
  return cannot(ELOOP);
}

std::optional<std::string> OutputFile::open_descriptor(int descriptor) {
  struct stat found = {};
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &found) != 0) return cannot(errno);
  if ((flags & O_ACCMODE) == O_RDONLY) return cannot(EBADF);
  kind_ = descriptor == STDOUT_FILENO || is_behind_standard_output(found) ? Kind::standard_output : Kind::through;
  if (!S_ISCHR(found.st_mode)) identity_ = identity(found);
  if (kind_ == Kind::through) descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (kind_ == Kind::through && descriptor_ < 0) return cannot(errno);
  return std::nullopt;
}

std::optional<std::string> OutputFile::prepare_place() {
  struct stat found = {}, folder = {};
  const bool exists = stat(place_.c_str(), &found) == 0;
  if (!exists && errno != ENOENT) return cannot(errno);
  if (exists && S_ISDIR(found.st_mode))
    return fmt::format("cannot write {}; it is a folder: name a file in it", printable(name_));
  if (exists && S_ISBLK(found.st_mode))
    return fmt::format("cannot write {}; it is a disk: name a file on it", printable(name_));
  if (exists && !S_ISCHR(found.st_mode)) identity_ = identity(found);
  if (exists && is_behind_standard_output(found)) {
    kind_ = Kind::standard_output;
    return std::nullopt;
  }
  if (exists && (!S_ISREG(found.st_mode) || place_.string().starts_with("/proc/"))) {
    kind_ = Kind::through;
    descriptor_ = open(place_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);  // of a pipe it waits for a reader, as shells do
    return descriptor_ < 0 ? std::optional(cannot(errno)) : std::nullopt;
  }
  if (exists && access(place_.c_str(), W_OK) != 0) return cannot(errno);
  if (exists) mode_ = found.st_mode & 0777;
  if (stat(place_.parent_path().c_str(), &folder) != 0) return cannot(errno);
  folder_ = identity(folder);
  if (!TemporaryFile::create(place_.parent_path(), mode_)) return cannot(errno);  // gone at once: a long run may be killed
  return std::nullopt;
}

bool OutputFile::is_same_place(const OutputFile& other) const {
  if (is_standard_output() || other.is_standard_output()) return is_standard_output() && other.is_standard_output();
  if (identity_ && identity_ == other.identity_) return true;
  return folder_ && folder_ == other.folder_ && place_.filename() == other.place_.filename();
}

void OutputFile::write(std::string_view text) {
  if (kind_ == Kind::regular && !temporary_ && error_ == 0) {
    if (auto created = TemporaryFile::create(place_.parent_path(), mode_))
      temporary_.emplace(std::move(*created));
    else
      error_ = errno;
    if (temporary_ && identity_ && fchmod(temporary_->descriptor(), mode_) != 0) error_ = errno;
  }
  if (waiting_.empty() && text.size() >= kAtOnce) return flush(text);
  waiting_ += text;
  if (waiting_.size() < kAtOnce) return;
  flush(waiting_);
  waiting_.clear();
}

void OutputFile::flush(std::string_view text) {
  if (is_standard_output()) std::cout.flush();
  const int descriptor = is_standard_output() ? STDOUT_FILENO : temporary_ ? temporary_->descriptor() : descriptor_;
  if (error_ == 0) error_ = write_all(descriptor, text);
}

std::optional<std::string> OutputFile::finish() {
  write({});
  flush(waiting_);
  waiting_.clear();
  if (error_ == 0 && temporary_ && !temporary_->publish(place_)) error_ = errno;
  if (error_ == 0 && descriptor_ >= 0 && close(std::exchange(descriptor_, -1)) != 0) error_ = errno;
  temporary_.reset();
  return error_ == 0 ? std::nullopt : std::optional(cannot(error_));
}

}  // namespace railyard
