// Which NIC and which switch of the catalog would carry the links of a scenario at another rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "plan/scenario.h"

namespace railyard {

/// What links of a rate take. Names are empty where what the scenario has will do, or where it names none.
struct PartsAtRate {
  std::string nic, switch_model;
  std::optional<std::uint32_t> radix;  // of a switch at that rate, where the scenario knows one today
};

/// Parts for links of `rate`, or nothing where none can be bought: the catalog has no NIC of that rate and transport, it does
/// not fit what joins it to its GPU (PCIe), or no switch has such ports. Of several switches the smallest with as many ports as
/// today, else the largest; those of the vendor of today's come first.
std::optional<PartsAtRate> parts_at(const Scenario& scenario, BitsPerSecond rate, const Catalog& catalog);

/// What joins a NIC to its GPU carries at most this (PCIe): as the GPU says, else as the NIC of today does. Nothing where
/// nobody knows.
std::optional<BitsPerSecond> host_rate(const Scenario& scenario, const Catalog& catalog);

}  // namespace railyard
