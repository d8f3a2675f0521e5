// What a port does with a packet: which traffic class, queue and priority group it gets, who is paused, what is marked.
// Words are those of IEEE 802.1Q and of SAI; every vendor's configuration is read into this and written from it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/choice.h"
#include "base/diagnostic.h"
#include "base/units.h"

namespace railyard {

inline constexpr std::size_t kPriorities = 8;  // traffic classes, queues, priority groups and PFC priorities alike
inline constexpr std::size_t kDscps = 64;

/// What a port takes a packet's class from. `both`: DSCP of what has one, PCP of the rest. `port`: neither, all go to class 0.
enum class Trust : std::uint8_t { dscp, pcp, both, port };
template<>
struct ChoiceNames<Trust> {
  static constexpr std::string_view names[] = {"dscp", "pcp", "both", "port"};
};

/// A queue length in whatever its vendor writes it in.
enum class ThresholdUnit : std::uint8_t { bytes, percent, cells, time };
struct Threshold {
  ThresholdUnit unit = ThresholdUnit::bytes;
  double value = 0;  // bytes; per cent of what the queue may take; cells (segments); microseconds at the port's rate

  friend bool operator==(const Threshold&, const Threshold&) = default;
};

/// What a threshold is counted in, where it is not bytes.
struct ThresholdBase {
  BitsPerSecond rate;   // of the port
  Bytes cell = 256_B;   // one segment of the buffer
  Bytes queue = 1_MiB;  // what one queue may take
};
[[nodiscard]] Bytes bytes_of(const Threshold& threshold, const ThresholdBase& base);

/// Marks instead of drops, between two lengths of the queue.
struct EcnPolicy {
  Threshold kmin, kmax;
  double pmax = 1;    // probability at kmax, 0 to 1
  bool marks = true;  // false: WRED drops what it would have marked

  friend bool operator==(const EcnPolicy&, const EcnPolicy&) = default;
};

struct QueuePolicy {
  bool strict = false;       // served before those that are not; of several, the highest number first
  std::uint32_t weight = 0;  // among the others, in per cent or whatever they are all given in; 0: not said
  std::optional<EcnPolicy> ecn;
  std::optional<Bytes> reserve;  // guaranteed
  std::optional<double> alpha;   // dynamic limit: of what is free of its pool
  std::optional<Bytes> limit;    // static limit

  friend bool operator==(const QueuePolicy&, const QueuePolicy&) = default;
};

/// Ingress buffer of one priority group.
struct GroupPolicy {
  bool has_buffer = false;        // a lossless profile is bound to it
  std::optional<Bytes> reserve;   // its own; SONiC's `size` less headroom
  std::optional<Bytes> headroom;  // for what arrives after the pause; SONiC calls it xoff
  std::optional<Bytes> xon, xon_offset;
  std::optional<double> alpha;  // dynamic threshold, a power of two: pause above this share of what is free
  std::optional<Bytes> xoff;    // static threshold: pause above this

  friend bool operator==(const GroupPolicy&, const GroupPolicy&) = default;
};

enum class StormAction : std::uint8_t { drop, forward, alert };
template<>
struct ChoiceNames<StormAction> {
  static constexpr std::string_view names[] = {"drop", "forward", "alert"};
};
struct WatchdogPolicy {
  bool enabled = false;
  std::optional<Picoseconds> detection, restoration, poll;
  StormAction action = StormAction::drop;

  friend bool operator==(const WatchdogPolicy&, const WatchdogPolicy&) = default;
};

/// How the two ends of a link come to agree on PFC: set by hand, or taken from the neighbour over DCBX.
enum class PfcMode : std::uint8_t { forced, negotiated };

/// All of it, as in force after the device's own defaults. Two policies are equal if they do the same, wherever it was said.
struct QosPolicy {
  std::string name;  // of the profile, for people
  Trust trust = Trust::dscp;
  std::array<std::uint8_t, kDscps> class_of_dscp = {};
  std::array<std::uint8_t, kPriorities> class_of_pcp = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<std::uint8_t, kPriorities> queue_of_class = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<std::uint8_t, kPriorities> group_of_class = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<std::uint8_t, kPriorities> priority_of_group = {0, 1, 2, 3, 4, 5, 6, 7};  // that a pause for the group names
  std::array<std::uint8_t, kPriorities> queue_of_priority = {0, 1, 2, 3, 4, 5, 6, 7};  // that such a pause stops
  std::uint8_t pfc = 0;                                                                // priorities that PFC is on for, as bits
  PfcMode pfc_mode = PfcMode::forced;
  bool link_pause = false;  // IEEE 802.3 pause of the whole port
  std::array<QueuePolicy, kPriorities> queues = {};
  std::array<GroupPolicy, kPriorities> groups = {};
  WatchdogPolicy watchdog;
  std::uint8_t watched = 0xff;  // queues that the watchdog looks after, as bits

  /// Where a statement was made, by what it is about: "trust", "dscp.26", "pcp.3", "class.3.queue", "class.3.group", "pfc.3"
  /// (or "pfc"; "pfc.on": the port does PFC, for whatever priorities), "queue.3", "queue.3.ecn", "queue.3.limit", "group.3",
  /// "watchdog", "watched", "link_pause". What is not in it is a default.
  std::map<std::string, SourceSpan, std::less<>> said;

  [[nodiscard]] bool has_pfc(std::size_t priority) const { return (pfc >> priority & 1) != 0; }
  [[nodiscard]] std::uint8_t class_of(std::uint8_t dscp, std::uint8_t pcp) const;

  /// The PFC priority whose pause stops senders of this class; none if nothing is ever paused for it.
  [[nodiscard]] std::optional<std::uint8_t> pausing_priority(std::uint8_t traffic_class) const;
};

/// Whether two do the same; names and places do not count.
[[nodiscard]] bool same_effect(const QosPolicy& a, const QosPolicy& b);

/// DSCP 8n to 8n + 7 are class n: the map that most NICs and some switches start with.
[[nodiscard]] std::array<std::uint8_t, kDscps> classes_by_eight();

}  // namespace railyard
