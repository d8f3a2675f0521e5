#include "capture/capture_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "capture/byte_order.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMicroseconds = 0xA1B2C3D4, kNanoseconds = 0xA1B23C4D;  // pcap
constexpr std::uint32_t kSection = 0x0A0D0D0A, kSectionOrder = 0x1A2B3C4D;      // pcapng
constexpr std::uint32_t kInterface = 1, kOldPacket = 2, kSimplePacket = 3, kEnhancedPacket = 6;
constexpr std::uint32_t kEthernetLink = 1, kCookedLink = 113, kCookedLink2 = 276;
constexpr std::size_t kPcapHeader = 24, kRecordHeader = 16, kBlockAround = 12;
constexpr std::uint64_t kPerSecond = 1'000'000'000;

}  // namespace

CaptureReader::CaptureReader(std::span<const std::uint8_t> bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
  const std::uint32_t magic = bytes.size() >= 4 ? big32(bytes.data()) : 0;
  const std::uint32_t turned = bytes.size() >= 4 ? little32(bytes.data()) : 0;
  is_pcapng_ = magic == kSection;
  if (is_pcapng_) return;
  is_big_endian_ = magic == kMicroseconds || magic == kNanoseconds;
  if (is_big_endian_ || turned == kMicroseconds || turned == kNanoseconds) {
    begin_pcap();
    return;
  }
  const bool is_packed = bytes.size() >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
  fail(Severity::error, "RY-CAP-002", is_packed ? "this file is packed (gzip)" : "this is no pcap or pcapng file",
       is_packed ? "unpack it first: gunzip -k" : "save it with tcpdump -w or as pcapng");
}

bool CaptureReader::next(CapturedFrame& frame) {
  if (problem_ || at_ == bytes_.size()) return false;
  return is_pcapng_ ? next_block(frame) : next_record(frame);
}

// pcap ----------------------------------------------------------------------------------------------------------------

void CaptureReader::begin_pcap() {
  if (bytes_.size() < kPcapHeader) {
    cut_short();
    return;
  }
  constexpr std::uint32_t kLinkBits = 0x0FFFFFFF;  // the rest tells of frame check sequences
  clocks_.push_back({.per_second = word(bytes_.data()) == kNanoseconds ? kPerSecond : 1'000'000});
  interfaces_.emplace_back();
  if (set_link(word(bytes_.data() + 20) & kLinkBits)) at_ = kPcapHeader;
}

bool CaptureReader::next_record(CapturedFrame& frame) {
  const std::span<const std::uint8_t> left = rest();
  if (left.size() < kRecordHeader) return cut_short();
  const std::uint32_t seconds = word(left.data()), fraction = word(left.data() + 4), kept = word(left.data() + 8);
  const Clock& clock = clocks_[0];
  frame.at_ns = static_cast<std::int64_t>(std::uint64_t{seconds} * kPerSecond + fraction * (kPerSecond / clock.per_second));
  frame.size = std::max(kept, word(left.data() + 12));
  frame.interface = 0;
  constexpr std::uint32_t kMostKept = 1U << 24;
  if (kept > kMostKept) return broken(fmt::format("a frame of {} bytes", kept));
  if (!hand_out(left, kRecordHeader, kept, frame)) return false;
  at_ += kRecordHeader + kept;
  return true;
}

bool CaptureReader::hand_out(std::span<const std::uint8_t> body, std::size_t header, std::uint32_t kept, CapturedFrame& frame) {
  if (body.size() - header < kept) return cut_short();
  frame.number = ++frames_;
  frame.bytes = body.subspan(header, kept);
  return true;
}

// pcapng --------------------------------------------------------------------------------------------------------------

bool CaptureReader::next_block(CapturedFrame& frame) {
  while (at_ < bytes_.size()) {
    const std::span<const std::uint8_t> left = rest();
    if (left.size() < kBlockAround) return cut_short();
    if (big32(left.data()) == kSection && !begin_section(left.size())) return false;
    const std::uint32_t kind = word(left.data()), length = word(left.data() + 4);
    if (length < kBlockAround || length % 4 != 0) return broken(fmt::format("a block of {} bytes", length));
    if (length > left.size()) return cut_short();
    const std::span<const std::uint8_t> body = left.subspan(8, length - kBlockAround);
    const bool is_packet = kind == kEnhancedPacket || kind == kSimplePacket || kind == kOldPacket;
    if (kind == kInterface) add_interface(body);
    if (problem_ || (is_packet && !take_packet(kind, body, frame))) return false;
    at_ += length;
    if (is_packet) return true;
  }
  return false;
}

/// A section has an order of bytes of its own, and interfaces of its own.
bool CaptureReader::begin_section(std::size_t size) {
  constexpr std::size_t kLeast = 28;
  if (size < kLeast) return cut_short();
  const std::uint8_t* const order = bytes_.data() + at_ + 8;
  is_big_endian_ = big32(order) == kSectionOrder;
  if (!is_big_endian_ && little32(order) != kSectionOrder) return broken("a section without an order of bytes");
  first_interface_ = interfaces_.size();
  return true;
}

