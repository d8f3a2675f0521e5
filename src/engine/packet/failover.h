// Links and hosts that fail while packets are under way: what they lose, and when who uses others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/packet/host_faults.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/network.h"
#include "fabric/ecmp.h"
#include "fabric/failures.h"
#include "fabric/live.h"
#include "plan/packet_plan.h"

namespace railyard::packet {

/// A link that goes down loses what is on it and what is sent on it. Its ends go on sending until they notice (local repair):
/// then they take another port that leads on, if they have one. All others send towards it until routes have converged. What
/// comes up again is used again after the same times; what is up again by then was never missed. Pauses end with their link,
/// and what the far end asks for then comes with it again. What has failed at time zero has been routed around.
class Failover {
 public:
  /// The fabric, routing and network must outlive it.
  Failover(const Fabric& fabric, const PathPolicy& routing, const PacketPlan& plan, std::span<const PortChange> changes,
           Network& network);

  /// A flow was added to the network, with its place among the queue pairs of both NICs. Flows that are not told of keep their
  /// paths.
  void add_flow(std::uint32_t flow, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote);

  /// The paths that a flow takes now; empty where none leads on.
  void find_paths(EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote, std::vector<PortId>& there,
                  std::vector<PortId>& back) const;

  /// Whether a link is known to be up, both ways.
  [[nodiscard]] bool carries(PortId port) const { return live_.is_live(port) && live_.is_live(reverse_of(fabric_, port)); }

  /// Whether anything is down that somebody knows of.
  [[nodiscard]] bool detours() const { return !live_.all_live() || !live_.none_withdrawn(); }

  /// When something changes next.
  [[nodiscard]] Time next() const { return std::min(next_event(), hosts_.next()); }
  /// Lets what is due then happen. REQUIRES: everything before is done, and nothing after.
  void apply(LookaheadScheduler& scheduler);

  /// Back to time zero, as the network is.
  void restart();

  /// How many queue pairs took another path, and when.
  struct Rerouted {
    Picoseconds at;
    std::uint32_t queue_pairs;
  };
  [[nodiscard]] const std::vector<Rerouted>& rerouted() const { return rerouted_; }

 private:
  enum class Kind : std::uint8_t { link, local_repair, convergence };
  struct Event {
    Time at;
    Kind kind;
    PortChange change;
  };
  struct Route {
    std::uint32_t flow;
    EndpointId from, to;
    std::uint32_t local, remote;
  };

  [[nodiscard]] Time next_event() const { return at_ == events_.size() ? kNever : events_[at_].at; }
  bool apply_one(const Event& event, LookaheadScheduler* scheduler);
  void change_link(const PortChange& change, Time at, LookaheadScheduler* scheduler);
  void go_down(std::uint32_t port, Time at, LookaheadScheduler& scheduler);
  void come_up(std::uint32_t port, Time at, LookaheadScheduler& scheduler);
  void reroute(Time at, LookaheadScheduler* scheduler);
  [[nodiscard]] bool is_down(PortId port) const { return down_[port.index()] != 0; }

  const Fabric& fabric_;
  const PathPolicy& routing_;
  QueuePairNumbers numbers_;
  Network& network_;
  HostFaults hosts_;
  std::vector<Event> events_;  // by time
  std::size_t at_ = 0;         // the next of them
  std::vector<char> down_;     // by port
  LivePorts live_;
  std::vector<Route> routes_;
  std::vector<Rerouted> rerouted_;
};

}  // namespace railyard::packet
