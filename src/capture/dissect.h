// What a captured frame is: RoCEv2, a pause, or something else.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "capture/frame.h"

namespace railyard {

enum class FrameKind : std::uint8_t { other, roce, pfc, pause };  // the last stops a whole link (802.3x)
enum class CrcState : std::uint8_t { unknown, right, wrong };     // unknown: the frame was cut

/// An IPv4 address is mapped into IPv6, as usual.
using IpAddress = std::array<std::uint8_t, 16>;

struct DissectedFrame {
  FrameKind kind = FrameKind::other;
  // RoCEv2:
  IpAddress source{}, destination{};
  std::uint16_t source_port = 0;
  std::uint8_t dscp = 0, hop_limit = 0, opcode = 0;
  EcnBits ecn = EcnBits::none;
  bool backward_congestion = false, asks_for_ack = false, is_tagged = false;
  std::uint32_t destination_qp = 0, sequence = 0, payload = 0;  // bytes, by the length that UDP tells
  Reth reth = {};                                               // where the operation has one, and it was captured
  Aeth aeth = {};
  bool has_extension = false;  // what follows the base header was captured
  CrcState crc = CrcState::unknown;
  // Pauses:
  std::uint8_t priorities = 0;  // as bits
  std::array<std::uint16_t, 8> quanta{};
};

/// Looks through tags, IPv4 and IPv6. What is cut before its transport header ends, or contradicts itself, is something else.
DissectedFrame dissect(std::span<const std::uint8_t> bytes);

/// Of an opcode, whatever its service: sends, writes and answers to reads carry data.
[[nodiscard]] bool carries_data(std::uint8_t opcode);
[[nodiscard]] bool begins_message(std::uint8_t opcode);
[[nodiscard]] bool ends_message(std::uint8_t opcode);
[[nodiscard]] constexpr std::uint8_t operation_of(std::uint8_t opcode) { return opcode & 0x1F; }

}  // namespace railyard
