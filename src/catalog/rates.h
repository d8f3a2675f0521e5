// How much hardware of the catalog carries: ports of a switch at a rate, a port of a NIC, what joins it to its host.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "catalog/facts.h"

namespace railyard {

/// Links of a rate that a switch takes: each of its ports splits into halves, quarters or eighths. None where its ports are
/// slower. REQUIRES: rate > 0.
std::uint32_t ports_at(const SwitchFact& fact, BitsPerSecond rate);

/// The fastest single port of a NIC, by what is spoken on it.
BitsPerSecond port_rate(const NicFact& fact, TransportKind transport);

/// What "PCIe 5.0 x16" carries in one direction, framing taken off (8 to 64 GT/s a lane; 128b/130b, and flits of 236 bytes of
/// 256 from 6.0 on). Nothing where lanes or generation are not said.
std::optional<BitsPerSecond> pcie_rate(std::string_view host_interface);

}  // namespace railyard
