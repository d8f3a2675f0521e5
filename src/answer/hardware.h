// What a network is made of, and what another one would cost instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "plan/scenario.h"

namespace railyard {

/// Parts of a network. Scale-up links are none of it.
struct Hardware {
  std::uint64_t nics = 0, switches = 0, cables = 0;
  BitsPerSecond link_rate;             // of hosts
  std::uint32_t ports = 0;             // of a switch, at that rate; 0 if nobody said
  std::string switch_model;            // of the catalog; empty if it has no name
  std::optional<double> switch_watts;  // of one
  std::optional<double> optics_watts;  // of all ends of cables
  std::optional<Dollars> switch_price;
  std::string price_date;
};

/// Nothing where the network cannot be wired.
std::optional<Hardware> hardware_of(const Scenario& scenario, const Catalog& catalog);

/// What has to be bought or can be left out, what it draws, and what it costs as far as the catalog knows: "16 switches and 512
/// cables more; optics draw 3.2 kW more (what a Tomahawk-5 draws is not known)".
std::string cost_of_change(const Hardware& before, const Hardware& after);

}  // namespace railyard
