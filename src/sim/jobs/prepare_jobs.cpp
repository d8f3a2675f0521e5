// A fabric with jobs on it, before anything is played.
#include <fmt/format.h>

#include <algorithm>

#include "fabric/build.h"
#include "sim/isolation.h"
#include "sim/jobs/collective_turns.h"
#include "sim/jobs/job_transport.h"
#include "sim/jobs/jobs_run.h"
#include "sim/jobs/packets_of_jobs.h"
#include "sim/packet_limits.h"
#include "sim/prepare.h"
#include "sim/step/step_memory.h"
#include "sim/step/switch_trees.h"
#include "sim/supported.h"
#include "sim/traffic/traffic_run.h"

namespace railyard {

namespace {

void add(const Diagnostics& more, Diagnostics& found) {
  for (const Diagnostic& one : more)
    if (std::none_of(found.begin(), found.end(), [&](const Diagnostic& known) { return to_text(known) == to_text(one); }))
      found.push_back(one);
}

/// What can be said of each job by itself.
Diagnostics refused_jobs(const ClusterJobs& cluster) {
  Diagnostics found;
  for (const Scenario& job : cluster.jobs) {
    if (job.engine.fidelity == Fidelity::analytic)
      add({{Severity::error, "RY-JOB-010", "closed forms do not tell what jobs do to each other",
            "write fidelity = \"flow\", or leave it out", job.keys.where("engine.fidelity")}},
          found);
    if (!job.workload.model && !job.workload.gpus)
      found.push_back({Severity::error, "RY-SCN-015", fmt::format("job '{}' does not say how many GPUs it has", job.job->name),
                       "add gpus = … to [[job]], or of = … for the hosts of another job", job.keys.where("job")});
    if (found.empty()) add(unsupported(job), found);
  }
  return found;
}

/// What packets cannot do on this fabric, or with so much traffic.
Diagnostics refused_packets(const PreparedJobs& prepared, const RunOptions& options) {
  Diagnostics found;
  for (std::size_t i = 0; i < prepared.cluster->jobs.size(); i++) {
    const Scenario& job = prepared.cluster->jobs[i];
    const PreparedJobs& network = prepared.of(i);
    for (const auto& refuse : {no_such_devices, no_lookahead, no_shared_buffer, no_room_for_cells, too_many_ports})
      add(refuse(job, network.fabric), found);
    if (found.empty() && job.workload.traffic)
      add(refused_traffic(job, network_of(network), prepared.seats[i].ranks, options.memory), found);
  }
  return found;
}

/// The steps of those that train; an empty one for the others.
Diagnostics build_steps(PreparedJobs& prepared, const RunOptions& options) {
  Diagnostics found;
  Bytes memory;
  for (std::size_t i = 0; i < prepared.cluster->jobs.size(); i++) {
    const Scenario& job = prepared.cluster->jobs[i];
    Step& step = prepared.steps.emplace_back();
    if (!job.workload.model) {
      if (job.workload.traffic) add(impossible_hosts(job, prepared.of(i).fabric), found);
      continue;
    }
    Result<Step> built = build_step(job.workload, job.keys);
    if (!built) {
      add(built.error(), found);
      continue;
    }
    step = std::move(*built);
    add(too_long(job, step), found);
    if (Diagnostics rootless = rootless_groups(job, step, prepared.fabric, prepared.seats[i].ranks); !rootless.empty()) {
      add(rootless, found);
      continue;
    }
    for (const Diagnostics& warnings :
         {warnings_for(job, step), warnings_for(job, step, prepared.fabric, prepared.seats[i].ranks)})
      add(warnings, prepared.warnings);
    const StepMemory needed = step_memory(job, step, prepared.fabric, prepared.seats[i].ranks);
    add(too_large_step(job, needed, options.memory - memory), found);
    memory += std::min(needed.total(), options.memory - memory);
  }
  return found;
}

/// Those of jobs that cannot be played.
Diagnostics refused_collectives(const PreparedJobs& prepared, const RunOptions& options) {
  Diagnostics found;
  for (std::size_t i = 0; i < prepared.cluster->jobs.size(); i++)
    if (prepared.cluster->jobs[i].workload.collective) add(refused_job_collective(prepared.of(i), i, options.memory), found);
  return found;
}

bool train(const ClusterJobs& cluster) {
  return std::any_of(cluster.jobs.begin(), cluster.jobs.end(),
                     [](const Scenario& job) { return job.workload.gpu.has_value(); });
}

/// As flows carry one step, for all jobs together: the share of links that steps leave to headers is that of all.
FlowOptions shared_flow_options(const ClusterJobs& cluster, const Scenario& first, std::uint32_t ranks) {
  FlowOptions flow = flow_options(first, ranks);
  for (const Scenario& job : cluster.jobs)
    if (job.workload.gpu) {
      flow.efficiency *= job.workload.gpu->step.scale_out_share;
      break;
    }
  return flow;
}

/// The first job that uses a network, and its transport.
const Scenario* first_on(const ClusterJobs& cluster, ServerNetwork network) {
  const auto first = std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [&](const Scenario& job) {
    return job.job->network == network && !job.job->has_own_transport;
  });
  return first == cluster.jobs.end() ? nullptr : &*first;
}

/// The network that a job describes, with nobody on it.
Result<PreparedJobs> build_network(const ClusterJobs& cluster, const Scenario& first) {
  Result<Fabric> fabric = build_fabric(first.fabric, first.keys);
  if (!fabric) return fabric.error();
  PreparedJobs out{.cluster = &cluster,
                   .fabric = std::move(*fabric),
                   .seats = {},
                   .steps = {},
                   .failures = {},
                   .routing = path_policy_of(first.routing),
                   .wire = wire_format(first.transport),
                   .flow = {},
                   .by_packets = first.engine.fidelity == Fidelity::packet,
                   .packet = &first.packet,
                   .warnings = {}};
  Result<std::vector<PortChange>> failures = port_changes(first.failures, out.fabric);
  if (!failures) return failures.error();
  out.failures = std::move(*failures);
  Result<StaticRoutes> routes = static_routes(first.routing.fixed, out.fabric);
  if (!routes) return routes.error();
  out.routing.fixed = std::move(*routes);
  return out;
}

/// The second network, if a job uses it: the same servers.
Diagnostics add_front_end(std::uint32_t ranks, PreparedJobs& prepared) {
  const Scenario* const first = first_on(*prepared.cluster, ServerNetwork::front_end);
  if (!first) return {};
  Result<PreparedJobs> front = build_network(*prepared.cluster, *first);
  if (!front) {
    Diagnostics mistakes = front.error();
    std::transform(mistakes.begin(), mistakes.end(), mistakes.begin(), told_of_front_end);
    return mistakes;
  }
  if (front->fabric.endpoints() != prepared.fabric.endpoints() || front->fabric.per_node != prepared.fabric.per_node)
    return {
        {Severity::error, "RY-JOB-013",
         fmt::format("the front end joins {} GPUs in servers of {}, and the compute network {} in servers of {}",
                     front->fabric.endpoints(), front->fabric.per_node, prepared.fabric.endpoints(), prepared.fabric.per_node),
         "leave gpus and gpus_per_node out of [frontend]", first->keys.where("fabric")}};
  front->seats = prepared.seats;
  front->flow = flow_options(*first, ranks);
  prepared.front_end = std::make_unique<PreparedJobs>(std::move(*front));
  return {};
}

/// Ranks that failures cut off from others of their job.
Diagnostics cut_off_jobs(const PreparedJobs& prepared) {
  Diagnostics found;
  for (std::size_t i = 0; i < prepared.cluster->jobs.size(); i++) {
    const PreparedJobs& network = prepared.of(i);
    const LivePorts live = live_after(network.fabric, lasting(network.failures));
    add(isolated_ranks(prepared.cluster->jobs[i].keys, network.fabric, live, prepared.seats[i].ranks), found);
  }
  return found;
}

}  // namespace

