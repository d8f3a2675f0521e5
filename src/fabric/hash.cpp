#include "fabric/hash.h"

#include <array>
#include <bit>

namespace railyard {

namespace {

/// What a byte does to a checksum, for every byte: paths are hashed by the million.
constexpr std::array<std::uint16_t, 256> kCrc16 = [] {
  std::array<std::uint16_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; byte++) {
    std::uint32_t crc = byte << 8;
    for (int bit = 0; bit < 8; bit++) crc = (crc & 0x8000U) != 0 ? (crc << 1) ^ 0x1021U : crc << 1;
    table[byte] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

constexpr std::array<std::uint32_t, 256> kCrc32 = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; byte++) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = (crc & 1U) != 0 ? (crc >> 1) ^ 0xEDB88320U : crc >> 1;
    table[byte] = crc;
  }
  return table;
}();

std::uint16_t crc16_ccitt(std::span<const std::uint8_t> bytes, std::uint16_t start) {
  std::uint32_t crc = start;
  for (const std::uint8_t byte : bytes) crc = ((crc << 8) & 0xFFFFU) ^ kCrc16[(crc >> 8) ^ byte];
  return static_cast<std::uint16_t>(crc);
}

std::uint32_t crc32(std::span<const std::uint8_t> bytes, std::uint32_t start) {
  std::uint32_t crc = ~start;
  for (const std::uint8_t byte : bytes) crc = (crc >> 8) ^ kCrc32[(crc ^ byte) & 0xFFU];
  return ~crc;
}

std::uint16_t xor16(std::span<const std::uint8_t> bytes, std::uint16_t start) {
  std::uint32_t value = start;
  for (std::size_t i = 0; i < bytes.size(); i++) value ^= static_cast<std::uint32_t>(bytes[i]) << (i % 2 == 0 ? 8 : 0);
  return static_cast<std::uint16_t>(value);
}

std::uint32_t murmur3(std::span<const std::uint8_t> bytes, std::uint32_t seed) {
  constexpr std::uint32_t kFirst = 0xCC9E2D51U, kSecond = 0x1B873593U;
  const auto mixed = [](std::uint32_t word) { return std::rotl(word * kFirst, 15) * kSecond; };
  std::uint32_t hash = seed, word = 0;
  for (std::size_t i = 0; i < bytes.size(); i++) {
    word |= static_cast<std::uint32_t>(bytes[i]) << (8 * (i % 4));
    if (i % 4 == 3) {
      hash = std::rotl(hash ^ mixed(word), 13) * 5 + 0xE6546B64U;
      word = 0;
    }
  }
  hash ^= mixed(word);  // the last one to three bytes; nothing if there are none
  hash ^= static_cast<std::uint32_t>(bytes.size());
  hash = (hash ^ (hash >> 16)) * 0x85EBCA6BU;
  hash = (hash ^ (hash >> 13)) * 0xC2B2AE35U;
  return hash ^ (hash >> 16);
}

/// Network byte order, as the fields lie in a packet.
class Fields {
 public:
  void add(std::uint32_t value, std::size_t bytes) {
    for (std::size_t i = bytes; i-- > 0;) data_[size_++] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return std::span(data_).first(size_); }

 private:
  std::array<std::uint8_t, 16> data_{};
  std::size_t size_ = 0;
};

}  // namespace

std::uint16_t udp_source_port(std::uint32_t local_qp, std::uint32_t remote_qp) {
  std::uint64_t label = std::uint64_t{local_qp} * remote_qp;
  label ^= label >> 20;
  label ^= label >> 40;
  label &= 0xFFFFFU;
  return static_cast<std::uint16_t>(((label & 0x3FFFU) ^ ((label & 0xFC000U) >> 14)) | 0xC000U);
}

std::uint32_t hash_bytes(HashFunction function, std::span<const std::uint8_t> bytes, std::uint32_t seed) {
  const auto low = static_cast<std::uint16_t>(seed);
  switch (function) {
    case HashFunction::crc16_ccitt:
      return std::rotr(crc16_ccitt(bytes, low), static_cast<int>(seed % 16));
    case HashFunction::crc32:
      return std::rotr(crc32(bytes, seed), static_cast<int>(seed % 32));
    case HashFunction::exclusive_or:
      return std::rotr(xor16(bytes, low), static_cast<int>(seed % 16));
    case HashFunction::murmur3:
      break;
  }
  return murmur3(bytes, seed);
}

std::uint32_t hash_of(const FlowHeader& header, HashFunction function, HashFields fields, std::uint32_t seed) {
  Fields packet;
  packet.add(header.source, 4);
  packet.add(header.destination, 4);
  if (fields == HashFields::qpn) {
    packet.add(header.destination_qp, 4);
  } else if (fields == HashFields::five_tuple) {
    packet.add(kUdp, 1);
    packet.add(header.source_port, 2);
    packet.add(kRocePort, 2);
  }
  return hash_bytes(function, packet.bytes(), seed);
}

}  // namespace railyard
