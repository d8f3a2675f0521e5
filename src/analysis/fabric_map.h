// A fabric small enough to be drawn: its busiest switches and links, with those around them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace railyard {

struct FabricMap {
  struct Node {
    std::string name, kind;  // "leaf 3"; "GPUs", "leaf", "spine", "core"
    std::uint32_t tier = 0;  // from below: GPUs are 0
  };
  struct Link {
    std::uint32_t from = 0, to = 0;  // indices of nodes, the lower one first
    std::string name;
    std::uint32_t ports = 0;
    double gbps = 0;          // of all of them, one way
    double up = 0, down = 0;  // share of that over the whole run, from `from` to `to` and back
    double peak = 0;          // of its busiest port, either way
    bool worst = false;       // among the five busiest of the network, by `peak`
    /// That it stands for.
    std::vector<PortId> up_ports, down_ports;
  };
  /// Ports of one tier by how busy they were.
  struct Histogram {
    std::string tier;
    std::uint64_t ports = 0;
    std::array<double, 10> bins = {};  // shares of them: up to 10 %, 20 %, …
  };
  /// Every switch of one kind, in the order of their numbers; shares of capacity over the whole run.
  struct Switches {
    std::string kind;
    std::vector<std::string> names;      // empty where they are the kind and a number from 0 on
    std::vector<double> up, down, peak;  // links to the tier above (empty where they carry nothing) and to what is below,
                                         // the busier way; the busiest port
  };
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Switches> switches;  // all, shown or not
  std::vector<Histogram> histogram;
  std::string left_out;  // "of 1,024 leaves 12 are shown, …"; empty if all are
};

/// Over a run of `time`, in which ports sent `carried` bytes. The switches at the busiest links come first, then their
/// neighbours.
FabricMap fabric_map(const Fabric& fabric, const Table<PortId, double>& carried, Picoseconds time);

}  // namespace railyard
