#include "sim/jobs/packets_of_jobs.h"

#include "sim/collective/network_rates.h"
#include "sim/isolation.h"
#include "sim/step/packet_step.h"
#include "sim/step/step_traffic.h"

namespace railyard {

namespace {

/// What flows carry of one step that has the fabric for itself. Nothing if it never ends: whoever plays it says why.
CarriedStep carried_alone(const PreparedJobs& prepared, std::size_t job) {
  const Scenario& scenario = prepared.cluster->jobs[job];
  const Step& step = prepared.steps[job];
  const LivePorts live = live_after(prepared.fabric, prepared.failures);
  const ClusterLinks links = links_of(*scenario.workload.gpu);
  Telemetry ignored(prepared.fabric.trunk_tier.size());
  const WireFormat payload{.mtu = prepared.wire.mtu, .header = {}, .message_header = {}};
  const std::unique_ptr<Engine> engine = make_flow_engine(prepared.fabric, payload, prepared.routing, prepared.flow, ignored);
  for (const PortChange& change : prepared.failures) engine->set_rate(change.port, change.rate, change.at);
  StepTraffic traffic(step, prepared.fabric, prepared.seats[job].ranks, live, links, exchange_way(scenario, prepared.fabric),
                      scenario.transport.strict_priority, nic_shares(scenario, prepared.fabric, prepared.failures), *engine);
  traffic.keep_bundles();
  CarriedStep carried;
  const StepNetwork network{prepared.fabric, traffic, *engine, live,
                            [&](const FlowRecord& one) { carried.collectives.push_back(one); }};
  Progress unseen;
  if (!run_step(scenario, step, network, unseen)) return {};
  carried.bundles = traffic.take_bundles();
  return carried;
}

}  // namespace

Diagnostics too_many_packets_of_jobs(const PreparedJobs& prepared, Bytes memory) {
  StepPackets all;
  const Scenario* trains = nullptr;
  for (std::size_t job = 0; job < prepared.cluster->jobs.size(); job++) {
    const Scenario& scenario = prepared.cluster->jobs[job];
    if (!scenario.workload.model) continue;
    trains = &scenario;
    all.add(count_packets(prepared.fabric, prepared.wire, carried_alone(prepared, job)), scenario.job->turns);
  }
  if (!trains) return {};
  if (Diagnostics refused = too_many_packets(*trains, all, "the steps of these jobs are"); !refused.empty()) return refused;
  return too_much_memory(*trains, step_packet_memory(*trains, prepared.fabric, prepared.wire, prepared.routing, all), memory);
}

}  // namespace railyard
