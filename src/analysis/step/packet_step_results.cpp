#include "analysis/step/packet_step_results.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard {

namespace {

double mean_of(const OpTimes& op) { return op.calls > 0 ? op.seconds / static_cast<double>(op.calls) : 0; }

std::vector<HeldRow> rows_of(const StepRun& step, const std::vector<OpTimes>& flows) {
  std::vector<HeldRow> rows;
  for (const OpTimes& op : step.ops) {
    const auto same =
        std::find_if(flows.begin(), flows.end(), [&](const OpTimes& f) { return f.name == op.name && f.kind == op.kind; });
    RY_CHECK(same != flows.end(), "packets carry what flows carried");
    HeldRow row{.what = std::string(op.name),
                .group = std::string(name_of(op.kind)),
                .calls = op.calls,
                .flow_s = mean_of(*same),
                .packet_s = mean_of(op),
                .ratio = 0,
                .packet_longest_s = op.longest};
    if (row.flow_s > 0) row.ratio = row.packet_s / row.flow_s;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

PacketStepResults analyse_packet_step(const Run& run) {
  const PacketStep& step = *run.packets;
  const Telemetry& telemetry = *run.network;
  PacketStepResults r;
  r.flow_step_s = seconds(step.over_flows);
  r.ratio = seconds(run.training->time) / r.flow_step_s;
  r.messages = telemetry.messages;
  r.connections = step.connections;
  r.payload_bytes = static_cast<double>(telemetry.payload.count());
  r.expected_hops = step.expected.hops;
  r.rows = rows_of(*run.training, step.flow_ops);
  for (const PieceEngine::Straggler& one : step.stragglers)
    r.stragglers.push_back(
        {fmt::format("GPU {}", one.from.index()), fmt::format("GPU {}", one.to.index()), one.calls, seconds(one.behind)});
  r.packets = analyse_packets(run.fabric, *telemetry.packets, {Picoseconds::zero(), run.training->time});
  return r;
}

}  // namespace railyard
