// A fabric drawn by hand: nodes and links.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace railyard {

enum class DrawnKind : std::uint8_t { gpu, scale_up_switch, network_switch };

struct DrawnLink {
  std::uint32_t a = 0, b = 0;  // nodes
  std::uint32_t count = 1;     // parallel cables
  BitsPerSecond rate;
  Picoseconds delay;
};

/// Nodes are numbered as they are named first; GPUs keep their order and are the endpoints of the fabric.
struct Drawing {
  std::vector<std::string> names;
  std::vector<DrawnKind> kinds;
  std::vector<DrawnLink> links;  // both directions
  std::uint32_t per_server = 0;  // GPUs; SimAI's text says so
  std::string gpu;               // and which: "H100"

  [[nodiscard]] std::uint32_t gpus() const {
    return static_cast<std::uint32_t>(std::count(kinds.begin(), kinds.end(), DrawnKind::gpu));
  }
};

}  // namespace railyard
