// What ports of switches and NICs are called in each vendor's language: in configurations, and in lists of cables.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "qos/device.h"

namespace railyard {

/// The front of a switch: so many cages of eight lanes, each for one link of `rate` or several slower ones. None: unknown.
struct Cages {
  std::uint32_t count = 0;
  BitsPerSecond rate;
};

/// Gives out names, port by port from the first cage. Cages are split (2x400G, 4x200G, 8x100G) where there are more links than
/// cages, and links that are slower: SONiC then counts the lanes before a port, so that Ethernet4 is the second half of the
/// first cage. Where the cages are not known, every link has one.
class PortNames {
 public:
  PortNames(Dialect dialect, Cages cages, std::uint32_t links)
      : dialect_(dialect), cages_(cages), splits_(cages.count > 0 && links > cages.count) {}

  [[nodiscard]] std::string next(BitsPerSecond rate);

 private:
  Dialect dialect_;
  Cages cages_;
  bool splits_;
  std::uint32_t lane_ = 0;  // that is free
};

/// "mlx5_3": the port of a NIC, counted through a server; `dialect` is that of the tool that sets it.
[[nodiscard]] std::string nic_port_name(Dialect dialect, std::uint32_t index);

}  // namespace railyard
