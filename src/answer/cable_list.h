// Every cable of a fabric by its two ends, for whoever plugs them: devices and ports go by the names that `railyard settings`
// and failures use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/bill_of_materials.h"

namespace railyard {

struct CablePlug {
  std::string device;  // "server 12", "leaf 3"; of a drawing, as it names it
  std::string port;    // "mlx5_4", "Ethernet8"
};

/// One link. Parts that carry several (BillOfMaterials) have one line for each of them.
struct Cable {
  CablePlug lower, upper;  // the one nearer to hosts first
  Tier tier = Tier::host_up;
  BitsPerSecond rate;
  Millimetres length;
  std::string medium;                 // of the catalog's optics; empty where none fits
  std::optional<std::uint32_t> rail;  // that both ends belong to
  std::string label;                  // "H00012": no other cable has it
};

/// In the order of the fabric's ports, scale-up left out. Their numbers by tier, rate and length are those of the bill.
std::vector<Cable> cable_list(const Scenario& scenario, const Fabric& fabric, const Catalog& catalog);

/// One line each, with a header: device, port, device, port, length in metres, rate in Gb/s, medium, tier, rail, label.
std::string cable_csv(const std::vector<Cable>& cables, Topology topology);

}  // namespace railyard
