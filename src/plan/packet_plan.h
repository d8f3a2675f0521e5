// What queues, switches and NICs are set to, every number resolved: all the packet engine needs beside the fabric.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.h"
#include "plan/choices.h"
#include "plan/device_qos.h"

namespace railyard {

inline constexpr std::uint8_t kCnpPriority = 6;  // of control, where nobody gives another

struct ClassPlan {
  std::uint8_t priority = 3;  // as PFC frames name it
  bool lossless = false;      // switches pause senders instead of dropping
  bool strict = false;        // served before classes that are not; among those, shares go by weight
  std::uint32_t weight = 1;
  bool counted = true;  // takes part in the shared buffer; what is not never pauses anyone and is never dropped
};

/// Reaction and notification point. Names, units and meanings are NVIDIA's.
struct DcqcnPlan {
  bool enabled = true;
  bool notifies = true, reacts = true;  // receivers tell senders of marks; senders slow down when told
  bool clamp_tgt_rate = false, clamp_tgt_rate_after_time_inc = true;
  Picoseconds rpg_time_reset = 300_us;
  Bytes rpg_byte_reset = Bytes(32'767'000);  // zero: no byte counter. NVIDIA's 32,767, taken for thousands (docs/models.md)
  std::uint32_t rpg_threshold = 1;
  BitsPerSecond rpg_max_rate;  // zero: the port's
  BitsPerSecond rpg_min_rate = 1_Mbps;
  BitsPerSecond rpg_ai_rate = 5_Mbps, rpg_hai_rate = 50_Mbps;
  std::uint32_t rpg_gd = 11, rpg_min_dec_fac = 50;  // the second in per cent
  BitsPerSecond rate_to_set_on_first_cnp;           // zero leaves it
  std::uint32_t dce_tcp_g = 1019;                   // in 1/1024
  Picoseconds dce_tcp_rtt = 1_us;
  Picoseconds rate_reduce_monitor_period = 4_us;
  std::uint32_t initial_alpha_value = 1023;  // in 1/1024
  Picoseconds min_time_between_cnps = 4_us;
  bool cnp_on_ack = false;                       // no CNP packets: a flag on every ACK of a marked packet
  RatePacing pacing = RatePacing::token_bucket;  // a packet's time is paid at the rate of the moment, or fixed as it leaves

  friend bool operator==(const DcqcnPlan&, const DcqcnPlan&) = default;
};

/// Shared buffer of every switch, and when it pauses senders or drops.
struct BufferPlan {
  Bytes size = 64_MiB;
  Bytes reserve;                   // of every port and counted class, before anything is shared
  double alpha = 1.0 / 8;          // dynamic threshold: of what is free of the shared part, for one port and class
  std::optional<Bytes> xoff, xon;  // fixed thresholds instead: pause above the one, resume below the other
  Bytes xon_offset = 3_KiB;        // dynamic: resume this far below the threshold
  std::optional<Bytes> headroom;   // of every port and lossless class; computed from rate and cable if not given
  std::optional<Bytes> queue;      // of every port and class: what finds more waiting is dropped, or cut down
  std::optional<Bytes> trim;       // size on the wire of what is cut down to its headers instead, beside a window
  bool release_at_start = false;   // a packet leaves the buffer as it starts on the wire, not as its last bit has left
  /// Lossless priorities that no class here has: switches keep headroom for them all the same.
  std::uint32_t idle_lossless = 0;
};

/// What headroom is computed from where none is given (plan/headroom.h).
struct HeadroomPlan {
  Bytes packet = 4194_B;     // largest, on the wire
  Bytes port_mtu = 9216_B;   // largest frame of any class
  Bytes cell;                // of a Spectrum chip's buffer; zero: another chip
  Picoseconds tile;          // time that the tiles of such a chip add
  double small_packets = 1;  // share of packets taken to be the smallest, which fill a cell each
};

struct PfcPlan {
  bool enabled = true;
  Bytes frame = 84_B;                   // on the wire; zero: pauses travel beside the traffic and wait for nothing
  std::optional<Picoseconds> response;  // from the frame's arrival until the port obeys; by speed if not given
  bool watchdog = false;
  bool watchdog_forwards = false;  // ignores pauses while a storm lasts; else drops what waits and arrives
  Picoseconds detection = Picoseconds(200'000'000'000), restoration = Picoseconds(200'000'000'000),
              poll = Picoseconds(200'000'000'000);
};

/// Rules that limit what a queue pair has in flight, or how fast it sends by what comes back.
struct ControlPlan {
  CongestionControl kind = CongestionControl::dcqcn;
  std::optional<Bytes> first;                         // window at the start; by the rule if not given
  std::optional<Picoseconds> target;                  // that packets may wait in queues; by the round trip if not given
  std::uint32_t ccti_increase = 1, ccti_limit = 127;  // of InfiniBand's
  Picoseconds ccti_timer = Picoseconds(153'600'000);

