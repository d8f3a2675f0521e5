#include "sim/jobs/collective_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/quantity_text.h"
#include "sim/jobs/job_turns.h"

namespace railyard {

namespace {

Placement members_of(const PreparedJobs& prepared, std::size_t job) {
  const Placement& all = prepared.seats[job].ranks;
  const std::uint32_t size = prepared.cluster->jobs[job].workload.group_size(static_cast<std::uint32_t>(all.size()));
  Placement members;
  for (const EndpointId seat : all)
    if (members.size() < size) members.push(seat);
  return members;
}

Bytes size_of(const Scenario& scenario) { return scenario.workload.collective->sizes.front(); }

}  // namespace

JobGroup::JobGroup(const PreparedJobs& prepared, std::size_t job)
    : members(members_of(prepared, job)), group(make_group(prepared.cluster->jobs[job], network_of(prepared), members)) {}

Diagnostics refused_job_collective(const PreparedJobs& prepared, std::size_t job, Bytes memory) {
  const Scenario& scenario = prepared.cluster->jobs[job];
  JobGroup mine(prepared, job);
  mine.group.memory = memory;
  if (Diagnostics refused = refused_collective(mine.group, size_of(scenario)); !refused.empty()) return refused;
  const std::uint64_t messages = messages_of(mine.group, size_of(scenario)),
                      most = std::numeric_limits<std::uint32_t>::max() / prepared.cluster->jobs.size();
  if (messages <= most) return {};
  return {{Severity::error, "RY-RUN-005",
           fmt::format("the collective of job '{}' has {} messages, and {} jobs have numbers for {} each", scenario.job->name,
                       format_count(messages), prepared.cluster->jobs.size(), format_count(most)),
           "use a smaller group or another algorithm", scenario.keys.where("collective")}};
}

CollectiveTurns::CollectiveTurns(const PreparedJobs& prepared, std::size_t job, JobPort& port, Progress& progress)
    : scenario_(prepared.cluster->jobs[job]), progress_(progress) {
  const JobGroup mine(prepared, job);
  seats_ = mine.group.seats;
  Result<Schedule> schedule = schedule_of(mine.group, seats_, size_of(scenario_));
  RY_CHECK(schedule, "a collective that cannot be played is refused before");
  schedule_ = std::move(*schedule);
  player_ = std::make_unique<SchedulePlayer>(schedule_, Seats{seats_.seats, seats_.up, seats_.down}, port);
}

void CollectiveTurns::begin() {
  last_ = {};
  player_->begin();
}

void CollectiveTurns::arrive(MessageId id, Picoseconds at) {
  last_ = std::max(last_, at);
  const Completion one{id, at};
  player_->arrive({&one, 1});
}

Picoseconds CollectiveTurns::end(PlayedJob* played) {
  if (!played) return last_;
  played->carried += schedule_.messages();
  played->bus_bytes = static_cast<double>(size_of(scenario_).count()) * bus_factor(schedule_.kind, schedule_.positions);
  progress_.add(kPartWork);
  return last_;
}

Diagnostics CollectiveTurns::stuck() const { return never_arrive(scenario_, player_->left()); }

}  // namespace railyard
