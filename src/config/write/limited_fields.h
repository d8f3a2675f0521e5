// Settings that some dialects have no word for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "qos/device.h"

namespace railyard {

/// A setting that some dialects have no word for, and how it is left to the device.
struct LimitedField {
  std::string_view name;
  std::string_view why;
  std::uint32_t missing;  // dialects
  bool (*is_said)(const Device&);
  void (*clear)(Device&);  // null: it changes what packets meet, and is never left out
};

/// All of them.
[[nodiscard]] const std::vector<LimitedField>& limited_fields();

/// Whether a device says what its dialect cannot.
[[nodiscard]] bool is_missing(const LimitedField& field, const Device& device);

}  // namespace railyard
