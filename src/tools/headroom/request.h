// What `railyard headroom` is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace railyard {

struct HeadroomRequest {
  std::string speed = "400G", cable = "30m", mtu = "9216";
  std::string chip = {};                     // of the catalog; empty: any
  std::uint32_t priorities = 1;              // lossless ones
  std::optional<std::uint32_t> ports = {};   // at that speed; as many as the switch has if not given
  std::optional<double> small_packets = {};  // share of packets that are taken to be the smallest; SONiC's formula for Spectrum
};

}  // namespace railyard
