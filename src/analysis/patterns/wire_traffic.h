// What crossed the network of a run, in one form for every kind of run: calls over bundles of edges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/simulate.h"

namespace railyard {

/// One collective, or one message: all edges of its bundle begin together.
struct WireCall {
  std::uint32_t bundle = 0, row = 0;
  Picoseconds start, end;   // on the network
  double bytes = 0;         // payload on the busiest edge
  std::uint32_t steps = 1;  // of its schedule: how often an edge sends, each time what the last one brought
};

/// A time in which part of a call had one rate.
struct WireRateInterval {
  std::uint32_t flow = 0, row = 0;
  Picoseconds begin, end;
  double bps = 0;  // on the busiest edge
};

struct WireTraffic {
  std::vector<std::string> rows = {};  // what calls are: "all_gather (parameters)"
  std::vector<WireCall> calls = {};
  std::vector<WireRateInterval> rate_intervals = {};  // empty where rates over time are not known
  std::vector<std::uint32_t> first_flow = {};         // by bundle, and their number
  Picoseconds time = {};                              // of the whole run
};

/// Calls `use` with the number of every edge's bundle, its own in it, the edge, and the flow that it belongs to.
template<class Use>
void for_each_edge(std::span<const Bundle> bundles, const WireTraffic& traffic, const Use& use) {
  for (std::size_t b = 0; b < bundles.size(); b++) {
    const Bundle& bundle = bundles[b];
    const std::uint32_t first = traffic.first_flow[b], flows = traffic.first_flow[b + 1] - first;
    std::uint32_t flow = 0;
    for (std::size_t e = 0; e < bundle.edges.size(); e++) {
      if (flows > 1 && e > 0 && (bundle.flow_ends.empty() || bundle.flow_ends[flow] == e)) flow++;
      use(b, e, bundle.edges[e], first + flow);
    }
  }
}

/// What all calls together put on the busiest edge of each bundle.
std::vector<double> bytes_of_bundles(const WireTraffic& traffic, std::size_t bundles);

/// Of a training step that was played over a network. Calls go over the bundles it kept. `exact`: edges of a bundle that do
/// not wait for each other have rates of their own.
WireTraffic wire_traffic(const CarriedStep& step, const Telemetry& telemetry, bool exact, Picoseconds time);

/// Messages of [traffic] or of a trace that arrived, from start to delivery; and a bundle of one edge for every connection, in
/// the order in which engines open them.
WireTraffic wire_traffic(const TrafficRun& run, std::vector<Bundle>& bundles);

/// One call for all that a schedule sends over the network; nothing is known of when.
WireTraffic wire_traffic(const Run& run, const CollectiveRun& collective, std::vector<Bundle>& bundles);

/// Whether a pair of a schedule is two GPUs that reach each other over the network.
bool crosses_network(const Run& run, const Schedule& schedule, const EdgeLoad& load);

/// A share of each flow's rate over time: what one link carries, for instance.
struct RateSpan {
  Picoseconds begin, end;
  double bps = 0;
  std::uint32_t row = 0;
};
std::vector<RateSpan> spans_of(const WireTraffic& traffic, std::span<const double> share_of_flow);

}  // namespace railyard
