// Hosts that fail while packets are under way: NICs that pause their switch for no reason, and hosts that take nothing in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/network.h"
#include "plan/packet_plan.h"

namespace railyard::packet {

/// A NIC that storms sends pauses of every lossless class and renews them, so that its switch sends it none of these until the
/// storm ends; itself it sends on, and takes in what still comes. A host that is slow or stuck leaves packets in its NIC, which
/// pauses the switch as that of any slow host does; what a stuck host's NIC holds is taken in when the host goes on.
class HostFaults {
 public:
  /// The network must outlive it.
  HostFaults(const Fabric& fabric, std::span<const HostFault> faults, Network& network);

  /// When something changes next.
  [[nodiscard]] Time next() const { return at_ == changes_.size() ? kNever : changes_[at_].at; }
  /// Lets what is due at `now` happen. REQUIRES: everything before is done, and nothing after.
  void apply(Time now, LookaheadScheduler& scheduler);
  /// Back to time zero, as the network is.
  void restart();

 private:
  struct Change {
    Time at;
    std::uint32_t fault;
    bool begins;
  };

  void change(std::uint32_t node, Time now, LookaheadScheduler& scheduler);
  void tell(std::uint32_t node, bool xoff, Time now, LookaheadScheduler& scheduler);

  Network& network_;
  std::vector<HostFault> faults_;
  std::vector<std::uint32_t> node_of_;  // by fault
  std::vector<Change> changes_;         // by time
  std::vector<char> in_force_;          // by fault
  std::size_t at_ = 0;                  // the next change
};

}  // namespace railyard::packet