Result<PreparedJobs> prepare_jobs(const ClusterJobs& cluster, const RunOptions& options) {
  if (Diagnostics refused = refused_jobs(cluster); !refused.empty()) return refused;
  const Scenario* const first = first_on(cluster, ServerNetwork::compute);
  RY_CHECK(first, "some job uses the compute network: others are refused as they are read");
  if (Diagnostics refused = refused_beside(cluster, *first); !refused.empty()) return refused;
  Result<PreparedJobs> out = build_network(cluster, *first);
  if (!out) return out.error();
  out->beside = transport_beside(cluster, first->packet);
  for (const Scenario& job : cluster.jobs) add(job.warnings, out->warnings);
  Result<std::vector<JobSeats>> seats = seat_jobs(cluster, out->fabric);
  if (!seats) return seats.error();
  out->seats = std::move(*seats);
  std::uint32_t ranks = 0;
  for (const JobSeats& one : out->seats) ranks += one.own;
  Diagnostics refused = add_front_end(ranks, *out);
  if (refused.empty()) refused = cut_off_jobs(*out);
  if (refused.empty()) refused = build_steps(*out, options);
  if (!refused.empty()) return refused;
  out->flow = shared_flow_options(cluster, *first, ranks);
  if (train(cluster)) out->wire.header = out->wire.message_header = {};  // part of the share of a port that flows use
  if (out->by_packets) refused = refused_packets(*out, options);
  if (refused.empty() && out->by_packets) refused = too_many_packets_of_jobs(*out, options.memory);
  if (refused.empty()) refused = refused_collectives(*out, options);
  if (!refused.empty()) return refused;
  return std::move(*out);
}

}  // namespace railyard
