// The servers of a fabric under its tree of switches, and what the links of every block of switches can carry.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace railyard {

/// Servers whose GPUs hang on several leaves (rails) count as one with all of these: ranks that talk share a rail.
struct ServerTree {
  std::uint32_t levels = 1;             // of blocks above a server: its leaf is level 0
  std::vector<std::uint32_t> above;     // by server and level: a block, counted over all levels
  std::vector<std::uint32_t> domain;    // by server: its scale-up domain
  std::vector<double> rate;             // by block: bytes per second that leave it upwards, and that enter it
  std::vector<std::uint32_t> level_of;  // by block

  [[nodiscard]] std::uint32_t block(std::uint32_t server, std::uint32_t level) const { return above[server * levels + level]; }
  [[nodiscard]] std::size_t servers() const { return domain.size(); }
};

/// Of a drawing, what is below each switch counts alone: its links upwards are taken for as fast as those below.
ServerTree tree_of(const Fabric& fabric);

}  // namespace railyard
