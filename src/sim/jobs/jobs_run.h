// Several jobs over one fabric at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "fabric/failures.h"
#include "plan/cluster_jobs.h"
#include "sim/collective/network_rates.h"
#include "sim/jobs/seats.h"
#include "sim/run.h"
#include "sim/step/step_run.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// One step of a job, or one time of its collective or traffic.
struct JobTurn {
  Picoseconds start, time;
};

/// What one job did among others.
struct PlayedJob {
  std::size_t job = 0;           // which of the cluster's
  std::vector<JobTurn> turns;    // that count, in order
  std::vector<OpTimes> ops;      // of a training job, over the turns that count
  std::vector<double> messages;  // of traffic: seconds that each took, the same
  std::uint64_t carried = 0;     // messages of a collective or of traffic, over the turns that count
  double bus_bytes = 0;          // of a collective, in one turn: busbw is so much over its time
  double posted = 0;             // bytes on the wire, over all its turns
};

/// Some jobs that ran at a time, until each had its turns.
struct JobsRun {
  std::vector<PlayedJob> jobs;
  Picoseconds end;
  Telemetry network;                   // of the compute network
  std::optional<Telemetry> front_end;  // of the second one, where a job used it
  bool exact = true;                   // every completion was an event
};

/// A network with jobs on it, before anything is played: that of the fabric, and what it says of the second one.
struct PreparedJobs {
  const ClusterJobs* cluster = nullptr;
  Fabric fabric;
  std::vector<JobSeats> seats;  // by job
  std::vector<Step> steps;      // the same; empty ones where a job does not train
  std::vector<PortChange> failures;
  PathPolicy routing;
  WireFormat wire;
  FlowOptions flow;
  bool by_packets = false;                     // else flows
  const PacketPlan* packet = nullptr;          // how switches and NICs are set
  std::optional<TransportBeside> beside = {};  // of jobs that have a transport of their own
  Diagnostics warnings;
  std::unique_ptr<PreparedJobs> front_end = {};  // the same jobs and seats on the second network; none where nobody uses it

  /// The network that a job uses.
  [[nodiscard]] const PreparedJobs& of(std::size_t job) const {
    return cluster->jobs[job].job->network == ServerNetwork::front_end ? *front_end : *this;
  }
};

/// Builds the fabric, seats all jobs, and refuses what cannot be played: closed forms (RY-JOB-010), two transports that are not
/// played beside each other (RY-JOB-014), what is too large, what is cut off. `cluster` must outlive what is returned.
Result<PreparedJobs> prepare_jobs(const ClusterJobs& cluster, const RunOptions& options);

/// Who takes part, and when each begins.
struct JobStart {
  std::size_t job = 0;
  Picoseconds at;
};

/// Plays some of the jobs, each where it sits, until each has had its turns. Jobs of two networks do not meet, and go on until
/// those of their own have had theirs.
Result<JobsRun> run_jobs(const PreparedJobs& prepared, const std::vector<JobStart>& starts, Progress& progress);

/// What carries them. Prepared jobs must outlive it.
[[nodiscard]] Network network_of(const PreparedJobs& prepared);

}  // namespace railyard
