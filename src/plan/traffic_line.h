// One flow of a list.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace railyard {

/// Hosts count from 0 among those that take part.
struct TrafficLine {
  Picoseconds start;
  std::uint32_t source = 0, destination = 0;
  Bytes size;
  std::uint32_t line = 0;  // of the file
};

}  // namespace railyard
