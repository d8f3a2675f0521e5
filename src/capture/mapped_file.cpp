#include "capture/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace railyard {

namespace {

Diagnostic cannot_map(const std::filesystem::path& path, const std::string& why) {
  return {Severity::error,
          "RY-CAP-001",
          "cannot read this capture: " + why,
          "give a file on disk; what comes through a pipe is saved first",
          {path.string()}};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_map(path, std::strerror(errno));
  struct stat status {};
  const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = is_file ? static_cast<std::size_t>(status.st_size) : 0;
  void* const memory = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : nullptr;
  const int error = errno;
  ::close(descriptor);
  if (!is_file) return cannot_map(path, "it is no regular file");
  if (size == 0) return MappedFile(std::span<const std::uint8_t>());
  if (memory == MAP_FAILED) return cannot_map(path, std::strerror(error));
  ::madvise(memory, size, MADV_SEQUENTIAL);
  return MappedFile(std::span(static_cast<const std::uint8_t*>(memory), size));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace railyard
