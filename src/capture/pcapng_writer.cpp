#include "capture/pcapng_writer.h"

#include <algorithm>
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

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

void SparseBytes::put(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  const std::size_t begin = size_;
  skip(bytes.size());
  std::memcpy(bytes_.data() + begin, bytes.data(), bytes.size());
  if (!parts_.empty() && parts_.back().end == begin)
    parts_.back().end = size_;
  else
    parts_.push_back({begin, size_});
}

void SparseBytes::clear() {
  for (const Part& part : parts_) std::memset(bytes_.data() + part.begin, 0, part.end - part.begin);
  parts_.clear();
  size_ = 0;
}

PcapngWriter::PcapngWriter(std::span<const CaptureInterface> interfaces, std::uint32_t most, Write write, bool packed)
    : write_(std::move(write)) {
  std::string begin;
  add_section(begin);
  for (const CaptureInterface& interface : interfaces) add_interface(interface, most, begin);
  if (packed)
    packer_.emplace(packed_).add(bytes_of(begin));
  else
    plain_.put(bytes_of(begin));
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
  std::array<std::uint8_t, 3 + kAfter> after = {};  // padding, and the block's length again
  const std::size_t padding = room - length;
  std::copy_n(&before[4], kAfter, &after[padding]);
  const auto end = std::span(after).first(padding + kAfter);
  if (packer_) {
    packer_->add(before);
    packer_->add(head);
    packer_->add_zeros(static_cast<std::uint32_t>(zeros));
    packer_->add(tail);
    packer_->add(end);
  } else {
    plain_.put(before);
    plain_.put(head);
    plain_.skip(zeros);
    plain_.put(tail);
    plain_.put(end);
  }
  write_if_enough();
}

void PcapngWriter::write_if_enough() {
  if (plain_.size() + packed_.size() < kPiece) return;
  if (packer_) {
    write_(packed_);
    packed_.clear();
  } else {
    write_(plain_.text());
    plain_.clear();
  }
}

void PcapngWriter::finish() {
  if (packer_) packer_->finish();
  write_(packer_ ? std::string_view(packed_) : plain_.text());
  packed_.clear();
  plain_.clear();
}

}  // namespace railyard
