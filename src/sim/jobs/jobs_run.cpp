#include "sim/jobs/jobs_run.h"

#include <algorithm>
#include <deque>
#include <variant>

#include "sim/isolation.h"
#include "sim/jobs/collective_turns.h"
#include "sim/jobs/job_turns.h"
#include "sim/step/packet_step.h"
#include "sim/step/piece_engine.h"

namespace railyard {

namespace {

/// A job and what it is doing.
class RunningJob {
 public:
  using Turns = std::variant<StepTurns, CollectiveTurns, TrafficTurns>;

  RunningJob(const Scenario& scenario, std::size_t job, Picoseconds start, JobPort& port, Turns& turns)
      : plan_(*scenario.job), port_(port), turns_(turns), begins_at_(start) {
    played_.job = job;
  }

  /// When something happens to it that the network has no part in.
  [[nodiscard]] Picoseconds next() const {
    if (!is_running_) return begins_at_;
    const Picoseconds own = std::visit([](const auto& turns) { return turns.next(); }, turns_);
    return own == Picoseconds::max() ? own : port_.origin() + own;
  }

  void proceed() {
    if (is_running_)
      std::visit([](auto& turns) { turns.proceed(); }, turns_);
    else
      begin();
  }

  void arrive(MessageId id, Picoseconds at) {
    std::visit([&](auto& turns) { turns.arrive(id, at - port_.origin()); }, turns_);
  }

  /// Ends a turn that is over at `now`; the next begins when it may.
  void end_turn(Picoseconds now) {
    if (!is_running_ || !std::visit([](const auto& turns) { return turns.is_over(); }, turns_)) return;
    const bool counts = !has_had_its_turns();
    const Picoseconds time = std::visit([&](auto& turns) { return turns.end(counts ? &played_ : nullptr); }, turns_);
    if (counts) played_.turns.push_back({port_.origin(), time});
    begins_at_ = std::max({now, port_.origin() + time, port_.origin() + plan_.every});
    is_running_ = false;
  }

  [[nodiscard]] bool has_had_its_turns() const { return played_.turns.size() >= plan_.turns; }
  [[nodiscard]] bool is_running() const { return is_running_; }
  [[nodiscard]] Diagnostics stuck() const {
    return std::visit([](const auto& turns) { return turns.stuck(); }, turns_);
  }
  PlayedJob take() {
    played_.posted = port_.posted();
    return std::move(played_);
  }

 private:
  void begin() {
    port_.begin_turn(begins_at_);
    is_running_ = true;
    std::visit([](auto& turns) { turns.begin(); }, turns_);
  }

  const JobPlan& plan_;
  JobPort& port_;
  Turns& turns_;
  Picoseconds begins_at_;
  bool is_running_ = false;
  PlayedJob played_;
};

bool has_steps(const ClusterJobs& cluster) {
  return std::any_of(cluster.jobs.begin(), cluster.jobs.end(),
                     [](const Scenario& job) { return job.workload.model.has_value(); });
}

/// Where steps go packet by packet, NICs leave what those of one step leave, whoever sends.
std::unique_ptr<Engine> engine_for(const PreparedJobs& prepared, bool passes_on, Telemetry& telemetry) {
  Network network = network_of(prepared);
  if (!passes_on) return make_engine(network, telemetry);
  double share = 1;
  for (const Scenario& job : prepared.cluster->jobs)
    if (job.workload.gpu) share = std::min(share, job.workload.gpu->step.scale_out_share);
  network.packet_options.keeps_messages = false;
  network.packet_options.taken = left_by_nics(prepared.fabric, prepared.wire, share);
  return std::make_unique<PieceEngine>(make_engine(network, telemetry));
}

/// Lets jobs and the engine take turns in the order of time; arrivals come first, then jobs in their order.
class JobsPlayer {
 public:
  JobsPlayer(const PreparedJobs& prepared, Telemetry& telemetry)
      : prepared_(prepared),
        live_(live_after(prepared.fabric, prepared.failures)),
        network_{prepared.fabric, live_, prepared.failures},
        passes_on_(prepared.by_packets && has_steps(*prepared.cluster)),
        engine_(engine_for(prepared, passes_on_, telemetry)) {}

