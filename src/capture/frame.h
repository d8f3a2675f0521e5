// Frames of RoCEv2 and of priority flow control, field by field and as bytes on the wire: what is written and what is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace railyard {

inline constexpr std::uint16_t kRoceUdpPort = 4791;
inline constexpr std::uint16_t kTypeIpv4 = 0x0800, kTypeIpv6 = 0x86DD, kTypeVlan = 0x8100, kTypeServiceVlan = 0x88A8,
                               kTypeMacControl = 0x8808;
inline constexpr std::uint16_t kPfcOpcode = 0x0101;
inline constexpr std::size_t kEthernetBytes = 14, kVlanBytes = 4, kIpv4Bytes = 20, kIpv6Bytes = 40, kUdpBytes = 8,
                             kBthBytes = 12, kRethBytes = 16, kAethBytes = 4, kImmediateBytes = 4, kIcrcBytes = 4,
                             kCnpPayload = 16, kPauseFrameBytes = 60;

/// Operations of reliable connections, and the congestion notification packet.
enum class RoceOpcode : std::uint8_t {
  send_first = 0x00,
  send_middle = 0x01,
  send_last = 0x02,
  send_last_immediate = 0x03,
  send_only = 0x04,
  send_only_immediate = 0x05,
  write_first = 0x06,
  write_middle = 0x07,
  write_last = 0x08,
  write_last_immediate = 0x09,
  write_only = 0x0A,
  write_only_immediate = 0x0B,
  read_request = 0x0C,
  read_response_first = 0x0D,
  read_response_middle = 0x0E,
  read_response_last = 0x0F,
  read_response_only = 0x10,
  acknowledge = 0x11,
  atomic_acknowledge = 0x12,
  compare_swap = 0x13,
  fetch_add = 0x14,
  cnp = 0x81,
};

/// What follows the base transport header of an operation, whatever its service: its last five bits say it.
[[nodiscard]] bool has_reth(std::uint8_t opcode);
[[nodiscard]] bool has_aeth(std::uint8_t opcode);
[[nodiscard]] bool has_immediate(std::uint8_t opcode);

using MacAddress = std::array<std::uint8_t, 6>;
enum class EcnBits : std::uint8_t { none = 0, ect1 = 1, ect0 = 2, ce = 3 };

inline constexpr std::uint8_t kAckSyndrome = 0x1F;  // an ACK that says nothing of credits
inline constexpr std::uint8_t kNakSequence = 0x60;  // a NAK: a packet is missing

struct Reth {
  std::uint64_t address = 0;
  std::uint32_t key = 0, length = 0;
};
struct Aeth {
  std::uint8_t syndrome = kAckSyndrome;
  std::uint32_t messages = 0;  // 24 bits

  /// An ACK, and not a NAK of any kind.
  [[nodiscard]] bool is_ack() const { return (syndrome & 0x60) == 0; }
};

/// A packet of RoCEv2 over IPv4, without preamble and FCS.
struct RoceFrame {
  MacAddress from{}, to{};
  std::optional<std::uint16_t> vlan = {};  // priority and number of an 802.1Q tag
  std::uint32_t source = 0, destination = 0;
  std::uint8_t dscp = 0, hop_limit = 64;
  EcnBits ecn = EcnBits::ect0;
  std::uint16_t source_port = 0;
  RoceOpcode opcode = RoceOpcode::write_only;
  bool backward_congestion = false, asks_for_ack = false;
  std::uint32_t destination_qp = 0, sequence = 0;  // 24 bits each
  Reth reth = {};                                  // where the operation has one; likewise below
  Aeth aeth = {};
  std::uint32_t immediate = 0;
  std::uint32_t payload = 0;  // bytes, all zero; padded to a multiple of four
};

/// Bytes of the whole frame.
[[nodiscard]] std::uint32_t size_of(const RoceFrame& frame);

/// A frame, or as many bytes of it as are kept, in parts: headers, zeros, the invariant CRC. Writers need no copy of the zeros.
struct FrameParts {
  std::array<std::uint8_t, 128> bytes;
  std::size_t headers = 0;  // of `bytes`; what the frame begins with
  std::size_t zeros = 0;
  std::array<std::uint8_t, kIcrcBytes> crc;
  bool is_whole = false;  // else there is no CRC
};
void encode(const RoceFrame& frame, std::uint32_t most, FrameParts& out);

/// Writes the first `most` bytes of a frame to `out`, which is replaced. The invariant CRC ends a frame that is written whole;
/// one that is cut has none.
void encode(const RoceFrame& frame, std::uint32_t most, std::vector<std::uint8_t>& out);

/// A frame of priority flow control: for the priorities named, how long to stop, in times of 512 bits; zero: go on.
struct PauseFrame {
  MacAddress from{};
  std::uint8_t priorities = 0;  // as bits
  std::array<std::uint16_t, 8> quanta{};
};
void encode(const PauseFrame& frame, std::vector<std::uint8_t>& out);

/// The invariant CRC of a RoCEv2 packet that begins with its IP header (4 or 6) and ends before the CRC: fields that change on
/// the way count as ones. As it is on the wire, little-endian. REQUIRES: IP, UDP and BTH are there.
[[nodiscard]] std::uint32_t invariant_crc(std::span<const std::uint8_t> packet);

}  // namespace railyard
