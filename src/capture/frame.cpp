#include "capture/frame.h"

#include <algorithm>
#include <cstring>

#include "capture/byte_order.h"
#include "capture/crc32.h"

namespace railyard {

namespace {

constexpr std::uint8_t kOperation = 0x1F;  // of an opcode; the rest is the service
constexpr std::uint8_t kUdpProtocol = 17;

/// Whether an operation is one of those that have such a header. Congestion notification is no operation.
bool is_among(std::uint8_t opcode, std::uint32_t operations) {
  return opcode != static_cast<std::uint8_t>(RoceOpcode::cnp) && (operations >> (opcode & kOperation) & 1) != 0;
}
constexpr std::uint32_t operations(std::initializer_list<RoceOpcode> opcodes) {
  std::uint32_t bits = 0;
  for (const RoceOpcode opcode : opcodes) bits |= 1U << static_cast<std::uint32_t>(opcode);
  return bits;
}

std::uint32_t padded(std::uint32_t payload) { return (payload + 3) & ~3U; }

/// Bytes between the base transport header and the payload.
std::uint32_t extension_size(std::uint8_t opcode) {
  return static_cast<std::uint32_t>((has_reth(opcode) ? kRethBytes : 0) + (has_aeth(opcode) ? kAethBytes : 0) +
                                    (has_immediate(opcode) ? kImmediateBytes : 0));
}

std::uint32_t transport_size(const RoceFrame& frame) {
  return static_cast<std::uint32_t>(kBthBytes + kIcrcBytes) + extension_size(static_cast<std::uint8_t>(frame.opcode)) +
         padded(frame.payload);
}

std::uint16_t ip_checksum(const std::uint8_t* header) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kIpv4Bytes; i += 2) sum += big16(header + i);
  sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~(sum + (sum >> 16)));
}

std::uint8_t* put_ethernet(std::uint8_t* at, const RoceFrame& frame) {
  std::copy(frame.to.begin(), frame.to.end(), at);
  std::copy(frame.from.begin(), frame.from.end(), at + 6);
  at += 12;
  if (frame.vlan) {
    put_big16(at, kTypeVlan);
    put_big16(at + 2, *frame.vlan);
    at += kVlanBytes;
  }
  put_big16(at, kTypeIpv4);
  return at + 2;
}

std::uint8_t* put_ip_and_udp(std::uint8_t* at, const RoceFrame& frame) {
  constexpr std::uint32_t kVersionAndLength = 0x45, kDontFragment = 0x4000;
  const std::uint32_t udp = static_cast<std::uint32_t>(kUdpBytes) + transport_size(frame);
  std::memset(at, 0, kIpv4Bytes + kUdpBytes);
  at[0] = kVersionAndLength;
  at[1] = static_cast<std::uint8_t>(frame.dscp << 2 | static_cast<std::uint8_t>(frame.ecn));
  put_big16(at + 2, static_cast<std::uint32_t>(kIpv4Bytes) + udp);
  put_big16(at + 6, kDontFragment);
  at[8] = frame.hop_limit;
  at[9] = kUdpProtocol;
  put_big32(at + 12, frame.source);
  put_big32(at + 16, frame.destination);
  put_big16(at + 10, ip_checksum(at));
  at += kIpv4Bytes;
  put_big16(at, frame.source_port);
  put_big16(at + 2, kRoceUdpPort);
  put_big16(at + 4, udp);  // no checksum: the invariant CRC stands for it
  return at + kUdpBytes;
}

std::uint8_t* put_transport(std::uint8_t* at, const RoceFrame& frame) {
  constexpr std::uint32_t kMigrated = 0x40, kDefaultPartition = 0xFFFF;
  const auto opcode = static_cast<std::uint8_t>(frame.opcode);
  const std::uint32_t pad = padded(frame.payload) - frame.payload;
  at[0] = opcode;
  at[1] = static_cast<std::uint8_t>((frame.opcode == RoceOpcode::cnp ? 0 : kMigrated) | pad << 4);
  put_big16(at + 2, kDefaultPartition);
  put_big32(at + 4, frame.destination_qp & 0xFFFFFF);
  if (frame.backward_congestion) at[4] = 0x40;
  put_big32(at + 8, (frame.asks_for_ack ? 0x80000000U : 0) | (frame.sequence & 0xFFFFFF));
  at += kBthBytes;
  if (has_reth(opcode)) {
    put_big32(at, static_cast<std::uint32_t>(frame.reth.address >> 32));
    put_big32(at + 4, static_cast<std::uint32_t>(frame.reth.address));
    put_big32(at + 8, frame.reth.key);
    put_big32(at + 12, frame.reth.length);
    at += kRethBytes;
  }
  if (has_aeth(opcode)) {
    put_big32(at, std::uint32_t{frame.aeth.syndrome} << 24 | (frame.aeth.messages & 0xFFFFFF));
    at += kAethBytes;
  }
  if (has_immediate(opcode)) {
    put_big32(at, frame.immediate);
    at += kImmediateBytes;
  }
  return at;
}

