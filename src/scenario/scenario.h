// What the user asked for, checked and with units attached. Nothing past this point reads text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "scenario/choices.h"
#include "scenario/drawing.h"
#include "scenario/failures.h"
#include "scenario/packet_plan.h"
#include "scenario/static_routes.h"
#include "scenario/traffic_file.h"

namespace railyard {

struct ModelSpec : ModelFact {
  std::string preset;
};

struct TrainingSpec {
  std::optional<std::uint32_t> global_batch;
  std::uint32_t micro_batch = 1;
  Precision precision = Precision::bf16;
  Scaling fp8_scaling = Scaling::tensor;
  Recompute recompute = Recompute::none;
  AttentionKernel attention = AttentionKernel::fused;
  NumberFormat attention_precision = NumberFormat::bf16;
  bool dropout = false, fused_loss = true, fused_accumulation = true;
  NumberFormat gradients = NumberFormat::fp32;    // as they are summed up and reduced
  NumberFormat parameters = NumberFormat::bf16;   // as they are gathered
  NumberFormat moments = NumberFormat::fp32;      // of the optimizer
  NumberFormat activations = NumberFormat::bf16;  // as tensor parallelism gathers and scatters them
  NumberFormat dispatch = NumberFormat::bf16, combine = NumberFormat::bf16;
  std::optional<double> capacity_factor;  // none: no token is dropped
  double routing_skew = 0;                // Zipf exponent of the experts' popularity
  std::string expert_load;                // or a file with it,
  std::vector<double> expert_shares;      // and what it says
  Picoseconds host_overhead;              // of the host, once per step
  double straggler = 0;                   // how much longer the slowest GPU computes than the others
};

struct ParallelSpec {
  std::uint32_t tensor = 1, context = 1, pipeline = 1, virtual_pipeline = 1, expert = 1;
  std::optional<std::uint32_t> expert_tensor;  // tensor if experts are not spread otherwise, else 1
  std::optional<std::uint32_t> data;           // derived from the rest if not given, checked if it is
  std::uint32_t zero = 0;
  std::optional<std::uint32_t> shard_group;  // ranks that ZeRO shards over: all data-parallel ones if not given
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::vector<std::uint32_t> stage_layers;
  RankOrder order = RankOrder::data_inside;
  std::optional<bool> sequence;
  TensorOverlap tensor_overlap = TensorOverlap::backward;
  ContextMethod context_method = ContextMethod::all_gather;
  Dispatch expert_dispatch = Dispatch::all_to_all;
  bool pipeline_overlap = true, data_overlap = true;
  Bytes bucket = Bytes(160'000'000);
};

/// Storage beside a pattern, in a class of its own. Its servers are the hosts after those of the pattern. Hosts write to them
/// or read from them, in messages of `size`: as they come, to a mean load; or all of a checkpoint at once, dealt to servers in
/// turn.
struct StorageSpec {
  std::uint32_t servers = 1;
  StorageAccess access = StorageAccess::write;
  double load = 0;                  // of each host's link rate
  std::optional<Bytes> checkpoint;  // of each host, `rounds` times, `interval` apart
  Bytes size = 4_MiB;
  std::optional<Picoseconds> start;  // of checkpoints; with the pattern if not given
  std::uint32_t rounds = 1;
  std::optional<Picoseconds> interval;
};

/// Flows of `size` bytes, all of a round at once: incast (fan_in hosts send to one), permutation, all-to-all and ring (every
/// host to the next) have one per pair, uniform has flows_per_host from every host to hosts drawn at random. Microbursts have
/// `bursts` incasts of `burst` bytes from each of fan_in hosts, `interval` apart, receiver and senders drawn anew each time.
struct TrafficSpec {
  TrafficPattern pattern = TrafficPattern::permutation;
  std::optional<Bytes> size;
  std::optional<std::uint32_t> fan_in, hosts;
  std::uint32_t flows_per_host = 1;
  std::uint32_t rounds = 1;             // how often the pattern comes, `interval` after the last time; bursts have none
  std::optional<Picoseconds> interval;  // all rounds at once if not given
  std::optional<Bytes> burst;
  std::uint32_t bursts = 1;
  double background = 0;  // of each host's link rate, sent to hosts drawn at random in a class of its own
  Bytes background_size = 64_KiB;
  std::optional<StorageSpec> storage;
  std::vector<std::uint32_t> slow_hosts;  // that take packets in at slow_rate; zero: never
  std::optional<BitsPerSecond> slow_rate;
  Picoseconds start;
  std::string file;
  std::vector<TrafficLine> lines;  // what the file says

