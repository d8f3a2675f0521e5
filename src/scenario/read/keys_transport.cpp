#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"

namespace railyard {

namespace {

using namespace conditions;

const Limits<Bytes> kControlSize{.min = 1_B, .max = 9216_B};

const KeyEffect kMessageHeaders{kOnFabric & ~kFlowStep & ~kFlowServing,
                                {},
                                kAnyTransport,
                                "messages of a training step are so long that only headers of packets count"};
const KeyEffect kReordering{kPackets,
                            {kNoWindow},
                            kAnyTransport,
                            "only packets arrive out of order; where routing spreads them, go-back-n may leave a fifteenth of "
                            "the rate, which flows and closed forms do not see (railyard claims adaptive-reorders)"};
const KeyEffect kPairUse{kOnFabric & ~kFlowStep & ~kFlowServing,
                         {kPairWays, kPairs},
                         kAnyTransport,
                         "flows of a step are spread over all queue pairs"};
const KeyEffect kStrictPriority{kFlowStep | kPacketStep,
                                {},
                                kAnyTransport,
                                "it is for collectives of a training step; classes of traffic have weights instead"};
const KeyEffect kNicSplit{kFlowStep | kPacketStep | kFlowCollective | kPacketCollective, {kNicShares}};
const KeyEffect kDcqcnKeys{kPackets, {kDcqcn}, set_of(TransportKind::roce)};
const KeyEffect kPfcKeys{kPackets, {kPauses}};

using TransportKeys = std::vector<TableKey<TransportSpec>>;

/// What goes on the wire, and over how many queue pairs.
TransportKeys framing_keys() {
  return {
      only({}, key("kind", &TransportSpec::kind, "which transport")),
      only({}, key("mtu", &TransportSpec::mtu, "payload bytes per packet", {.min = 64_B, .max = 65536_B})),
      only({}, key("header", &TransportSpec::header,
                   "wire bytes per packet beside the payload; the transport's own if not given", {.max = 4096_B})),
      only(kMessageHeaders,
           key("message_header", &TransportSpec::message_header,
               "more of them in the first packet of a message; the transport's own, or none beside a given header",
               {.max = 4096_B})),
      only(KeyEffect{kOnFabric, {kPairWays}}, key("qps_per_connection", &TransportSpec::qps_per_connection,
                                                  "queue pairs a connection is spread over", {.min = 1, .max = 1024})),
      only(kPairUse, key("qp_use", &TransportSpec::qp_use, "every message is split over them, or they take turns")),
      only(kStrictPriority, key("strict_priority", &TransportSpec::strict_priority,
                                "collective groups whose traffic has a class of its own, with strict priority over all other")),
      only(kNicSplit, key("nic_split", &TransportSpec::nic_split,
                          "what the NICs of a node carry of a collective: as much each, or what failures have left them"))};
}

/// What holds senders back, what is acknowledged, and what is sent again.
TransportKeys sender_keys() {
  return {
      key("control", &TransportSpec::control,
          "what limits a sender: DCQCN on RoCE, NSCC on UEC, DCTCP on TCP and nothing on InfiniBand if not given"),
      key("ack_every", &TransportSpec::ack_every,
          "packets that one ACK answers; the last of a message always gets one; the transport's own if not given",
          {.min = 1, .max = 1U << 20}),
      key("ack_size", &TransportSpec::ack_size, "of an ACK, on the wire; the transport's own if not given", kControlSize),
      only(KeyEffect{kPackets, {kCnpPackets}},
           key("cnp_size", &TransportSpec::cnp_size, "of a CNP, on the wire", kControlSize)),
      key("ack_class", &TransportSpec::ack_class, "whether ACKs wait with data or go with CNPs"),
      only(kReordering, key("loss_recovery", &TransportSpec::loss_recovery,
                            "what is sent again: everything from the first lost packet on, or lost packets alone")),
      key("retries", &TransportSpec::retries,
          "timeouts in a row after which a queue pair is given up, as verbs' retry count; 0 is never", {.max = 1000}),
      only(KeyEffect{kPackets, {kRepeats}},
           key("reorder_window", &TransportSpec::reorder_window,
               "of selective repeat: packets that may arrive before one that is missing counts as lost", {.max = 1U << 20})),
      only(KeyEffect{kFlows | kPackets},
           key("window", &TransportSpec::window, "payload a queue pair has in flight at most; no limit if not given",
               {.max = kLargestQueue})),
      key("first_window", &TransportSpec::first_window,
          "payload in flight at the start, of controls that limit it; by their rule if not given", {.max = kLargestQueue}),
      key("delay_target", &TransportSpec::delay_target,
          "time that packets may wait in queues, of NSCC and Swift, a share of the round trip if not given; of TIMELY the "
          "round trip below which it speeds up, a tenth of that above which it always slows down, 50 us if not given",
          kPeriod),
      only(KeyEffect{kPackets, {kSprays}, set_of(TransportKind::uec)},
           key("entropy_choice", &TransportSpec::entropy_choice,
               "how a UEC sender chooses the entropy value of a packet: at random, or recycled from packets that were not "
               "ECN-marked (REPS)")),
      key("flow_rate", &TransportSpec::flow_rate,
          "what a processor manages for one connection, where it has to: TCP; no limit if not given", kRate),
      key("admission", &TransportSpec::admission,
          "messages that a host lets others send to it at once; senders ask for a grant and wait for it; 0 means no limit",
          {.max = 1U << 20}),
      key("queue_limit", &TransportSpec::queue_limit,
          "of every port and class: data that finds more waiting is dropped, or trimmed; the shared buffer's if not given",
          {.max = kLargestQueue}),
      only(KeyEffect{kPackets, {kQueueEnds}}, key("trimming", &TransportSpec::trimming,
                                                  "switches trim packets to their headers instead of dropping them; on for UEC "
                                                  "if not given, unless the switch of the catalog is not known to")),
      only(KeyEffect{kPackets, {kTrims}},
           key("trim_size", &TransportSpec::trim_size, "size of a trimmed packet, on the wire", kControlSize)),
      key("credits", &TransportSpec::credits,
          "buffer space for one port and class at the receiving end of a link, on InfiniBand; its share of the buffer if not "
          "given",
          {.max = kLargestQueue}),
      key("credit_step", &TransportSpec::credit_step,
          "buffer space freed before a credit update is sent; an eighth of the credits if not given", {.max = kLargestQueue}),
      key("retransmit_timeout", &TransportSpec::retransmit_timeout,
          "until what is not acknowledged is sent again; 4.096 us x 2^n on RDMA NICs", kPeriod),
      key("host_rate", &TransportSpec::host_rate, "what PCIe lets a NIC send of data, and take in; no limit if not given",
          kRateOrBytes),
      only(KeyEffect{kPacketTraffic, {kSlowHosts}},
           key("receive_buffer", &TransportSpec::receive_buffer,
               "of a NIC whose host is slow; it pauses its switch when half of it is full",
               {.min = 1_B, .max = kLargestQueue}))};
}

Section transport() {
  TransportKeys keys = framing_keys();
  for (const TableKey<TransportSpec>& key : sender_keys()) keys.push_back(key);
  return section(
      "transport", "the protocol on the wire", {kPackets}, [](ScenarioSpec& s) -> TransportSpec& { return s.transport; },
      std::move(keys));
}

Section dcqcn() {
  return section(
      "transport.dcqcn", "DCQCN congestion control; names and units as NVIDIA documents them", kDcqcnKeys,
      [](ScenarioSpec& s) -> DcqcnSpec& { return s.transport.dcqcn; }, dcqcn_keys());
}

Section ibcc() {
  using I = IbccSpec;
  return section(
      "transport.ibcc", "congestion control of InfiniBand, control = \"ibcc\"; names of its specification",
      {kPackets, {}, set_of(TransportKind::infiniband)}, [](ScenarioSpec& s) -> I& { return s.transport.ibcc; },
      {key("ccti_increase", &I::ccti_increase, "steps that a BECN adds to the index of a queue pair", {.min = 1, .max = 1000}),
       key("ccti_limit", &I::ccti_limit, "the highest index; at index i every packet costs the time of 1 + i",
           {.min = 1, .max = 16383}),
       key("ccti_timer", &I::ccti_timer, "time after which every index goes down by one", kPeriod)});
}

Section pfc() {
  using P = PfcSpec;
  return section(
      "transport.pfc", "priority flow control, and how a switch shares its buffer", kPfcKeys,
      [](ScenarioSpec& s) -> P& { return s.transport.pfc; },
      {only(KeyEffect{kPackets}, key("enabled", &P::enabled, "off makes the fabric lossy")),
       only(KeyEffect{kPackets},
            key("priorities", &P::priorities,
                "lossless priorities, each with headroom at every port; data has the first of them", {.max = 7})),
       only(KeyEffect{kPackets, {kDynamicThreshold}},
            key("alpha", &P::alpha,
                "dynamic threshold: one port and class may take this many times what is free; 1/8 if not given",
                {.min = 1.0 / 256, .max = 256.0})),
       only(kPfcKeys.when(kXonOffset),
            key("xon_offset", &P::xon_offset, "dynamic threshold: a pause is lifted this far below it; 3 KiB if not given",
                {.max = kLargestQueue})),
       only(KeyEffect{kPackets},
            key("xoff", &P::xoff, "backlog at which a pause is sent, instead of alpha", {.max = kLargestQueue})),
       key("xon", &P::xon, "backlog at which it is lifted; xon_offset below xoff if not given", {.max = kLargestQueue}),
       key("headroom", &P::headroom, "buffer for what arrives after the pause; computed from speed, cable and MTU if not given",
           {.max = kLargestQueue}),
       only(kPfcKeys.when(kComputedHeadroom).when(kCells),
            key("small_packets", &P::small_packets,
                "share of packets that headroom takes for small ones, which fill a cell each, on Spectrum",
                {.min = 0.0, .max = 1.0})),
       only(KeyEffect{kPackets},
            key("reserve", &P::reserve, "buffer that every port and class has to itself; none if not given, 19 KiB on Spectrum",
                {.max = kLargestQueue})),
       only(KeyEffect{kPackets},
            key("release", &P::release, "whether a packet leaves the buffer with its first or its last bit")),
       key("response", &P::response, "from a pause's arrival until the port obeys; by its speed if not given", kDelay),
       key("frame_size", &P::frame_size, "of a pause, on the wire; 0 sends it beside the traffic, at no cost", {.max = 9216_B}),
       key("watchdog", &P::watchdog, "break pauses that last too long"),
       only(kPfcKeys.when(kWatchdog),
            key("watchdog_detection", &P::watchdog_detection, "how long a queue must be paused to count as stormed", kPeriod)),
       only(kPfcKeys.when(kWatchdog),
            key("watchdog_restoration", &P::watchdog_restoration, "how long it must not be, to count as well", kPeriod)),
       only(kPfcKeys.when(kWatchdog), key("watchdog_poll", &P::watchdog_poll, "how often the watchdog looks", kPeriod)),
       only(kPfcKeys.when(kWatchdog),
            key("watchdog_action", &P::watchdog_action, "what becomes of packets in a storm: dropped, or sent all the same"))});
}

Section ecn() {
  return section("transport.ecn", "marking in switches", KeyEffect{kPackets, {kMarks}},
                 [](ScenarioSpec& s) -> EcnSpec& { return s.transport.ecn; },
                 {only(KeyEffect{kPackets, {kReadsMarks}}, key("enabled", &EcnSpec::enabled, "mark at all")),
                  key("kmin", &EcnSpec::kmin, "backlog at which marking starts", {.max = kLargestQueue}),
                  key("kmax", &EcnSpec::kmax, "backlog from which every packet is marked", {.max = kLargestQueue}),
                  key("pmax", &EcnSpec::pmax, "marking probability just below kmax", {.min = 0.0, .max = 1.0})});
}

Section classes() {
  using C = ClassesSpec;
  const Limits<std::uint32_t> weight{.min = 1, .max = 1000};
  return section(
      "transport.classes", "how data, control packets, background traffic and storage share a port", {kPackets},
      [](ScenarioSpec& s) -> C& { return s.transport.classes; },
      {only(KeyEffect{kPackets, {kSharedPort}}, key("data_weight", &C::data_weight, "share of data", weight)),
       only(KeyEffect{kPacketTraffic | kPacketCollective, {kBackground}},
            key("background_weight", &C::background_weight, "share of background traffic", weight)),
       key("background_priority", &C::background_priority,
           "priority of background traffic; it is lossless if transport.pfc.priorities has it, and in one queue with "
           "data if it is that of data",
           {.max = 7}),
       only(KeyEffect{kPacketTraffic, {kStorage}}, key("storage_weight", &C::storage_weight, "share of storage", weight)),
       only(KeyEffect{kPacketTraffic, {kStorage}},
            key("storage_priority", &C::storage_priority,
                "priority of storage; it is lossless if transport.pfc.priorities has it, and in one queue with data or "
                "background traffic if it is theirs",
                {.max = 7})),
       only(KeyEffect{kPackets, {kControlPackets}},
            key("control_weight", &C::control_weight,
                "share of CNPs, and of ACKs where they go with them; strictly first if not given", weight)),
       only(KeyEffect{kPackets, {kControlPackets}},
            key("control_counted", &C::control_counted,
                "whether these packets use the shared buffer and can be dropped; otherwise they have a buffer of their own"))});
}

}  // namespace

std::vector<TableKey<DcqcnSpec>> dcqcn_keys() {
  using D = DcqcnSpec;
  return {
      only(KeyEffect{kFlows | kPackets, {kOwnControl}, set_of(TransportKind::roce)},
           key("enabled", &D::enabled, "off leaves flow control to PFC alone")),
      key("notification_point", &D::notification_point, "receivers answer marks with CNPs; on if not given"),
      key("reaction_point", &D::reaction_point, "senders slow down on CNPs; on if not given"),
      key("preset", &D::preset, "the values below where they are not given"),
      key("clamp_tgt_rate", &D::clamp_tgt_rate, "every rate reduction also lowers the target rate"),
      key("clamp_tgt_rate_after_time_inc", &D::clamp_tgt_rate_after_time_inc, "the same, after an increase by timer"),
      key("rpg_time_reset", &D::rpg_time_reset, "time between increases", kPeriod),
      key("rpg_byte_reset", &D::rpg_byte_reset, "bytes between increases; 0 turns the counter off", {.max = kLargestQueue}),
      key("rpg_threshold", &D::rpg_threshold, "increases before fast recovery ends", {.max = 31}),
      only(KeyEffect{kFlows | kPackets, {kDcqcn, kRateLimit}, set_of(TransportKind::roce)},
           key("rpg_max_rate", &D::rpg_max_rate, "upper limit; 0 is line rate", {.max = kRate.max})),
      key("rpg_ai_rate", &D::rpg_ai_rate, "additive increase", {.max = kRate.max}),
      key("rpg_hai_rate", &D::rpg_hai_rate, "hyper increase", {.max = kRate.max}),
      key("rpg_gd", &D::rpg_gd, "weight of alpha in a rate reduction: alpha / 2^(rpg_gd - 10)", {.min = 10, .max = 11}),
      key("rpg_min_dec_fac", &D::rpg_min_dec_fac, "a rate reduction keeps at least this share of the rate, in per cent",
          {.max = 100}),
      key("rpg_min_rate", &D::rpg_min_rate, "lower limit", {.max = kRate.max}),
      key("rate_to_set_on_first_cnp", &D::rate_to_set_on_first_cnp, "rate after the first CNP; 0 leaves it",
          {.max = kRate.max}),
      key("dce_tcp_g", &D::dce_tcp_g, "weight of the old alpha, in 1/1024", {.max = 1023}),
      key("dce_tcp_rtt", &D::dce_tcp_rtt, "time between updates of alpha", kPeriod),
      key("rate_reduce_monitor_period", &D::rate_reduce_monitor_period, "minimum time between rate reductions", kPeriod),
      key("initial_alpha_value", &D::initial_alpha_value, "first alpha, in 1/1024", {.min = 1, .max = 1023}),
      only(kDcqcnKeys.when(kCnpPackets), key("min_time_between_cnps", &D::min_time_between_cnps,
                                             "minimum time between CNPs of one flow", {.max = kPeriod.max})),
      only(KeyEffect{0},
           key("cnp_dscp", &D::cnp_dscp, "DSCP of CNPs: switches here know them by their class, so that nothing depends on it",
               {.max = 63})),
      only(KeyEffect{kPackets}, key("cnp_802p_prio", &D::cnp_802p_prio, "priority of CNPs", {.max = 7})),
      key("cnp_mode", &D::cnp_mode, "CNPs are packets, or a flag on every ACK of a marked packet, as in HPCC's ns-3"),
      key("pacing", &D::pacing,
          "what a packet holds back the next one by: tokens that flow at the rate of the moment, or its size over the rate it "
          "left with, as in HPCC's ns-3")};
}

std::vector<Section> transport_sections() { return {transport(), dcqcn(), ibcc(), pfc(), ecn(), classes()}; }

}  // namespace railyard