/// Of a packet's beginning, up to its base transport header at least; what changes on the way counts as ones.
Crc32 crc_of_headers(std::span<const std::uint8_t> packet) {
  constexpr std::size_t kMostMasked = kIpv6Bytes + kUdpBytes + kBthBytes;
  std::array<std::uint8_t, 8 + kMostMasked> masked;
  const bool is_ipv4 = packet[0] >> 4 == 4;
  const std::size_t ip = is_ipv4 ? kIpv4Bytes : kIpv6Bytes, headers = ip + kUdpBytes + kBthBytes;
  std::fill_n(masked.begin(), 8, std::uint8_t{0xFF});  // where InfiniBand has its local route header
  std::copy_n(packet.begin(), headers, masked.begin() + 8);
  std::uint8_t* const m = masked.data() + 8;
  if (is_ipv4) {
    m[1] = m[8] = m[10] = m[11] = 0xFF;  // type of service, hop limit, checksum
  } else {
    m[0] |= 0x0F;  // traffic class and flow label, hop limit
    m[1] = m[2] = m[3] = m[7] = 0xFF;
  }
  m[ip + 6] = m[ip + 7] = 0xFF;  // UDP checksum
  m[ip + kUdpBytes + 4] = 0xFF;  // congestion bits
  Crc32 crc;
  crc.add(std::span(masked).first(8 + headers));
  crc.add(packet.subspan(headers));
  return crc;
}

}  // namespace

bool has_reth(std::uint8_t opcode) {
  constexpr std::uint32_t kWithReth =
      operations({RoceOpcode::write_first, RoceOpcode::write_only, RoceOpcode::write_only_immediate, RoceOpcode::read_request});
  return is_among(opcode, kWithReth);
}

bool has_aeth(std::uint8_t opcode) {
  constexpr std::uint32_t kWithAeth =
      operations({RoceOpcode::acknowledge, RoceOpcode::atomic_acknowledge, RoceOpcode::read_response_first,
                  RoceOpcode::read_response_last, RoceOpcode::read_response_only});
  return is_among(opcode, kWithAeth);
}

bool has_immediate(std::uint8_t opcode) {
  constexpr std::uint32_t kWithImmediate = operations({RoceOpcode::send_last_immediate, RoceOpcode::send_only_immediate,
                                                       RoceOpcode::write_last_immediate, RoceOpcode::write_only_immediate});
  return is_among(opcode, kWithImmediate);
}

std::uint32_t size_of(const RoceFrame& frame) {
  return static_cast<std::uint32_t>(kEthernetBytes + (frame.vlan ? kVlanBytes : 0) + kIpv4Bytes + kUdpBytes) +
         transport_size(frame);
}

void encode(const RoceFrame& frame, std::uint32_t most, FrameParts& out) {
  const std::uint32_t size = size_of(frame);
  std::uint8_t* const network = put_ethernet(out.bytes.data(), frame);
  const std::uint8_t* const end = put_transport(put_ip_and_udp(network, frame), frame);
  const auto headers = static_cast<std::size_t>(end - out.bytes.data());
  const auto ip = static_cast<std::size_t>(network - out.bytes.data());
  out.is_whole = size <= most;
  out.headers = std::min<std::size_t>(headers, most);
  out.zeros = (out.is_whole ? size - kIcrcBytes : most) - out.headers;
  if (!out.is_whole) return;
  Crc32 crc = crc_of_headers(std::span(out.bytes).subspan(ip, headers - ip));
  crc.add_zeros(static_cast<std::uint32_t>(out.zeros));
  put_little32(out.crc.data(), crc.value());
}

void encode(const RoceFrame& frame, std::uint32_t most, std::vector<std::uint8_t>& out) {
  FrameParts parts;
  encode(frame, most, parts);
  out.assign(parts.bytes.begin(), parts.bytes.begin() + static_cast<std::ptrdiff_t>(parts.headers));
  out.resize(parts.headers + parts.zeros, 0);
  if (parts.is_whole) out.insert(out.end(), parts.crc.begin(), parts.crc.end());
}

void encode(const PauseFrame& frame, std::vector<std::uint8_t>& out) {
  constexpr MacAddress kPauseAddress = {0x01, 0x80, 0xC2, 0x00, 0x00, 0x01};
  out.assign(kPauseFrameBytes, 0);
  std::copy(kPauseAddress.begin(), kPauseAddress.end(), out.begin());
  std::copy(frame.from.begin(), frame.from.end(), out.begin() + 6);
  put_big16(&out[12], kTypeMacControl);
  put_big16(&out[14], kPfcOpcode);
  put_big16(&out[16], frame.priorities);
  for (std::size_t i = 0; i < frame.quanta.size(); i++) put_big16(&out[18 + 2 * i], frame.quanta[i]);
}

std::uint32_t invariant_crc(std::span<const std::uint8_t> packet) { return crc_of_headers(packet).value(); }

}  // namespace railyard