  [[nodiscard]] std::uint32_t servers() const { return storage ? storage->servers : 0; }
  /// Hosts of the pattern, where there are `all`: those that are no servers, if it is not said.
  [[nodiscard]] std::uint32_t hosts_of(std::uint32_t all) const {
    return hosts.value_or(all > servers() ? all - servers() : 0);
  }
};

/// What of a training step is played packet by packet.
struct SliceSpec {
  std::vector<std::string> collectives;  // by name; what moves most bytes if not given, or all where `from` is
  std::vector<std::uint32_t> ranks;      // whose groups take part; all if not given
  std::optional<Picoseconds> from;       // where what is named first starts, if not given
  Picoseconds length = 200_us;
};

/// Which collectives of a training step begin late, and by how much: `delay`, or a time drawn for every call between `least`
/// and `most`.
struct JitterSpec {
  std::vector<std::string> collectives;  // by name, or by the kind of their group; all if not given
  std::vector<std::uint32_t> ranks;      // whose stages are hit; all if not given
  JitterCalls which = JitterCalls::every;
  std::vector<std::uint32_t> calls;  // of a stage, from 0 in the order of its program; instead of `which`
  double share = 1;                  // of these calls, drawn
  std::optional<Picoseconds> delay, least, most;
};

struct CollectiveSpec {
  CollectiveKind kind = CollectiveKind::all_reduce;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::automatic;
  std::vector<Bytes> sizes;
  std::optional<std::uint32_t> group;  // the whole cluster if not given
  LibraryChoice library = LibraryChoice::automatic;
  ProtocolChoice protocol = ProtocolChoice::automatic;
  double skew = 0;  // of an all-to-all: Zipf exponent of the receivers' shares
};

struct ClusterSpec {
  std::string gpu, nic;
  std::optional<std::uint32_t> gpus, gpus_per_node, nics_per_node, scale_up_domain;
  std::uint32_t host_nics_per_node = 0;
  std::optional<ScaleUpWiring> scale_up;
  std::optional<BitsPerSecond> scale_up_rate;  // of one GPU, one direction
  std::optional<Picoseconds> scale_up_latency;
};

/// The second part of a hybrid fabric, and what joins the two.
struct IslandSpec {
  std::optional<std::uint32_t> gpus, hosts_per_leaf;
  std::optional<BitsPerSecond> link_rate;
  std::optional<Picoseconds> switch_latency;
  std::optional<TransportKind> transport;  // of its links
  std::uint32_t gateways = 1;
  std::optional<BitsPerSecond> boundary_rate;
  Picoseconds boundary_latency;
};

struct FabricSpec {
  Topology topology = Topology::star;
  std::string switch_model;
  std::vector<double> oversubscription;
  std::optional<Millimetres> cable;
  std::optional<std::uint32_t> gpus;  // on the fabric, where that is more than the job has
  std::optional<std::uint32_t> radix, spine_radix, hosts_per_leaf, hosts_per_pod, uplinks, spine_uplinks, spines, cores, planes;
  std::optional<bool> rails;
  std::optional<BitsPerSecond> link_rate, uplink_rate, core_rate;
  std::optional<Picoseconds> link_delay, switch_latency, host_latency;
  std::optional<Bytes> buffer;  // of packets, in every switch
  Bytes port_mtu = 9216_B;      // largest frame a port takes
  Switching switching = Switching::cut_through;
  Circuits circuits = Circuits::uniform;
  IslandSpec island;
  std::string file;
  Drawing drawing;  // what the file says
};

/// Congestion control of InfiniBand; names of its specification, volume 1, annex A10.
struct IbccSpec {
  std::uint32_t ccti_increase = 1, ccti_limit = 127;
  Picoseconds ccti_timer = Picoseconds(153'600'000);
};

/// Names, units and meanings as NVIDIA documents them; what is not given comes from the preset.
struct DcqcnSpec {
  bool enabled = true;
  DcqcnPreset preset = DcqcnPreset::nvidia_default;
  std::optional<bool> clamp_tgt_rate, clamp_tgt_rate_after_time_inc;
  std::optional<Picoseconds> rpg_time_reset, dce_tcp_rtt, rate_reduce_monitor_period, min_time_between_cnps;
  std::optional<Bytes> rpg_byte_reset;
  std::optional<std::uint32_t> rpg_threshold, rpg_gd, rpg_min_dec_fac, dce_tcp_g, initial_alpha_value;
  std::optional<std::uint32_t> cnp_dscp, cnp_802p_prio;
  std::optional<CnpMode> cnp_mode;
  std::optional<BitsPerSecond> rpg_max_rate, rpg_ai_rate, rpg_hai_rate, rpg_min_rate, rate_to_set_on_first_cnp;
};

/// Thresholds are dynamic (alpha, xon_offset) or fixed (xoff, xon).
struct PfcSpec {
  bool enabled = true;
  std::vector<std::uint32_t> priorities = {3};  // lossless ones; the first is that of data
  std::optional<double> alpha;
  std::optional<Bytes> xoff, xon, xon_offset, headroom;
  double small_packets = 1;  // share of lossless packets that headroom takes for small ones
  std::optional<Bytes> reserve;
  BufferRelease release = BufferRelease::end;
  std::optional<Picoseconds> response;  // by the port's speed if not given
  Bytes frame_size = 84_B;
  bool watchdog = false;
  Picoseconds watchdog_detection = 200'000_us, watchdog_restoration = 200'000_us, watchdog_poll = 200'000_us;
  WatchdogAction watchdog_action = WatchdogAction::drop;
};

/// How classes of traffic share a port. Data has the first lossless priority, control that of CNPs.
struct ClassesSpec {
  std::uint32_t data_weight = 50, background_weight = 50, storage_weight = 50;
  std::uint32_t background_priority = 0, storage_priority = 1;
  std::optional<std::uint32_t> control_weight;  // none: goes before all other traffic
  bool control_counted = false;
};

struct EcnSpec {
  bool enabled = true;
  std::optional<Bytes> kmin, kmax;
  std::optional<double> pmax;
};

/// RoCEv2 over IPv4, RDMA WRITE: BTH 12 + iCRC 4 + UDP 8 + IPv4 20 + Ethernet 14 + FCS 4 + preamble and gap 20 per packet,
/// RETH 16 in the first packet of a message (docs/models.md, wire size).
inline constexpr Bytes kRoceHeader = 82_B;
inline constexpr Bytes kRoceMessageHeader = 16_B;

/// InfiniBand inside a subnet: LRH 8 + BTH 12 + ICRC 4 + VCRC 2 per packet; RETH as above.
inline constexpr Bytes kInfinibandHeader = 26_B;

/// TCP over IPv4: TCP 32 with time stamps + IPv4 20 + Ethernet 14 + FCS 4 + preamble and gap 20.
inline constexpr Bytes kTcpHeader = 90_B;

/// Ultra Ethernet over IPv4: SES 44 + PDS 12 + UDP 8 + IPv4 20 + Ethernet 14 + FCS 4 + preamble and gap 20.
inline constexpr Bytes kUecHeader = 122_B;

struct TransportSpec {
  TransportKind kind = TransportKind::roce;
  Bytes mtu = 4096_B;
  std::optional<Bytes> header, message_header;
  std::uint32_t qps_per_connection = 1;
  QpUse qp_use = QpUse::split;
  ServedFirst served_first = ServedFirst::nobody;  // of the collectives of a training step
  NicSplit nic_split = NicSplit::equal;            // of what a node sends to the next
  // By the kind of transport where they are not given (transport_defaults.h).
  std::optional<CongestionControl> control;
  std::optional<std::uint32_t> ack_every;
  std::optional<Bytes> ack_size;
  std::optional<AckClass> ack_class;
  std::optional<std::uint32_t> retries;
  std::optional<Picoseconds> retransmit_timeout;
  std::optional<Bytes> queue_limit, credits, credit_step;
  std::optional<bool> trimming;
  std::optional<WayChoice> way_choice;
  std::optional<BitsPerSecond> flow_rate;

