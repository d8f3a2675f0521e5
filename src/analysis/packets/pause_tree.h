// Who paused whom: pauses that follow from one another, back to the queue they began at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/id.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// Where pauses begin: a queue that nobody had stopped, or a host that takes packets in slowly; and every port that was stopped
/// because of it, one below the other.
struct PauseNode {
  PortId port;                          // stopped; of a root, whose queue it was: none at a slow host
  NodeId host;                          // of such a root
  std::optional<std::uint32_t> parent;  // the node whose queue filled up; none at a root
  std::uint32_t depth = 0;              // 0 at a root
  std::uint64_t pauses = 0;             // of this port for this reason; of a root, all that follow from it
  Picoseconds first;                    // when the first of them was sent
};

struct PauseTree {
  std::vector<PauseNode> nodes;                      // parents before children
  std::vector<std::uint32_t> roots;                  // those with most pauses first
  std::uint32_t depth = 0;                           // ports below one another, at most
  std::uint32_t width = 0;                           // ports at the same depth, at most
  std::uint64_t ports = 0;                           // that were ever stopped
  std::uint64_t hosts = 0;                           // of them, those of hosts
  std::uint64_t cycles = 0;                          // pauses of a port that they had followed from
  bool is_whole = true;                              // the log holds every pause
  std::vector<std::vector<std::uint32_t>> children;  // by node, those with most pauses first
};

/// A pause follows from the last one of the port whose queue it was sent for, of the same class, if that one can still be felt:
/// within four times as long as that port was stopped on average, because what piled up meanwhile tips the scale a little after
/// it was let go. Otherwise a root begins there.
PauseTree pause_tree(const Fabric& fabric, const PacketRecord& packets);

}  // namespace railyard
