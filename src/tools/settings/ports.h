// Which ports the switches of each tier have, counted from the fabric as it is built.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "qos/device.h"

namespace railyard {

/// Ports of a switch that are alike.
struct PortGroup {
  bool up = false;  // towards the core; else towards hosts
  BitsPerSecond rate;
  Picoseconds delay;  // of the cable
  std::uint32_t count = 0;
};

/// Switches of one tier: as many as there are, and the ports of the one that has most.
struct SwitchClass {
  Role role = Role::leaf;
  std::uint32_t switches = 0;
  std::vector<PortGroup> ports;

  [[nodiscard]] std::uint32_t port_count() const;
};

/// From the hosts up; what is no switch of the scale-out network is left out.
[[nodiscard]] std::vector<SwitchClass> switch_classes(const Fabric& fabric);

/// The length of a cable that takes so long.
[[nodiscard]] Millimetres cable_of(Picoseconds delay);

/// Switches on the longest way between two hosts, by tiers: 1, 3 or 5.
[[nodiscard]] std::uint32_t longest_way(const std::vector<SwitchClass>& classes);

}  // namespace railyard
