// The parts list of a fabric: switches, NICs and cables, what these are made of, and what they draw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"

namespace railyard {

/// Cables of one tier and one rate. Both ends count: a copper cable has two plugs, an optical link two transceivers.
struct CableTier {
  Tier tier = Tier::host_up;
  BitsPerSecond rate;
  Millimetres length;
  std::uint64_t cables = 0;
  std::string medium;  // entry of the catalog's optics; empty where none fits
  OpticKind kind = OpticKind::copper;
  std::uint32_t links_per_cable = 1;  // parts faster than the link carry several
  std::optional<double> watts;        // of all ends
  Status status = Status::assumed;    // of the power of one end

  [[nodiscard]] double bandwidth_gbps() const { return static_cast<double>(rate.count()) / 1e9 * static_cast<double>(cables); }
};

/// Switches of one tier.
struct SwitchParts {
  NodeKind kind = NodeKind::leaf;
  std::string model;  // of the catalog; empty: unnamed, or none that the catalog has with so many ports
  std::uint64_t count = 0;
};

struct BillOfMaterials {
  std::vector<SwitchParts> switches;  // from the hosts up
  std::string nic_model;              // of the catalog; empty: unnamed
  std::uint64_t nics = 0;
  std::vector<CableTier> cables;  // hosts first, scale-up left out
  std::uint64_t scale_up_links = 0;
  std::optional<double> copper_watts;  // of all cables to hosts, were they short enough for copper and are not
  Millimetres length;                  // of every cable, unless drawn
  Status length_status = Status::assumed;
  std::optional<double> switch_watts;  // of one of the scenario's model
  Status switch_status = Status::assumed;

  [[nodiscard]] std::uint64_t all_switches() const;
  /// Watts of all switches; nothing where that of some is not known.
  [[nodiscard]] std::optional<double> all_switch_watts() const;
  [[nodiscard]] std::uint64_t all_cables() const;
  [[nodiscard]] std::uint64_t optical_ends() const;
  /// Watts of all ends whose power is known.
  [[nodiscard]] double optics_watts() const;
};

/// Between hosts and leaves, copper where the cable is short enough for it (copper that reaches, at most 3 m); optics
/// everywhere else: the part with the shortest reach that is long enough and the rate of the link, or the next faster one,
/// which then carries several links.
BillOfMaterials bill_of_materials(const Scenario& scenario, const Fabric& fabric, const Catalog& catalog);

/// How long the cables of a trunk are. REQUIRES: a link of the network.
Millimetres cable_length(const Scenario& scenario, const Fabric& fabric, TrunkId trunk);

/// Tiers by what a cable joins, whichever path a port of it points; scale-up links in one.
Tier upward(Tier tier);

}  // namespace railyard
