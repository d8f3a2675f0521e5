// Runs a Net forward in intervals of time that are short enough for every node to be alone in them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/team_post.h"
#include "engine/packet/flow_event.h"
#include "engine/packet/network.h"
#include "engine/packet/sampler.h"
#include "engine/packet/tap_feed.h"
#include "engine/packet/thread_choice.h"

namespace railyard::packet {

class WindowRunner;
namespace device {
class Backend;
}

/// Intervals in which nothing that one node does can matter to another, run by several threads, by one, or by a GPU; the
/// outcome is the same.
class LookaheadScheduler {
 public:
  /// `tap`, if given, gets every frame that it wants. `team`, if given, is of processes that play the same network: each a part
  /// of its nodes, while all else is the same in all of them. REQUIRES: not both.
  LookaheadScheduler(Network& network, Time span, unsigned threads, TapFeed* tap = nullptr, TeamPost* team = nullptr,
                     ThreadUse use = ThreadUse::where_it_pays);
  /// Windows are played by a GPU. REQUIRES: device::can_play().
  LookaheadScheduler(Network& network, Time span, device::Backend& backend);
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

  /// Whoever looks at rows of the network while it runs asks for them first: a GPU has its own. Of several processes the first
  /// gets what the others have, and they keep what they have.
  void bring_rows();

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
  std::unique_ptr<WindowRunner> runner_;
};

}  // namespace railyard::packet