  friend bool operator==(const ControlPlan&, const ControlPlan&) = default;
  [[nodiscard]] bool has_window() const { return kind > CongestionControl::dcqcn; }
  [[nodiscard]] bool has_receiver_credits() const {
    return kind == CongestionControl::rccc || kind == CongestionControl::nscc_rccc;
  }
};

/// Link-level flow control by credits: a port sends what it knows the far end to have room for.
struct CreditPlan {
  Bytes room;              // of every port and class at the receiving end; zero: no credits
  Bytes step;              // senders are told when this much was freed
  bool on_island = false;  // only the links of a hybrid fabric's second part have them
};

struct NicPlan {
  std::uint32_t ack_every = 16;  // packets; the last of a message is always acknowledged
  Bytes ack = 86_B, cnp = 98_B;  // on the wire
  bool ack_with_data = true;     // in the class of data; else in that of control
  LossRecovery recovery = LossRecovery::go_back_n;
  std::uint32_t reorder = 0;    // packets that may arrive out of order before selective repeat thinks one lost
  std::optional<Bytes> window;  // payload in flight per queue pair; no limit if not given
  Picoseconds timeout = Picoseconds(67'108'864'000);  // until what is not acknowledged is sent again: 4.096 µs · 2^14
  std::uint32_t retries = 7;                          // timeouts in a row after which a queue pair is broken; zero: never
  std::optional<BitsPerSecond> host_rate;             // that PCIe lets a NIC send at, and take in at
  std::optional<BitsPerSecond> flow_rate;             // that a processor manages for one queue pair, where it has to
  bool backs_off = false;                             // every timeout in a row doubles the next
  std::uint32_t entropies = 1;                        // that a sender draws from for every packet
  bool recycles_entropies = false;                    // those first that packets were not marked on
  bool routes_by_entropy = false;                     // switches go by what was drawn
  std::uint32_t admission = 0;                        // messages that a host lets others send to it at once; zero: all
  Bytes receive_buffer = 1_MiB;                       // of a NIC whose host is slow; it pauses its switch at half of it

  friend bool operator==(const NicPlan&, const NicPlan&) = default;
};

/// A host that takes packets in more slowly than others.
struct SlowReceiver {
  std::uint32_t host = 0;
  BitsPerSecond rate;  // zero: never
};

/// What goes wrong at a host for a while.
struct HostFault {
  std::uint32_t host = 0;              // endpoint
  bool storms = false;                 // its NIC pauses its switch, whatever it holds
  std::optional<BitsPerSecond> takes;  // it takes packets in at this rate; zero: not at all
  Picoseconds from;
  Picoseconds until = Picoseconds::max();  // for good
};

/// How long a failed link is used on.
struct FailoverPlan {
  Picoseconds local_repair = 1'000_us;   // by the nodes at its ends: they take another port that leads on
  Picoseconds convergence = 200'000_us;  // by all others: routes over it are withdrawn
};

struct PacketPlan {
  std::array<ClassPlan, kClasses> classes = {ClassPlan{.priority = kCnpPriority, .strict = true, .counted = false},
                                             ClassPlan{.priority = 3, .lossless = true, .weight = 50},
                                             ClassPlan{.priority = 0, .weight = 50}, ClassPlan{.priority = 1, .weight = 50}};
  std::array<std::uint8_t, kClasses> queue_of = {kControlClass, kDataClass, kBackgroundClass,
                                                 kStorageClass};  // whose queue a class uses
  NicPlan nic;
  ControlPlan control;
  DcqcnPlan dcqcn;
  std::vector<DcqcnPlan> dcqcn_sets;  // of hosts that have another one, QosPlan::own_dcqcn
  EcnPlan ecn;
  PfcPlan pfc;
  CreditPlan credits;
  BufferPlan buffer;
  HeadroomPlan headroom;
  QosPlan qos;
  std::vector<SlowReceiver> slow;
  FailoverPlan failover;
  std::vector<HostFault> host_faults = {};  // by time
  Picoseconds flowlet_gap = 50_us;          // idle time after which a flow may take another way
  std::uint64_t seed = 1;
  EngineDevice device = EngineDevice::cpu;
};

}  // namespace railyard
