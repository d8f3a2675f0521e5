// One transfer as it happened, for whoever asked for all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "base/id.h"
#include "base/units.h"
#include "fabric/fabric.h"

namespace railyard {

struct FlowRecord {
  std::string_view what;   // "gradients", "boundary"; of a collective by itself, its kind
  std::string_view group;  // of a training step: the kind of group
  std::uint32_t stage = 0;
  Picoseconds start, finish;
  Bytes size;           // on the busiest of its edges
  EndpointId from, to;  // of the first of its edges
  std::uint64_t edges = 1;
  Bytes collective = {};  // of a sweep of sizes: the size it belongs to
  // Of a training step:
  QpId connection = {};
  std::string_view primitive = {};  // "all_gather", "send"
  Picoseconds carried = {};         // when the last byte had crossed the network; `finish` is what waits for it sees
  std::uint32_t steps = 1;          // of its schedule, one after the other
  // Of a single edge:
  const Fabric* fabric = nullptr;
  std::span<const std::uint32_t> links = {};  // of the fabric: ports, or trunks where equal paths share perfectly
  bool links_are_ports = false;
};
using FlowSink = std::function<void(const FlowRecord&)>;

}  // namespace railyard
