// Plays one collective over an engine: to its end, or one arrival at a time beside others.
#pragma once

#include <memory>
#include <span>

#include "base/progress.h"
#include "collective/schedule.h"
#include "engine/engine.h"

namespace railyard {

/// Where the positions of a schedule sit: ranks on endpoints; switches that compute are known by the trunks around them.
struct Seats {
  std::span<const EndpointId> ranks;
  /// Of every position and switch that has a parent: the trunk to it and the trunk from it. Empty without switches.
  std::span<const TrunkId> up = {}, down = {};
};

/// Runs `schedule` to its end and returns the time from the first post to the last delivery; without end (Picoseconds::max())
/// if some message never arrives. Advances `progress` by the number of messages. REQUIRES: a seat for every rank, trunks for
/// every position and switch if there are switches, and at most 2^32 messages, where a transfer counts in every repeat of its
/// round.
Picoseconds play(const Schedule& schedule, const Seats& seats, Engine& engine, Progress& progress);

/// The same for whoever lets the engine advance, any number of times over the same connections. Schedule, seats and engine must
/// outlive it.
class SchedulePlayer {
 public:
  SchedulePlayer(const Schedule& schedule, const Seats& seats, Engine& engine);
  ~SchedulePlayer();
  SchedulePlayer(const SchedulePlayer&) = delete;
  SchedulePlayer& operator=(const SchedulePlayer&) = delete;

  /// Posts now what waits for nobody. REQUIRES: what began before is over.
  void begin();
  /// Those have been delivered: posts now what waited for them.
  void arrive(std::span<const Completion> done);
  /// Messages that have not been delivered.
  [[nodiscard]] std::uint64_t left() const;

 private:
  class Player;
  std::unique_ptr<Player> player_;
};

}  // namespace railyard
