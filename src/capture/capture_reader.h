// Reads captures as tcpdump, Wireshark and switches write them: pcap and pcapng, in either order of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/units.h"

namespace railyard {

/// A place where frames were captured, as a file tells it.
struct CapturedInterface {
  std::string name;    // empty where the file has none
  BitsPerSecond rate;  // zero where it does not say
};

/// One frame of a capture. Its bytes are those of the file.
struct CapturedFrame {
  std::uint64_t number = 0;  // in the file, from 1
  std::int64_t at_ns = 0;
  std::uint32_t interface = 0;
  std::uint32_t size = 0;  // on the wire, without preamble; mostly without FCS, too
  std::span<const std::uint8_t> bytes;
};

/// Frames one after the other. Ends at the end of the bytes or at the first thing that is wrong, which problem() tells:
/// bytes that are no capture (RY-CAP-002), a frame that is not all there (RY-CAP-003, a warning), lengths that cannot be
/// (RY-CAP-004), or a link that is no Ethernet (RY-CAP-005).
class CaptureReader {
 public:
  /// `file` is for messages. The bytes must live as long.
  CaptureReader(std::span<const std::uint8_t> bytes, std::string file);

  /// The next frame; false at the end.
  bool next(CapturedFrame& frame);

  [[nodiscard]] const std::optional<Diagnostic>& problem() const { return problem_; }
  /// Those that were met so far, through all sections of a file.
  [[nodiscard]] const std::vector<CapturedInterface>& interfaces() const { return interfaces_; }
  [[nodiscard]] std::uint64_t frames() const { return frames_; }

 private:
  /// How the times of an interface count.
  struct Clock {
    std::uint64_t per_second = 1'000'000;
    std::int64_t offset_s = 0;
  };

  void begin_pcap();
  bool next_record(CapturedFrame& frame);
  bool next_block(CapturedFrame& frame);
  bool begin_section(std::size_t size);
  void add_interface(std::span<const std::uint8_t> body);
  void read_option(std::uint32_t code, std::span<const std::uint8_t> value);
  bool take_packet(std::uint32_t kind, std::span<const std::uint8_t> body, CapturedFrame& frame);
  bool hand_out(std::span<const std::uint8_t> body, std::size_t header, std::uint32_t kept, CapturedFrame& frame);
  bool set_link(std::uint32_t type);
  bool fail(Severity severity, std::string code, std::string what, std::string hint);
  bool cut_short();
  bool broken(std::string what);

  [[nodiscard]] std::uint16_t half(const std::uint8_t* at) const;
  [[nodiscard]] std::uint32_t word(const std::uint8_t* at) const;
  [[nodiscard]] std::span<const std::uint8_t> rest() const { return bytes_.subspan(at_); }
  [[nodiscard]] std::int64_t nanoseconds(std::uint64_t time, const Clock& clock) const;

  std::span<const std::uint8_t> bytes_;
  std::string file_;
  std::size_t at_ = 0;
  std::uint64_t frames_ = 0;
  bool is_pcapng_ = false, is_big_endian_ = false;
  std::size_t first_interface_ = 0;  // of this section
  std::vector<CapturedInterface> interfaces_;
  std::vector<Clock> clocks_;
  std::optional<Diagnostic> problem_;
};

}  // namespace railyard
