// Settings that some dialects have no word for.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "qos/device.h"

namespace railyard {

/// A setting that some dialects have no word for, and how it is left to the device.
struct LimitedField {
  std::string_view name;
  std::string_view why;
  std::uint32_t missing;  // dialects, as bits
  bool (*is_said)(const Device&);
  void (*clear)(Device&);  // null: it changes what packets meet, and is never left out
};

[[nodiscard]] constexpr std::uint32_t dialect_bit(Dialect dialect) { return 1U << static_cast<unsigned>(dialect); }

[[nodiscard]] std::span<const LimitedField> limited_fields();

}  // namespace railyard
