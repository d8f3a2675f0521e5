// Closed forms for collectives on a network that is not shared: what an idle fabric would do (docs/models.md, collectives).
#pragma once

#include "workload/ops.h"
#include "workload/step.h"

namespace railyard {

/// How a cluster's GPUs reach each other when nobody else sends.
struct ClusterLinks {
  double up_rate = 0, out_rate = 0;  // bytes per second one GPU sends at, in large collectives
  std::uint32_t mesh = 0;            // GPUs that have links of their own to each other: fewer of them use a part of `up_rate`
  Picoseconds up_latency, out_latency;  // of a collective inside the domain; of a hop between domains
  Picoseconds hop_overhead = {};        // of that, what a hop costs beside the wire
  Picoseconds reducing = {};            // what switches on that way need to add up
  double contention = 0;                // of the time in which a collective and compute run at once: what compute loses
  double lent_units = 0;                // share of compute units that drive communication while two passes run interleaved
  double overlap_launch = 1;            // what becomes of their launches, over those of both apart
};

ClusterLinks links_of(const GpuPlan& plan);

/// The same where what leaves a scale-up domain takes no time, and no compute unit is lent for it.
ClusterLinks without_network(ClusterLinks links);

/// The same where what stays inside a domain takes no time.
ClusterLinks without_scale_up(ClusterLinks links);

/// Bytes per second that a GPU sends at to `peers` others of its domain: of a mesh it uses the links to these alone.
double rate_to(const ClusterLinks& links, std::uint32_t peers);

/// From the first byte to the last at every member.
Picoseconds collective_time(const Op& op, const ClusterLinks& links);

/// One message from a rank to its counterpart in another stage.
Picoseconds boundary_time(Bytes size, bool crosses, const ClusterLinks& links);

/// Bytes one member sends, and those of them that leave the domain.
struct Sent {
  double all = 0, remote = 0;
};
Sent sent_by(const Op& op);

}  // namespace railyard
