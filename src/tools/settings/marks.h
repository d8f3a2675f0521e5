// How traffic is marked: by the NIC's vendor, and by the priorities of the scenario.
#pragma once

#include <cstdint>
#include <string>

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "qos/policy.h"

namespace railyard {

enum class NicVendor : std::uint8_t { nvidia, broadcom, amd };
template<>
struct ChoiceNames<NicVendor> {
  static constexpr std::string_view names[] = {"NVIDIA", "Broadcom", "AMD"};
};

/// What packets of a kind carry and where that leads to.
struct Mark {
  std::uint8_t dscp = 0, priority = 0;  // traffic class, queue, priority group and PFC priority alike
};

struct Marks {
  NicVendor vendor = NicVendor::nvidia;
  bool vendor_known = false;  // the scenario names a NIC
  Mark data, cnp, background, storage;
  bool has_cnp = false, has_background = false, has_storage = false;
  std::uint8_t lossless = 0;  // priorities that PFC is on for, as bits
  std::uint8_t tos = 0;       // of data: DSCP << 2 | ECN
};

/// REQUIRES: the scenario's packets are resolved.
[[nodiscard]] Marks marks_of(const Scenario& scenario, const Catalog& catalog);

/// Whether the transport runs over Ethernet switches that are configured as here.
[[nodiscard]] bool is_over_ethernet(const Scenario& scenario);

}  // namespace railyard
