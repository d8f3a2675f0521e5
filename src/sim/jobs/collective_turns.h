// A collective of a job, one time after the other, message by message. Internal to jobs_run.cpp.
#pragma once

#include <memory>

#include "collective/schedule.h"
#include "sim/collective/collective_run.h"
#include "sim/collective/play.h"
#include "sim/jobs/job_port.h"
#include "sim/jobs/jobs_run.h"

namespace railyard {

/// The group of a job's collective: the first of its GPUs, or all of them. Prepared jobs must outlive it.
struct JobGroup {
  JobGroup(const PreparedJobs& prepared, std::size_t job);
  JobGroup(const JobGroup&) = delete;
  JobGroup& operator=(const JobGroup&) = delete;

  Placement members;
  CollectiveGroup group;
};

/// What a collective job cannot do: run_collective()'s reasons, and more messages than jobs have numbers for (RY-RUN-005).
Diagnostics refused_job_collective(const PreparedJobs& prepared, std::size_t job, Bytes memory);

/// All of a turn is posted as its messages let it. Everything given must outlive this.
class CollectiveTurns {
 public:
  /// REQUIRES: refused_job_collective() found nothing.
  CollectiveTurns(const PreparedJobs& prepared, std::size_t job, JobPort& port, Progress& progress);

  void begin();
  /// Nothing but arrivals moves it.
  [[nodiscard]] Picoseconds next() const { return Picoseconds::max(); }
  void proceed() {}
  void arrive(MessageId id, Picoseconds at);
  [[nodiscard]] bool is_over() const { return player_->left() == 0; }
  Picoseconds end(PlayedJob* played);
  [[nodiscard]] Diagnostics stuck() const;

 private:
  const Scenario& scenario_;
  Progress& progress_;
  SeatedGroup seats_;
  Schedule schedule_;
  std::unique_ptr<SchedulePlayer> player_;
  Picoseconds last_;
};

}  // namespace railyard
