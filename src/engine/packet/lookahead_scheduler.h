// Runs a Net forward in intervals of time that are short enough for every node to be alone in them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/packet/network.h"
#include "engine/packet/sampler.h"
#include "engine/packet/tap_feed.h"

namespace railyard::packet {

/// A message's end, as a host saw it.
struct FlowEvent {
  Time at;
  std::uint32_t flow;
  friend bool operator<(const FlowEvent& a, const FlowEvent& b) { return a.at != b.at ? a.at < b.at : a.flow < b.flow; }
};

/// A sender that heard nothing for long.
struct Timeout {
  Time at;
  std::uint32_t flow;
  bool broken;  // it gives up for good
  friend bool operator<(const Timeout& a, const Timeout& b) { return a.at != b.at ? a.at < b.at : a.flow < b.flow; }
};

/// Intervals in which nothing that one node does can matter to another, run by several threads or one; the outcome is the same.
class LookaheadScheduler {
 public:
  /// `tap`, if given, gets every frame that it wants.
  LookaheadScheduler(Network& network, Time span, unsigned threads, TapFeed* tap = nullptr);
  ~LookaheadScheduler();

  /// A message was added to a flow (Network::add_message).
  void offer(std::uint32_t flow);

  /// Runs intervals until nothing is left to do, the next would begin at `until` or later, or, if asked to, one ended a
  /// message. None goes beyond `change`, when something of the network will be another.
  void run(Time until, bool stop_at_delivery, Time change = kNever);

  // Between runs, for what changes in the network (failover.h) -------------------------------------------------------

  /// A flow goes on by another port of its host.
  void move(std::uint32_t flow, std::uint32_t port, Time now);
  /// A pause frame or the end of a pause takes effect at a port.
  void pause(std::uint32_t port, std::uint8_t name, bool xoff, Time at);
  /// A host takes packets in at another rate (zero: as they come), or not at all.
  void change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now);
  /// Pause frames and credits on their way to a port get lost.
  void lose_frames(std::uint32_t port);

  /// Everything before this instant is done.
  [[nodiscard]] Time edge() const;
  /// Where the next interval begins: never, if nothing is left to do.
  [[nodiscard]] Time next() const;

  /// Whether it stopped for good because packets move and next to nothing new arrives: all is dropped or trimmed, and sent
  /// again at once. Nothing runs any more then.
  [[nodiscard]] bool is_livelocked() const;

  /// What was seen since the last call, by time; to be taken over by the caller.
  std::vector<FlowEvent> delivered, acknowledged;
  std::vector<Timeout> timeouts;    // where links fail
  std::vector<PauseRecord> pauses;  // ports by index
  std::uint64_t windows = 0;
  Sampler sampler;

 private:
  class WorkerPool;
  std::unique_ptr<WorkerPool> worker_pool_;
};

}  // namespace railyard::packet
