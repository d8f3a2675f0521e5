// Numbers at places of a frame or a file, in either order of bytes.
#pragma once

#include <cstdint>

namespace railyard {

inline std::uint16_t big16(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] << 8 | at[1]); }
inline std::uint32_t big24(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]};
}
inline std::uint32_t big32(const std::uint8_t* at) { return std::uint32_t{big16(at)} << 16 | big16(at + 2); }
inline std::uint16_t little16(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[1] << 8 | at[0]); }
inline std::uint32_t little32(const std::uint8_t* at) {  // compilers make one load of it
  return std::uint32_t{at[3]} << 24 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[1]} << 8 | at[0];
}

inline void put_big16(std::uint8_t* at, std::uint32_t value) {
  at[0] = static_cast<std::uint8_t>(value >> 8);
  at[1] = static_cast<std::uint8_t>(value);
}
inline void put_big24(std::uint8_t* at, std::uint32_t value) {
  at[0] = static_cast<std::uint8_t>(value >> 16);
  put_big16(at + 1, value & 0xFFFF);
}
inline void put_big32(std::uint8_t* at, std::uint32_t value) {
  put_big16(at, value >> 16);
  put_big16(at + 2, value & 0xFFFF);
}
inline void put_little32(std::uint8_t* at, std::uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace railyard
