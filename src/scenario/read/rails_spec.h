// What a user writes of rails: whether there are any, or how many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/schema.h"

namespace railyard {

/// `true` is a rail for every NIC of a server; a number is so many, which NICs share evenly.
struct RailsSpec {
  bool on = false;
  std::optional<std::uint32_t> count;
};

// Found by the schema where a key has this type (base/schema.h).
std::string type_name(std::type_identity<RailsSpec>);
std::string written(const RailsSpec& rails);
void convert(std::string_view key, const Document& value, RailsSpec& out, const Limits<RailsSpec>&, Complaints& complaints);

}  // namespace railyard
