// The numbers of a plan: what is expected, and the threshold that follows.
#include <fmt/format.h>

#include <cmath>

#include "base/quantity_text.h"
#include "expected/spread.h"
#include "tools/validate/expectations.h"
#include "tools/validate/practice.h"

namespace railyard {

namespace {

void add_pairs(const ValidationCluster& cluster, std::vector<ExpectedValue>& out) {
  for (const NicPair& pair : cluster.pairs) {
    const double share = std::exp(-2 * kNicRateSpread), times = std::exp(2 * kLatencySpread);
    const std::string way = fmt::format("between two NICs, {} ({} {} on the way)", pair.name, pair.switches,
                                        pair.switches == 1 ? "switch" : "switches");
    out.push_back({"ib_write_bw/" + pair.name, ValidationPhase::baseline, "ib_write_bw " + way, "Gb/s", pair.rate * 8e-9,
                   pair.rate * 8e-9 * share, false,
                   fmt::format("the port's rate less headers, less {:.0f} % for NIC and slot (assumed)", (1 - share) * 100),
                   practice_rate(cluster.port_rate)});
    out.push_back({"ib_write_lat/" + pair.name, ValidationPhase::baseline, "ib_write_lat " + way, "µs", pair.latency_s * 1e6,
                   pair.latency_s * 1e6 * times, true,
                   fmt::format("NICs, switches and cables on the way, and {:.0f} % more (assumed)", (times - 1) * 100),
                   practice_latency(cluster.gpu)});
  }
}

void add_incast(const ValidationCluster& cluster, std::vector<ExpectedValue>& out) {
  if (cluster.pairs.empty() || cluster.nodes < 3) return;
  const double rate = cluster.pairs.back().rate * 8e-9, share = std::exp(-2 * kNicRateSpread);
  out.push_back({"ib_write_bw/incast", ValidationPhase::synthetic,
                 "ib_write_bw of two senders to one NIC at once, both together", "Gb/s", rate, rate * share, false,
                 "the receiver's port less headers; congestion control may take more at first", ""});
}

void add_collective(const ExpectedCollective& one, const ValidationCluster& cluster, std::vector<ExpectedValue>& out) {
  for (std::size_t i = 0; i < one.times.size(); i++) {
    const Bytes size = one.curve.points[i].size;
    const double expected = bus_bandwidth_of(one.curve, size, one.times[i]) / 1e9, least = least_bandwidth(one, i) / 1e9;
    const std::string scope = one.failure.empty() ? one.scope.name : one.scope.name + "/" + one.failure;
    const bool is_all_reduce = one.curve.kind == CollectiveKind::all_reduce && one.failure.empty() && size >= 1_GiB;
    out.push_back(
        {fmt::format("{}/{}/{}", test_name(one.curve.kind), scope, size.count()), one.phase,
         fmt::format("{} over {} ranks in {} {}{} at {}", test_name(one.curve.kind), one.curve.ranks, one.curve.nodes,
                     one.curve.nodes == 1 ? "node" : "nodes", one.failure.empty() ? "" : ", " + one.failure, format(size)),
         "GB/s", expected, least, false,
         fmt::format("the prediction less {:.0f} %: two standard deviations of how far such are off",
                     (1 - least / expected) * 100),
         is_all_reduce ? practice_all_reduce(cluster.gpu, one.scope.nodes) : ""});
  }
}

}  // namespace

std::vector<ExpectedValue> expected_values(const ValidationCluster& cluster) {
  std::vector<ExpectedValue> out;
  add_pairs(cluster, out);
  add_incast(cluster, out);
  for (const ExpectedCollective& one : cluster.collectives) add_collective(one, cluster, out);
  if (cluster.step_s)
    out.push_back({"training/step", ValidationPhase::ai_workload, "a training step of the scenario's model, the median of many",
                   "s", *cluster.step_s, *cluster.step_s * (1 + cluster.step_error), true,
                   fmt::format("the prediction and {:.0f} %: nine of ten published steps are predicted within that",
                               cluster.step_error * 100),
                   ""});
  return out;
}

}  // namespace railyard