void CaptureReader::add_interface(std::span<const std::uint8_t> body) {
  if (body.size() < 8) {
    broken("an interface without a kind of link");
    return;
  }
  interfaces_.emplace_back();
  clocks_.emplace_back();
  if (!set_link(half(body.data()))) return;
  for (std::size_t i = 8; i + 4 <= body.size();) {
    const std::uint32_t code = half(&body[i]), length = half(&body[i + 2]);
    if (code == 0 || body.size() - i - 4 < length) return;
    read_option(code, body.subspan(i + 4, length));
    i += 4 + ((length + 3) & ~std::size_t{3});
  }
}

void CaptureReader::read_option(std::uint32_t code, std::span<const std::uint8_t> value) {
  constexpr std::uint32_t kName = 2, kSpeed = 8, kResolution = 9, kOffset = 14;
  const auto long_word = [&] {
    const std::uint64_t first = word(value.data()), second = word(value.data() + 4);
    return is_big_endian_ ? first << 32 | second : second << 32 | first;
  };
  Clock& clock = clocks_.back();
  if (code == kName) interfaces_.back().name.assign(value.begin(), value.end());
  if (code == kSpeed && value.size() == 8)
    interfaces_.back().rate = BitsPerSecond(static_cast<std::int64_t>(long_word() & std::numeric_limits<std::int64_t>::max()));
  if (code == kOffset && value.size() == 8) clock.offset_s = static_cast<std::int64_t>(long_word() & 0xFFFFFFFF);
  if (code == kResolution && value.size() == 1) {
    const std::uint32_t exponent = value[0] & 0x7F;
    const bool is_binary = (value[0] & 0x80) != 0;
    if (exponent > (is_binary ? 60U : 18U)) {
      broken("times finer than 10^-18 s");
      return;
    }
    clock.per_second = 1;
    for (std::uint32_t i = 0; i < exponent; i++) clock.per_second *= is_binary ? 2 : 10;
  }
}

bool CaptureReader::take_packet(std::uint32_t kind, std::span<const std::uint8_t> body, CapturedFrame& frame) {
  const std::size_t header = kind == kSimplePacket ? 4 : 20;
  if (body.size() < header) return broken("a packet's block without its header");
  const std::uint8_t* const at = body.data();
  std::uint32_t local = 0;
  if (kind != kSimplePacket) local = kind == kEnhancedPacket ? word(at) : half(at);
  if (local >= interfaces_.size() - first_interface_) return broken("a frame of an interface that is not there");
  const auto room = static_cast<std::uint32_t>(body.size() - header);
  const std::uint32_t size = kind == kSimplePacket ? word(at) : word(at + 16);
  const std::uint32_t kept = kind == kSimplePacket ? std::min(size, room) : word(at + 12);
  if (kept > room) return broken(fmt::format("a frame of {} bytes in a block of {}", kept, room));
  frame.interface = static_cast<std::uint32_t>(first_interface_) + local;
  frame.size = std::max(kept, size);
  const std::uint64_t time = kind == kSimplePacket ? 0 : std::uint64_t{word(at + 4)} << 32 | word(at + 8);
  frame.at_ns = nanoseconds(time, clocks_[frame.interface]);
  return hand_out(body, header, kept, frame);
}

std::int64_t CaptureReader::nanoseconds(std::uint64_t time, const Clock& clock) const {
  const std::uint64_t whole = time / clock.per_second, part = time % clock.per_second;
  const double fraction = static_cast<double>(part) / static_cast<double>(clock.per_second);
  const std::uint64_t exact = kPerSecond % clock.per_second == 0 ? part * (kPerSecond / clock.per_second)
                                                                 : static_cast<std::uint64_t>(fraction * kPerSecond);
  constexpr std::uint64_t kMostSeconds = 8'000'000'000;  // what 64 bits of nanoseconds hold, about
  const std::uint64_t seconds = (whole + static_cast<std::uint64_t>(clock.offset_s)) % kMostSeconds;
  return static_cast<std::int64_t>(seconds * kPerSecond + exact);
}

// What is wrong -------------------------------------------------------------------------------------------------------

bool CaptureReader::set_link(std::uint32_t type) {
  if (type == kEthernetLink) return true;
  const bool is_cooked = type == kCookedLink || type == kCookedLink2;
  return fail(Severity::error, "RY-CAP-005",
              is_cooked ? "frames of a \"cooked\" capture have no Ethernet header"
                        : fmt::format("frames of link type {} are no Ethernet", type),
              is_cooked ? "capture on the interface itself, tcpdump -i eth0, not -i any" : "capture on an Ethernet interface");
}

bool CaptureReader::fail(Severity severity, std::string code, std::string what, std::string hint) {
  problem_ = Diagnostic{severity, std::move(code), std::move(what), std::move(hint), {file_}};
  return false;
}

bool CaptureReader::cut_short() {
  return fail(Severity::warning, "RY-CAP-003", fmt::format("the file ends inside frame {}, at byte {}", frames_ + 1, at_),
              "what lies before is counted; let the capture end before it is copied");
}

bool CaptureReader::broken(std::string what) {
  return fail(Severity::error, "RY-CAP-004", fmt::format("{} after frame {}, at byte {}", what, frames_, at_),
              "the file is damaged; capture again, or mend it with pcapfix");
}

std::uint16_t CaptureReader::half(const std::uint8_t* at) const { return is_big_endian_ ? big16(at) : little16(at); }
std::uint32_t CaptureReader::word(const std::uint8_t* at) const { return is_big_endian_ ? big32(at) : little32(at); }

}  // namespace railyard