  /// Refuses traffic that cannot be planned.
  Diagnostics add(const std::vector<JobStart>& starts, Progress& progress) {
    for (const JobStart& start : starts) {
      const Scenario& scenario = prepared_.cluster->jobs[start.job];
      progress.expect(scenario.job->turns * kPartWork);
      JobPort& port = ports_.emplace_back(*engine_, static_cast<std::uint32_t>(jobs_.size()),
                                          static_cast<std::uint32_t>(starts.size()), *scenario.job);
      const Placement& seats = prepared_.seats[start.job].ranks;
      if (scenario.workload.model) {
        turns_.emplace_back(std::in_place_type<StepTurns>, scenario, prepared_.steps[start.job], seats, network_, passes_on_,
                            port, progress);
      } else if (scenario.workload.collective) {
        turns_.emplace_back(std::in_place_type<CollectiveTurns>, prepared_, start.job, port, progress);
      } else {
        Result<std::vector<std::vector<PlannedMessage>>> draws = draw_turns(scenario, prepared_.fabric, seats);
        if (!draws) return draws.error();
        turns_.emplace_back(std::in_place_type<TrafficTurns>, scenario, std::move(*draws), port, progress);
      }
      jobs_.emplace_back(scenario, start.job, start.at, port, turns_.back());
    }
    return {};
  }

  Diagnostics play() {
    std::vector<Completion> done;
    while (!std::all_of(jobs_.begin(), jobs_.end(), [](const RunningJob& job) { return job.has_had_its_turns(); })) {
      const auto first = std::min_element(jobs_.begin(), jobs_.end(),
                                          [](const RunningJob& a, const RunningJob& b) { return a.next() < b.next(); });
      done.clear();
      const Picoseconds next = first->next();
      const Picoseconds reached = engine_->advance(next, done);
      if (done.empty() && next == Picoseconds::max()) return stuck();
      if (done.empty()) {
        first->proceed();
        first->end_turn(next);
        continue;
      }
      const auto jobs = static_cast<std::uint32_t>(jobs_.size());
      for (const Completion& one : done) {
        RunningJob& job = jobs_[JobPort::owner(one.id, jobs)];
        job.arrive(JobPort::own_id(one.id, jobs), reached);
        job.end_turn(reached);
      }
    }
    engine_->finish();
    return {};
  }

  std::vector<PlayedJob> take() {
    std::vector<PlayedJob> played;
    for (RunningJob& job : jobs_) played.push_back(job.take());
    return played;
  }
  [[nodiscard]] Picoseconds now() const { return engine_->now(); }

 private:
  [[nodiscard]] Diagnostics stuck() const {
    Diagnostics found;
    for (const RunningJob& job : jobs_) {
      if (!job.is_running()) continue;
      const Diagnostics more = job.stuck();
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  }

  const PreparedJobs& prepared_;
  const LivePorts live_;
  const JobNetwork network_;
  const bool passes_on_;  // packets carry collectives of steps, piece by piece
  const std::unique_ptr<Engine> engine_;
  std::deque<JobPort> ports_;  // neither moves
  std::deque<RunningJob::Turns> turns_;
  std::vector<RunningJob> jobs_;
};

/// Those that use one network.
Result<JobsRun> play_on(const PreparedJobs& network, const std::vector<JobStart>& starts, Progress& progress) {
  JobsRun run{.jobs = {},
              .end = {},
              .network = Telemetry(network.fabric.trunk_tier.size()),
              .front_end = {},
              .exact = network.by_packets || network.flow.exact};
  if (starts.empty()) return run;
  JobsPlayer player(network, run.network);
  if (Diagnostics refused = player.add(starts, progress); !refused.empty()) return refused;
  if (Diagnostics stuck = player.play(); !stuck.empty()) return stuck;
  run.end = player.now();
  run.jobs = player.take();
  return run;
}

}  // namespace

Network network_of(const PreparedJobs& prepared) {
  Network network{prepared.fabric, prepared.wire, prepared.routing};
  network.failures = prepared.failures;
  network.packet_options.beside = prepared.beside;
  if (prepared.by_packets)
    network.packet = prepared.packet;
  else
    network.flow = prepared.flow;
  network.packet_options.reduces =
      std::any_of(prepared.cluster->jobs.begin(), prepared.cluster->jobs.end(), [](const Scenario& job) {
        return job.workload.collective && job.workload.collective->algorithm == CollectiveAlgorithm::in_network;
      });
  return network;
}

Result<JobsRun> run_jobs(const PreparedJobs& prepared, const std::vector<JobStart>& starts, Progress& progress) {
  std::vector<JobStart> compute, front;
  for (const JobStart& start : starts) (&prepared.of(start.job) == &prepared ? compute : front).push_back(start);
  Result<JobsRun> run = play_on(prepared, compute, progress);
  if (!run || front.empty()) return run;
  Result<JobsRun> second = play_on(*prepared.front_end, front, progress);
  if (!second) return second;
  std::vector<PlayedJob> all;
  auto first_left = run->jobs.begin(), second_left = second->jobs.begin();
  for (const JobStart& start : starts)
    all.push_back(std::move(&prepared.of(start.job) == &prepared ? *first_left++ : *second_left++));
  run->jobs = std::move(all);
  run->front_end = std::move(second->network);
  run->end = std::max(run->end, second->end);
  run->exact = run->exact && second->exact;
  return run;
}

}  // namespace railyard
