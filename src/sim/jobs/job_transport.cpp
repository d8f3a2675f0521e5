#include "sim/jobs/job_transport.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/prepare.h"

namespace railyard {

namespace {

TransportBeside beside_of(const Scenario& job) {
  return {.wire = wire_format(job.transport),
          .nic = job.packet.nic,
          .control = job.packet.control,
          .reads_marks = job.packet.ecn.read,
          .ecn = job.packet.ecn};
}

Diagnostic refuse_transport(const Scenario& job, std::string what, std::string hint) {
  return {Severity::error, "RY-JOB-014", std::move(what), std::move(hint), job.keys.where("transport")};
}

/// Whether what holds senders of the first transport back is a rate, and nothing else.
bool has_rates(const PacketPlan& plan) { return !plan.control.has_window() && plan.credits.room == Bytes::zero(); }

bool reduces(const Scenario& job) {
  return job.workload.collective && job.workload.collective->algorithm == CollectiveAlgorithm::in_network;
}

}  // namespace

Diagnostics refused_beside(const ClusterJobs& cluster, const Scenario& first) {
  Diagnostics found;
  const Scenario* second = nullptr;
  for (const Scenario& job : cluster.jobs) {
    if (!job.job->has_own_transport) continue;
    if (reduces(job))
      found.push_back(refuse_transport(job, fmt::format("switches reduce for RDMA, and job '{}' has TCP", job.job->name),
                                       "use another algorithm, or remove [job.transport]"));
    if (second && beside_of(*second) != beside_of(job))
      found.push_back(refuse_transport(
          job, fmt::format("jobs '{}' and '{}' have different transports of their own", second->job->name, job.job->name),
          "give both the same [job.transport]: NICs have two, that one and the one of all"));
    second = second ? second : &job;
  }
  if (second && (first.transport.kind != TransportKind::roce || !has_rates(first.packet)))
    found.push_back(refuse_transport(*second, "TCP is played beside RoCE with DCQCN, or without control, and nothing else",
                                     "write kind = \"roce\" in [transport], and no control with a window; or remove this"));
  return found;
}

std::optional<TransportBeside> transport_beside(const ClusterJobs& cluster, const PacketPlan& packet) {
  std::optional<TransportBeside> beside;
  bool in_own_class = false, shared = packet.queue_of[kBackgroundClass] != kBackgroundClass;
  for (const Scenario& job : cluster.jobs) {
    const bool in_background = job.job->class_of_packets() == JobClass::background;
    if (!job.job->has_own_transport) {
      shared = shared || (in_background && job.job->network == ServerNetwork::compute);
      continue;
    }
    if (!beside) beside = beside_of(job);
    in_own_class = in_own_class || in_background;
  }
  if (beside && in_own_class && !shared) beside->marked_class = kBackgroundClass;
  return beside;
}

}  // namespace railyard
