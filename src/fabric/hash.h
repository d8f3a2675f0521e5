// How a switch picks one of several equal paths: hash functions and what they see of a packet.
#pragma once

#include <cstdint>
#include <span>

#include "plan/choices.h"

namespace railyard {

/// UDP source port that RoCE drivers derive from the queue pair numbers of both ends when no flow label is set
/// (rdma_get_udp_sport of the Linux kernel): the product folded to 20 bits, then to 14, in 49152 … 65535.
std::uint16_t udp_source_port(std::uint32_t local_qp, std::uint32_t remote_qp);

inline constexpr std::uint16_t kRocePort = 4791;  // UDP destination port of RoCEv2
inline constexpr std::uint8_t kUdp = 17;

/// What identifies the packets of one queue pair.
struct FlowHeader {
  std::uint32_t source = 0, destination = 0;  // IPv4 addresses
  std::uint16_t source_port = 0;
  std::uint32_t destination_qp = 0;  // 24 bits, from the transport header
};

/// CRC-16-CCITT (polynomial 0x1021), CRC-32 (IEEE 802.3), exclusive or of 16-bit words, MurmurHash3 (32 bits). A seed enters
/// the first two as their start value, the third as one more word; since that alone only permutes the members of a group
/// (both are linear), the result is also turned by the seed, as SONiC's hash offset does.
std::uint32_t hash_bytes(HashFunction function, std::span<const std::uint8_t> bytes, std::uint32_t seed);

/// The hash of a packet's fields: addresses, protocol and ports; addresses and destination queue pair (with the zero byte
/// before it); or addresses alone.
std::uint32_t hash_of(const FlowHeader& header, HashFunction function, HashFields fields, std::uint32_t seed);

}  // namespace railyard
