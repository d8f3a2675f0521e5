// What one node does with packets of each class: where they wait and are counted, when they are marked, paused or dropped. Most
// often all nodes do the same, which Parameters say; where they do not, each has one of these.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/packet/packet.h"
#include "plan/device_qos.h"

namespace railyard::packet {

/// How queues of a port share its wire.
struct Shares {
  std::uint32_t weight[kClasses] = {}, strict = 0;  // strict queues, as bits, go before all others
};

/// When a queue marks.
struct Marking {
  bool enabled = false;
  std::uint32_t kmin = 0, kmax = 0;
  std::uint64_t slope = 0;  // probability per byte above kmin, in units of 2^-64

  friend bool operator==(const Marking&, const Marking&) = default;
};

/// When a group pauses or drops.
struct Thresholds {
  bool fixed = false;
  std::uint32_t reserve = 0, xoff = 0, xon = 0, xon_offset = 0;
  std::uint64_t alpha = 0;  // in units of 2^-16

  friend bool operator==(const Thresholds&, const Thresholds&) = default;
};

/// A port has as many queues, and a link as many groups, as there are classes: those that share one use that of the first of
/// them. A NIC has a queue for every class, and stops those together that its maps put together.
struct Profile {
  std::uint8_t queue[kClasses] = {0, 1, 2, 3}, group[kClasses] = {0, 1, 2, 3};  // by class
  bool used[kClasses] = {true, true, true, true}, counted[kClasses] = {};       // by class
  Shares shares;                                                                // by queue
  Marking marking[kClasses];                                                    // by queue
  bool lossless[kClasses] = {};                                                 // by group
  std::uint8_t priority[kClasses] = {};                                         // by group: that its pauses name
  Thresholds thresholds[kClasses];                                              // by group
  std::uint8_t stops[kPriorities] = {};                                         // queues, as bits, by the priority of a pause
  std::uint8_t rank[kClasses] = {0, 1, 2, 3};                                   // of strict queues: the lowest goes first
  bool pfc = false, watchdog = false, watchdog_forwards = false;
  Time detection = 0, restoration = 0, poll = 1;

  /// The first to be served of some strict queues. REQUIRES: there is one.
  [[nodiscard]] std::uint32_t first_strict(std::uint32_t queues) const {
    auto first = static_cast<std::uint32_t>(std::countr_zero(queues));
    for (std::uint32_t q = first + 1; q < kClasses; q++)
      if (queues >> q & 1 && rank[q] < rank[first]) first = q;
    return first;
  }
};

struct Parameters;

/// What parameters say of every node.
Profile profile_of(const Parameters& p);

/// Has the parameters say what a profile does, if they can: every class has a queue and a group of its own, and all are marked
/// and counted alike. Returns whether they do.
bool adopt(const Profile& profile, Parameters& p);

/// REQUIRES: no more classes than queues. `is_host`: a NIC, with a queue for every class.
Profile profile_of(const DeviceQos& device, bool is_host);

[[nodiscard]] Marking marking_of(const EcnPlan& plan);

}  // namespace railyard::packet
