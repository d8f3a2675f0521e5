#include "capture/crc32.h"

#include <array>
#include <cstddef>

namespace railyard {

namespace {

constexpr std::size_t kSlices = 8;  // bytes at once
using CrcTables = std::array<std::array<std::uint32_t, 256>, kSlices>;

constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; i++) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320U : 0U);
    tables[0][i] = value;
  }
  for (std::size_t slice = 1; slice < kSlices; slice++)
    for (std::uint32_t i = 0; i < 256; i++)
      tables[slice][i] = tables[slice - 1][i] >> 8 ^ tables[0][tables[slice - 1][i] & 0xFF];
  return tables;
}

constexpr CrcTables kCrcTables = make_crc_tables();

// What 2^k zero bytes make of a state: its bits' images, since the CRC is linear.
using CrcMap = std::array<std::uint32_t, 32>;

constexpr std::uint32_t mapped(const CrcMap& map, std::uint32_t state) {
  std::uint32_t image = 0;
  for (std::size_t bit = 0; bit < map.size(); bit++)
    image ^= map[bit] & (0 - (state >> bit & 1));  // no branch: bits are chance
  return image;
}

constexpr std::size_t kZeroMaps = 32;
constexpr std::array<CrcMap, kZeroMaps> make_zero_maps() {
  std::array<CrcMap, kZeroMaps> maps{};
  for (std::uint32_t bit = 0; bit < 32; bit++) {
    const std::uint32_t state = 1U << bit;
    maps[0][bit] = state >> 8 ^ kCrcTables[0][state & 0xFF];
  }
  for (std::size_t k = 1; k < kZeroMaps; k++)
    for (std::size_t bit = 0; bit < 32; bit++) maps[k][bit] = mapped(maps[k - 1], maps[k - 1][bit]);
  return maps;
}
constexpr std::array<CrcMap, kZeroMaps> kZeroBytes = make_zero_maps();

}  // namespace

void Crc32::add_zeros(std::uint32_t count) {
  for (std::size_t k = 0; count != 0; k++, count >>= 1)
    if ((count & 1) != 0) state_ = mapped(kZeroBytes[k], state_);
}

void Crc32::add(std::span<const std::uint8_t> bytes) {
  std::uint32_t state = state_;
  std::size_t i = 0;
  for (; i + kSlices <= bytes.size(); i += kSlices) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < kSlices; k++) {
      const std::uint32_t mixed = k < 4 ? (state >> 8 * k & 0xFF) ^ bytes[i + k] : bytes[i + k];
      next ^= kCrcTables[kSlices - 1 - k][mixed & 0xFF];
    }
    state = next;
  }
  for (; i < bytes.size(); i++) state = state >> 8 ^ kCrcTables[0][(state ^ bytes[i]) & 0xFF];
  state_ = state;
}

}  // namespace railyard
