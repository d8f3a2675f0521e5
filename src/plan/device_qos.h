// What one device does with each kind of traffic, every figure resolved, and which device does what.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/units.h"
#include "qos/policy.h"

namespace railyard {

/// Traffic classes, each with a queue of its own at every port unless a device's maps say otherwise.
inline constexpr std::uint8_t kControlClass = 0;  // CNPs, and ACKs where they do not travel with data
inline constexpr std::uint8_t kDataClass = 1;
inline constexpr std::uint8_t kBackgroundClass = 2;  // general traffic
inline constexpr std::uint8_t kStorageClass = 3;     // checkpoints and data sets
inline constexpr std::size_t kClasses = 4;

struct EcnPlan {
  bool enabled = true;
  Bytes kmin = {}, kmax = {};  // at 400 Gb/s or as given: the same at every port
  double pmax = 0.05;
  bool read = true;  // somebody reacts to marks

  friend bool operator==(const EcnPlan&, const EcnPlan&) = default;
};

/// Where packets of one class go inside a device.
struct ClassQos {
  std::uint8_t queue = 0, group = 0;
  std::optional<std::uint8_t> priority;  // PFC priority that its group pauses with; none: it is lossy
  bool counted = true;                   // takes part in the shared buffer
  bool used = true;                      // there may be such packets

  friend bool operator==(const ClassQos&, const ClassQos&) = default;
};

struct QueueQos {
  bool strict = false;  // of several, the highest number first
  std::uint32_t weight = 1;
  EcnPlan ecn = {.enabled = false};

  friend bool operator==(const QueueQos&, const QueueQos&) = default;
};

/// Thresholds of one priority group at one port.
struct GroupQos {
  Bytes reserve;
  double alpha = 1.0 / 8;
  std::optional<Bytes> xoff, xon;  // fixed thresholds instead
  Bytes xon_offset;
  std::optional<Bytes> headroom;  // computed from rate and cable if not given

  friend bool operator==(const GroupQos&, const GroupQos&) = default;
};

/// The watchdog of one device.
struct WatchdogQos {
  bool enabled = false, forwards = false;
  Picoseconds detection, restoration, poll;

  friend bool operator==(const WatchdogQos&, const WatchdogQos&) = default;
};

/// What nobody uses has no entry: queues and groups that no class goes to are as they are made.
struct DeviceQos {
  std::array<ClassQos, kClasses> classes;
  std::array<QueueQos, kPriorities> queues;
  std::array<GroupQos, kPriorities> groups;
  std::uint8_t pfc = 0;                                                                // priorities that it is on for, as bits
  std::array<std::uint8_t, kPriorities> queue_of_priority = {0, 1, 2, 3, 4, 5, 6, 7};  // that a pause stops
  std::vector<std::optional<Bytes>> idle_headroom;  // of lossless priorities that no class has; computed if not given
  WatchdogQos watchdog;
  std::optional<Picoseconds>
      cable;  // one way over the cables that headroom is computed for; as the fabric has them if not given

  friend bool operator==(const DeviceQos&, const DeviceQos&) = default;
};

/// Devices by where they are. Others: gateways.
enum class DeviceTier : std::uint8_t { nic, leaf, spine, core, other };
inline constexpr std::size_t kDeviceTiers = 5;

/// DSCP of the packets of each class; none: there are no such packets.
using TrafficMarks = std::array<std::optional<std::uint8_t>, kClasses>;

/// Who does what.
struct QosPlan {
  std::vector<DeviceQos> profiles;                       // none: every device as the rest of the plan says
  std::array<std::uint32_t, kDeviceTiers> of_tier = {};  // profile
  /// A device that differs from its tier: by number, or by its name in a drawing.
  struct Single {
    DeviceTier tier = DeviceTier::leaf;
    std::uint32_t index = 0;
    std::string name;
    std::uint32_t profile = 0;
    SourceSpan where;
  };
  std::vector<Single> singles;
  /// Ports of one device that do otherwise than the device: those to some neighbours, or some by number.
  struct OwnPorts {
    DeviceTier tier = DeviceTier::leaf;  // the device, as above
    std::uint32_t index = 0;
    std::string name;
    std::optional<DeviceTier> to;       // neighbours; none: numbers of ports, as the device has them, from 0
    std::uint32_t first = 0, last = 0;  // of those
    std::string to_name;                // a neighbour of a drawing
    std::uint32_t profile = 0;
    SourceSpan where;
  };
  std::vector<OwnPorts> own_ports;
  TrafficMarks marks = {};
  /// Hosts whose data has another mark, and the class that stands for that. ACKs have the mark of who sends them.
  struct OwnMark {
    std::uint32_t host = 0;
    std::uint8_t traffic_class = kDataClass;
    SourceSpan where;
  };
  std::vector<OwnMark> own_marks;
  std::vector<OwnMark> own_cnp_marks;  // the same of CNPs that they send
  /// Hosts whose NICs take smaller packets than the transport's MTU: two ends agree on the smaller one.
  struct OwnMtu {
    std::uint32_t host = 0;
    Bytes mtu = {};
    SourceSpan where;
  };
  std::vector<OwnMtu> own_mtus;
  /// Hosts whose NICs have other settings of DCQCN: one of PacketPlan::dcqcn_sets.
  struct OwnDcqcn {
    std::uint32_t host = 0;
    std::uint32_t set = 0;
    SourceSpan where;
  };
  std::vector<OwnDcqcn> own_dcqcn;
};

}  // namespace railyard