  Bytes cnp_size = 98_B;  // on the wire: a packet's headers, and 16 bytes that are reserved
  Bytes trim_size = 128_B;
  std::optional<LossRecovery> loss_recovery;  // by the routing if not given
  std::optional<std::uint32_t> reorder_window;
  std::optional<Bytes> window, first_window;
  std::optional<Picoseconds> delay_target;
  std::optional<BitsPerSecond> host_rate;
  std::uint32_t admission = 0;
  Bytes receive_buffer = 1_MiB;
  DcqcnSpec dcqcn;
  IbccSpec ibcc;
  PfcSpec pfc;
  EcnSpec ecn;
  ClassesSpec classes;

  /// What framing costs: as given, else the transport's own. Whoever gives the one per packet has said all there is: the other
  /// is then none.
  [[nodiscard]] Bytes packet_overhead() const {
    if (header) return *header;
    switch (kind) {
      case TransportKind::roce:
        return kRoceHeader;
      case TransportKind::infiniband:
        return kInfinibandHeader;
      case TransportKind::tcp:
        return kTcpHeader;
      case TransportKind::uec:
        return kUecHeader;
    }
    return kRoceHeader;
  }
  [[nodiscard]] Bytes message_overhead() const {
    const bool rdma = kind == TransportKind::roce || kind == TransportKind::infiniband;
    return message_header.value_or(header || !rdma ? 0_B : kRoceMessageHeader);
  }
};

struct RoutingSpec {
  RoutingPolicy policy = RoutingPolicy::ecmp;
  HashFunction hash = HashFunction::crc32;
  HashFields hash_fields = HashFields::five_tuple;
  std::vector<std::uint32_t> seeds = {0, 10, 25};  // of leaf, spine and core: the roles of SONiC
  std::optional<std::uint32_t> paths;              // that packets of one flow are spread over; all if not given
  Picoseconds flowlet_gap = 50_us;                 // idle time after which a flow may take another way
  std::vector<StaticRouteSpec> fixed;              // [routing.static], in the order of the file
};

struct PlacementSpec {
  PlacementPolicy policy = PlacementPolicy::in_order;
  std::string file;
  std::vector<std::uint32_t> seats;  // what the file says: the GPU of every rank
};

struct EngineSpec {
  Fidelity fidelity = Fidelity::analytic;
  std::uint64_t seed = 1;
  EngineMode mode = EngineMode::automatic;
  Picoseconds quantum = 10_us;       // completions within it are merged where the mode is quantised
  bool cache = true;                 // equal sets of flows are solved once
  std::optional<double> efficiency;  // share of a port's rate that flows get to use; all of it if there is none
  std::optional<bool> calibrated;    // that share is the catalog's for the transport; only of tcp and uec if not given
};

/// What a result should be, for scenarios that are tests. Absent fields expect nothing.
struct ExpectSpec {
  struct Value {
    std::string path;  // into the JSON results: "points[0].time_us"
    std::variant<double, std::string> value;
    double relative = 0, absolute = 0;  // tolerance: the larger of the two holds
    SourceSpan where;
  };
  std::vector<std::string> diagnostics;  // "RY-SCN-012" or, with its line, "RY-SCN-012:14"
  std::string fingerprint;
  std::vector<Value> values;
};

/// How GPUs of one domain reach each other without the scale-out network.
struct ScaleUpPlan {
  std::uint32_t domain = 1;  // GPUs; one has nobody to reach
  ScaleUpWiring wiring = ScaleUpWiring::switched;
  BitsPerSecond rate;  // of one GPU, one direction
  Picoseconds latency;
};

/// The physics of the fabric, every number settled: given by the user, taken from the catalog, or assumed and said so.
struct FabricPlan {
  std::uint32_t endpoints = 0;                           // GPUs, or hosts where there are none
  std::uint32_t per_node = 1;                            // of them in a server
  std::uint32_t interfaces_per_node = 1, host_nics = 0;  // those of GPUs; and NICs of the server itself
  std::uint32_t ports = 1;                               // of one interface
  ScaleUpPlan scale_up;
  std::uint32_t planes = 1;                              // switches that the ports of an interface are dealt to
  BitsPerSecond link_rate, uplink_rate, core_rate;       // of a host's port, of links above leaves, above spines
  Picoseconds link_delay, switch_latency, host_latency;  // host latency counts once at either end
  std::optional<std::uint32_t> radix;                    // switch ports at link_rate; unknown for an unnamed switch
  double oversubscription = 1;                           // of the lowest tier
  double spine_oversubscription = 1;                     // of the next
};

/// One GPU and the links it has, every number settled. Only scenarios with a model have one.
struct GpuPlan {
  GpuFact gpu;
  SpeedFact speed;
  StepFact step;                      // what is lost between the parts of a step
  std::uint32_t scale_up_domain = 1;  // GPUs that reach each other without the scale-out network
  BitsPerSecond scale_out_rate;       // of the NICs of one GPU
  Picoseconds scale_out_latency;      // one message from GPU to GPU across the fabric
};

/// The communication library that carries a collective out, and what it makes of the GPU. None: ranks that send at once.
struct LibraryPlan {
  bool rccl = false;
  CommFact gpu;
  LibraryFact library;
  BitsPerSecond link;  // a GPU's scale-up links, one direction
};

/// A number the run rests on, and how far it can be trusted.
struct Input {
  std::string key;
  std::string value;
  Origin origin;
};

/// What a scenario says about where one of its own figures comes from. It speaks for keys of the same file alone: who overrides
/// a figure does not inherit its source.
struct ClaimedOrigin {
  Origin origin;
  SourceSpan where;
};

/// A key as it was written.
struct Given {
  SourceSpan where;
  std::string value;  // shortened when long
};

/// Exactly one of model, traffic and collective is there.
struct Scenario {
  std::string name;
  std::optional<ModelSpec> model;
  TrainingSpec training;
  ParallelSpec parallel;
  std::optional<TrafficSpec> traffic;
  std::optional<CollectiveSpec> collective;
  std::optional<SliceSpec> slice;  // of the model's step
  ClusterSpec cluster;
  FabricSpec fabric;
  TransportSpec transport;
  RoutingSpec routing;
  PlacementSpec placement;
  EngineSpec engine;
  std::vector<FailureSpec> failures;
  std::map<std::string, ClaimedOrigin> origins;  // by the path of a key
  ExpectSpec expect;

  FabricPlan plan;
  std::optional<GpuPlan> gpu_plan;
  std::optional<LibraryPlan> library;
  PacketPlan packet;                    // settled where engine.fidelity is packet
  std::vector<Input> inputs;            // what the plan was made from
  std::map<std::string, Given> places;  // every key that was written, by its path: "transport.mtu"

  [[nodiscard]] bool given(const std::string& path) const { return places.contains(path); }

  /// Where a key was written, or the file as a whole.
  [[nodiscard]] SourceSpan where(const std::string& path) const {
    const auto found = places.find(path);
    return found == places.end() ? file : found->second.where;
  }
  SourceSpan file;  // line 0

  std::optional<JitterSpec> jitter;  // of the model's step
};

}  // namespace railyard
