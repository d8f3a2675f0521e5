// One turn after the other of a job: a training step, or traffic. Internal to jobs_run.cpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fabric/live.h"
#include "sim/jobs/job_port.h"
#include "sim/jobs/jobs_run.h"
#include "sim/step/step_player.h"
#include "sim/traffic/traffic.h"

namespace railyard {

/// The fabric as all jobs see it; must outlive what uses it.
struct JobNetwork {
  const Fabric& fabric;
  const LivePorts& live;  // once all failures have happened
  const std::vector<PortChange>& failures;
};

/// Steps. Connections are opened at once, and used by every step. All must outlive this.
class StepTurns {
 public:
  /// `passes_on`: the engine passes pieces on from rank to rank.
  StepTurns(const Scenario& scenario, const Step& step, const Placement& placement, const JobNetwork& network, bool passes_on,
            JobPort& port, Progress& progress);

  void begin();
  /// As those of StepClock, counted from the beginning of the turn.
  [[nodiscard]] Picoseconds next() const { return player_->clock().next(); }
  void proceed() { player_->clock().proceed(); }
  void arrive(MessageId id, Picoseconds at) { player_->clock().arrive(id, at); }
  [[nodiscard]] bool is_over() const { return next() == Picoseconds::max() && player_->clock().on_network() == 0; }
  /// Its time; and what it did is added to `played`, if it counts.
  Picoseconds end(PlayedJob* played);
  [[nodiscard]] Diagnostics stuck() const { return player_->stuck(); }

 private:
  void make_player();

  const Scenario& scenario_;
  const Step& step_;
  const ClusterLinks links_;
  StepTraffic traffic_;
  StepNetwork network_;
  Progress& progress_;
  std::uint32_t turns_ = 0;
  std::optional<Progress> part_;  // of the turns that count
  Progress ignored_;
  std::unique_ptr<StepPlayer> player_;
};

/// Messages at their times; the turn ends with the last delivery. What is drawn at random is drawn anew for every turn, and
/// after so many of them as before. All must outlive this.
class TrafficTurns {
 public:
  static constexpr std::uint32_t kDraws = 16;

  /// `draws`: the messages of a turn, each by their starts; at least one of them.
  TrafficTurns(const Scenario& scenario, std::vector<std::vector<PlannedMessage>> draws, JobPort& port, Progress& progress);

  void begin();
  [[nodiscard]] Picoseconds next() const {
    return posted_ < messages().size() ? messages()[posted_].start : Picoseconds::max();
  }
  void proceed();
  void arrive(MessageId id, Picoseconds at);
  [[nodiscard]] bool is_over() const { return left_ == 0; }
  Picoseconds end(PlayedJob* played);
  [[nodiscard]] Diagnostics stuck() const;

 private:
  [[nodiscard]] const std::vector<PlannedMessage>& messages() const { return draws_[draw_]; }

  const Scenario& scenario_;
  const std::vector<std::vector<PlannedMessage>> draws_;
  std::vector<std::vector<QpId>> connections_;  // by draw and message
  std::vector<Picoseconds> delivered_;          // by message
  JobPort& port_;
  Progress& progress_;
  std::size_t draw_ = 0, next_draw_ = 0, posted_ = 0, left_ = 0;
  Picoseconds last_;
};

/// What to say where so many messages of a job never arrive.
Diagnostics never_arrive(const Scenario& scenario, std::uint64_t messages);

/// The messages of as many turns as differ, by the seed. Refuses what plan_traffic() does.
Result<std::vector<std::vector<PlannedMessage>>> draw_turns(const Scenario& scenario, const Fabric& fabric,
                                                            const Placement& placement);

}  // namespace railyard
