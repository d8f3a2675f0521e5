#include "capture/dissect.h"

#include <algorithm>

#include "capture/byte_order.h"

namespace railyard {

namespace {

using Bytes8 = std::span<const std::uint8_t>;
constexpr std::uint8_t kUdpNumber = 17;
constexpr std::uint16_t kPlainPause = 0x0001;

/// Operations as bits: RC numbers, which other services repeat.
constexpr std::uint32_t kDataOperations = 0x0FFF | 0xF << 0x0D;  // sends and writes; answers to reads
constexpr std::uint32_t kFirstOperations =
    1U << 0x00 | 1U << 0x04 | 1U << 0x05 | 1U << 0x06 | 1U << 0x0A | 1U << 0x0B | 1U << 0x0D | 1U << 0x10;
constexpr std::uint32_t kLastOperations = 1U << 0x02 | 1U << 0x03 | 1U << 0x04 | 1U << 0x05 | 1U << 0x08 | 1U << 0x09 |
                                          1U << 0x0A | 1U << 0x0B | 1U << 0x0F | 1U << 0x10;

bool is_cnp(std::uint8_t opcode) { return opcode == static_cast<std::uint8_t>(RoceOpcode::cnp); }

void map_ipv4(const std::uint8_t* at, IpAddress& address) {
  address.fill(0);
  address[10] = address[11] = 0xFF;
  std::copy_n(at, 4, address.begin() + 12);
}

void read_pause(Bytes8 body, DissectedFrame& out) {
  if (body.size() < 4) return;
  const std::uint16_t opcode = big16(body.data());
  if (opcode == kPlainPause) {
    out.kind = FrameKind::pause;
    out.quanta[0] = big16(&body[2]);
  }
  if (opcode != kPfcOpcode || body.size() < 20) return;
  out.kind = FrameKind::pfc;
  out.priorities = body[3];
  for (std::size_t i = 0; i < out.quanta.size(); i++) out.quanta[i] = big16(&body[4 + 2 * i]);
}

/// What follows the base transport header, as far as it was captured.
void read_extension(Bytes8 rest, DissectedFrame& out) {
  const std::size_t reth = has_reth(out.opcode) ? kRethBytes : 0, aeth = has_aeth(out.opcode) ? kAethBytes : 0;
  if (rest.size() < reth + aeth) return;
  out.has_extension = true;
  if (reth > 0)
    out.reth = {.address = std::uint64_t{big32(rest.data())} << 32 | big32(&rest[4]),
                .key = big32(&rest[8]),
                .length = big32(&rest[12])};
  if (aeth > 0) out.aeth = {.syndrome = rest[reth], .messages = big24(&rest[reth + 1])};
}

/// `packet` begins with the IP header, which has `ip` bytes; UDP says how long the rest is.
void read_transport(Bytes8 packet, std::size_t ip, DissectedFrame& out) {
  if (packet.size() < ip + kUdpBytes + kBthBytes) return;
  const std::uint8_t* const udp = &packet[ip];
  if (big16(udp + 2) != kRoceUdpPort) return;
  const std::uint8_t* const bth = udp + kUdpBytes;
  const std::size_t length = big16(udp + 4), pad = bth[1] >> 4 & 3;
  out.opcode = bth[0];
  const std::size_t extension = (has_reth(out.opcode) ? kRethBytes : 0) + (has_aeth(out.opcode) ? kAethBytes : 0) +
                                (has_immediate(out.opcode) ? kImmediateBytes : 0);
  const std::size_t around = kUdpBytes + kBthBytes + extension + pad + kIcrcBytes;
  if (length < around) return;
  out.kind = FrameKind::roce;
  out.source_port = big16(udp);
  out.payload = static_cast<std::uint32_t>(length - around);
  out.backward_congestion = (bth[4] & 0x40) != 0;
  out.destination_qp = big24(bth + 5);
  out.asks_for_ack = (bth[8] & 0x80) != 0;
  out.sequence = big24(bth + 9);
  read_extension(packet.subspan(ip + kUdpBytes + kBthBytes), out);
  const std::size_t end = ip + length;
  if (packet.size() < end) return;
  const bool is_right = invariant_crc(packet.first(end - kIcrcBytes)) == little32(&packet[end - kIcrcBytes]);
  out.crc = is_right ? CrcState::right : CrcState::wrong;
}

void read_ipv4(Bytes8 packet, DissectedFrame& out) {
  constexpr std::uint16_t kFragment = 0x3FFF;
  if (packet.size() < kIpv4Bytes || packet[0] != 0x45 || packet[9] != kUdpNumber) return;
  if ((big16(&packet[6]) & kFragment) != 0) return;
  out.dscp = packet[1] >> 2;
  out.ecn = EcnBits(packet[1] & 3);
  out.hop_limit = packet[8];
  map_ipv4(&packet[12], out.source);
  map_ipv4(&packet[16], out.destination);
  read_transport(packet, kIpv4Bytes, out);
}

void read_ipv6(Bytes8 packet, DissectedFrame& out) {
  if (packet.size() < kIpv6Bytes || packet[0] >> 4 != 6 || packet[6] != kUdpNumber) return;
  const std::uint8_t traffic_class = static_cast<std::uint8_t>((packet[0] & 0x0F) << 4 | packet[1] >> 4);
  out.dscp = traffic_class >> 2;
  out.ecn = EcnBits(traffic_class & 3);
  out.hop_limit = packet[7];
  std::copy_n(&packet[8], 16, out.source.begin());
  std::copy_n(&packet[24], 16, out.destination.begin());
  read_transport(packet, kIpv6Bytes, out);
}

}  // namespace

DissectedFrame dissect(std::span<const std::uint8_t> bytes) {
  DissectedFrame out;
  std::size_t at = 12;
  if (bytes.size() < kEthernetBytes) return out;
  std::uint16_t type = big16(&bytes[at]);
  while ((type == kTypeVlan || type == kTypeServiceVlan) && bytes.size() >= at + 2 + kVlanBytes) {
    out.is_tagged = true;
    at += kVlanBytes;
    type = big16(&bytes[at]);
  }
  const Bytes8 body = bytes.subspan(at + 2);
  if (type == kTypeMacControl) read_pause(body, out);
  if (type == kTypeIpv4) read_ipv4(body, out);
  if (type == kTypeIpv6) read_ipv6(body, out);
  return out;
}

bool carries_data(std::uint8_t opcode) { return !is_cnp(opcode) && (kDataOperations >> operation_of(opcode) & 1) != 0; }
bool begins_message(std::uint8_t opcode) { return !is_cnp(opcode) && (kFirstOperations >> operation_of(opcode) & 1) != 0; }
bool ends_message(std::uint8_t opcode) { return !is_cnp(opcode) && (kLastOperations >> operation_of(opcode) & 1) != 0; }

}  // namespace railyard
