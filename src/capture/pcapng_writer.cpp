#include "capture/pcapng_writer.h"

#include <array>
#include <cstring>

#include "capture/byte_order.h"

namespace railyard {

namespace {

constexpr std::uint32_t kSectionBlock = 0x0A0D0D0A, kInterfaceBlock = 1, kEnhancedPacketBlock = 6;
constexpr std::uint32_t kByteOrder = 0x1A2B3C4D;
constexpr std::size_t kPiece = std::size_t{1} << 18;

void add_word(std::string& out, std::uint32_t value) {
  std::array<std::uint8_t, 4> bytes;
  put_little32(bytes.data(), value);
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}
void add_padded(std::string& out, std::string_view bytes) {
  out.append(bytes);
  out.append((4 - bytes.size() % 4) % 4, '\0');
}
void add_option(std::string& out, std::uint32_t code, std::string_view value) {
  add_word(out, code | static_cast<std::uint32_t>(value.size()) << 16);
  add_padded(out, value);
}

void add_block(std::string& out, std::uint32_t kind, std::string_view body) {
  const auto size = static_cast<std::uint32_t>(body.size() + 12);
  add_word(out, kind);
  add_word(out, size);
  out.append(body);
  add_word(out, size);
}

}  // namespace

PcapngWriter::PcapngWriter(std::span<const CaptureInterface> interfaces, std::uint32_t most, Write write, bool packed)
    : write_(std::move(write)) {
  waiting_.reserve(2 * kPiece);
  std::string begin;
  add_section(begin);
  for (const CaptureInterface& interface : interfaces) add_interface(interface, most, begin);
  if (packed)
    packer_.emplace(waiting_).add({reinterpret_cast<const std::uint8_t*>(begin.data()), begin.size()});
  else
    waiting_ += begin;
}

void PcapngWriter::add_section(std::string& out) const {
  constexpr std::uint32_t kVersion = 1, kUserApplication = 4, kUnknownLength = 0xFFFFFFFFU;
  std::string body;
  add_word(body, kByteOrder);
  add_word(body, kVersion);  // 1.0
  add_word(body, kUnknownLength);
  add_word(body, kUnknownLength);
  add_option(body, kUserApplication, "Railyard");
  add_word(body, 0);
  add_block(out, kSectionBlock, body);
}

void PcapngWriter::add_interface(const CaptureInterface& interface, std::uint32_t most, std::string& out) const {
  constexpr std::uint32_t kEthernet = 1, kName = 2, kSpeed = 8, kResolution = 9;
  std::string body;
  add_word(body, kEthernet);
  add_word(body, most);
  add_option(body, kName, interface.name);
  std::string speed;
  const auto rate = static_cast<std::uint64_t>(interface.rate.count());
  add_word(speed, static_cast<std::uint32_t>(rate));
  add_word(speed, static_cast<std::uint32_t>(rate >> 32));
  add_option(body, kSpeed, speed);
  add_option(body, kResolution, std::string_view("\x09", 1));  // 10^-9 s
  add_word(body, 0);
  add_block(out, kInterfaceBlock, body);
}

void PcapngWriter::add(std::uint32_t interface, Picoseconds at, std::uint32_t size, std::span<const std::uint8_t> head,
                       std::size_t zeros, std::span<const std::uint8_t> tail) {
  constexpr std::uint32_t kBefore = 28, kAfter = 4;  // bytes of the block around the frame
  const auto length = static_cast<std::uint32_t>(head.size() + zeros + tail.size()), room = (length + 3) & ~3U;
  const auto time = static_cast<std::uint64_t>(at.count() / 1000);
  std::array<std::uint8_t, kBefore> before;
  put_little32(&before[0], kEnhancedPacketBlock);
  put_little32(&before[4], kBefore + room + kAfter);
  put_little32(&before[8], interface);
  put_little32(&before[12], static_cast<std::uint32_t>(time >> 32));
  put_little32(&before[16], static_cast<std::uint32_t>(time));
  put_little32(&before[20], length);
  put_little32(&before[24], size);
  if (packer_) {
    constexpr std::array<std::uint8_t, 3> kPadding = {};
    packer_->add(before);
    packer_->add(head);
    packer_->add_zeros(static_cast<std::uint32_t>(zeros));
    packer_->add(tail);
    packer_->add(std::span(kPadding).first(room - length));
    packer_->add(std::span(before).subspan(4, kAfter));  // the block's length again
  } else {
    const std::size_t begin = waiting_.size();
    waiting_.resize(begin + kBefore + room + kAfter);  // what is new is zero
    char* const block = waiting_.data() + begin;
    std::memcpy(block, before.data(), kBefore);
    if (!head.empty()) std::memcpy(block + kBefore, head.data(), head.size());
    if (!tail.empty()) std::memcpy(block + kBefore + head.size() + zeros, tail.data(), tail.size());
    std::memcpy(block + kBefore + room, &before[4], kAfter);
  }
  write_if_enough();
}

void PcapngWriter::write_if_enough() {
  if (waiting_.size() < kPiece) return;
  write_(waiting_);
  waiting_.clear();
}

void PcapngWriter::finish() {
  if (packer_) packer_->finish();
  if (!waiting_.empty()) write_(waiting_);
  waiting_.clear();
}

}  // namespace railyard
