// Random inputs that several properties draw.
#pragma once

#include <rapidcheck.h>

#include <cstdint>

namespace railyard {

/// 0 … bound - 1.
inline std::uint32_t below(std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); }

}  // namespace railyard
