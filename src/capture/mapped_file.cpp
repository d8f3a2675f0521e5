#include "capture/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace railyard {

namespace {

Diagnostic cannot_map(const std::filesystem::path& path, const std::string& why) {
  return {Severity::error,
          "RY-CAP-001",
          "cannot read this capture: " + why,
          "give a file on disk; what comes through a pipe is saved first",
          {path.string()}};
}

Diagnostic cannot_unpack(const std::filesystem::path& path, const std::string& why) {
  return {Severity::error,
          "RY-CAP-007",
          "cannot unpack this capture: " + why,
          "unpack it with gunzip, where there is room for it",
          {path.string()}};
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

/// What `packed` holds, in a file of its own; less where it ends too early.
Result<OpenFile> unpacked_file(int packed, const std::filesystem::path& path) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 18;
  OpenFile out(std::tmpfile());
  if (!out) return cannot_unpack(path, std::strerror(errno));
  const gzFile in = gzdopen(::dup(packed), "rb");
  if (in == nullptr) return cannot_unpack(path, "out of memory");
  gzbuffer(in, kAtOnce);
  std::vector<char> bytes(kAtOnce);
  int got = 0;
  bool written = true;
  while (written && (got = gzread(in, bytes.data(), kAtOnce)) > 0)
    written = std::fwrite(bytes.data(), 1, static_cast<std::size_t>(got), out.get()) == static_cast<std::size_t>(got);
  int status = Z_OK;
  const std::string said = gzerror(in, &status);
  gzclose(in);
  written = std::fflush(out.get()) == 0 && written;
  if (!written) return cannot_unpack(path, std::strerror(errno));
  const bool ends_early = status == Z_BUF_ERROR;
  if (got < 0 && !ends_early) return cannot_unpack(path, said.substr(said.find(": ") + 2));
  return out;
}

bool is_packed(int descriptor) {
  std::array<std::uint8_t, 2> magic = {};
  return ::pread(descriptor, magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_map(path, std::strerror(errno));
  const bool packed = is_packed(descriptor);
  if (!packed) return map_and_close(descriptor, path);
  const Result<OpenFile> file = unpacked_file(descriptor, path);
  ::close(descriptor);
  if (!file) return file.error();
  return map_and_close(::dup(::fileno(file->get())), path);
}

Result<MappedFile> MappedFile::map_and_close(int descriptor, const std::filesystem::path& path) {
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
