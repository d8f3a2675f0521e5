#include "capture/crc32.h"

#include <array>
#include <cstddef>

#include "capture/byte_order.h"

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

// What 2^k zero bytes make of a state: images of its eight digits of four bits, whose sum is that of the state, since the CRC
// is linear.
using CrcMap = std::array<std::array<std::uint32_t, 16>, 8>;

constexpr std::uint32_t mapped(const CrcMap& map, std::uint32_t state) {
  std::uint32_t image = 0;
  for (std::size_t digit = 0; digit < map.size(); digit++) image ^= map[digit][state >> 4 * digit & 0xF];
  return image;
}

constexpr std::size_t kZeroMaps = 32;
constexpr std::array<CrcMap, kZeroMaps> make_zero_maps() {
  std::array<CrcMap, kZeroMaps> maps{};
  for (std::size_t k = 0; k < kZeroMaps; k++)
    for (std::uint32_t digit = 0; digit < 8; digit++)
      for (std::uint32_t value = 0; value < 16; value++) {
        const std::uint32_t state = value << 4 * digit;
        maps[k][digit][value] =
            k == 0 ? state >> 8 ^ kCrcTables[0][state & 0xFF] : mapped(maps[k - 1], mapped(maps[k - 1], state));
      }
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
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  for (; end - at >= static_cast<std::ptrdiff_t>(kSlices); at += kSlices) {
    const std::uint32_t low = little32(at) ^ state, high = little32(at + 4);
    state = kCrcTables[7][low & 0xFF] ^ kCrcTables[6][low >> 8 & 0xFF] ^ kCrcTables[5][low >> 16 & 0xFF] ^
            kCrcTables[4][low >> 24] ^ kCrcTables[3][high & 0xFF] ^ kCrcTables[2][high >> 8 & 0xFF] ^
            kCrcTables[1][high >> 16 & 0xFF] ^ kCrcTables[0][high >> 24];
  }
  for (; at != end; at++) state = state >> 8 ^ kCrcTables[0][(state ^ *at) & 0xFF];
  state_ = state;
}

}  // namespace railyard
