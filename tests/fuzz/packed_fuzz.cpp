// Packed files of any bytes, as a capture and as a trace: what a gzip stream holds is read, or refused with a reason; and what
// was packed here comes back as it was.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json.h"
#include "capture/capture_summary.h"
#include "capture/mapped_file.h"
#include "capture/zero_packer.h"
#include "tools/capture/capture_report.h"
#include "trace/byte_source.h"

namespace {

using namespace railyard;

constexpr std::size_t kMostUnpacked = std::size_t{1} << 22;  // a stream may be a thousand times as large as its file

/// A file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    RY_CHECK(descriptor_ >= 0, "a file in memory can be made");
    RY_CHECK(::write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "it has room");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void show_refusal(const Diagnostics& findings) {
  RY_CHECK(!findings.empty(), "a refusal has a reason");
  for (const Diagnostic& one : findings) (void)to_text(one);
}

void read_as_capture(const std::filesystem::path& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return show_refusal(file.error());
  const CaptureReading reading{"fuzz.pcap.gz", summarise(file->bytes(), "fuzz.pcap.gz")};
  (void)capture_report(reading);
  (void)write_json(capture_document(reading));
}

/// All lines of a trace, as its readers take them.
std::string read_as_trace(const std::filesystem::path& path) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return show_refusal(source.error()), std::string();
  TraceLines lines(**source);
  std::string out;
  std::string_view line;
  while (out.size() < kMostUnpacked && lines.next(line)) out.append(line).append(1, '\n');
  return out;
}

void check_round_trip(std::string_view text) {
  constexpr std::uint32_t kZeros = 300;
  std::string packed;
  ZeroPacker packer(packed);
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  packer.add(bytes.first(bytes.size() / 2));
  packer.add_zeros(kZeros);
  packer.add(bytes.subspan(bytes.size() / 2));
  packer.finish();
  const MemoryFile file(packed);
  const Result<MappedFile> mapped = MappedFile::open(file.path());
  RY_CHECK(mapped.has_value(), "what was packed can be unpacked");
  const std::string_view back(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size());
  std::string expected(text.substr(0, text.size() / 2));
  expected.append(kZeros, '\0').append(text.substr(text.size() / 2));
  RY_CHECK(back == expected, "and is what it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  {
    const MemoryFile file(text);
    read_as_capture(file.path());
    (void)read_as_trace(file.path());
  }
  check_round_trip(text);
  return 0;
}
