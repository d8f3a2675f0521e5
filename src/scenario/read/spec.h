// What the user asked for, key by key, with units attached. scenario/resolve makes plans of it; nobody else reads it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/ratio.h"
#include "base/units.h"
#include "catalog/facts.h"
#include "plan/choices.h"
#include "plan/cost_plan.h"
#include "plan/engine_plan.h"
#include "plan/fabric_plan.h"
#include "plan/failure.h"
#include "plan/given_keys.h"
#include "plan/job_plan.h"
#include "plan/reliability_plan.h"
#include "plan/routing_plan.h"
#include "plan/transport_plan.h"
#include "plan/workload_plan.h"
#include "scenario/expectations.h"
#include "scenario/read/qos_spec.h"
#include "scenario/read/rails_spec.h"

namespace railyard {

/// What is not given comes from the preset, else from resolve/resolve_model.h.
struct ModelSpec : ModelFact {
  std::string preset;
};

struct ParallelSpec {
  std::uint32_t tensor = 1, context = 1, pipeline = 1, virtual_pipeline = 1, expert = 1;
  std::optional<std::uint32_t> expert_tensor;  // tensor if experts are not spread otherwise, else 1
  std::optional<std::uint32_t> data;           // derived from the rest if not given, checked if it is
  std::uint32_t zero = 0;
  std::optional<std::uint32_t> shard_group;             // ranks that ZeRO shards over: all data-parallel ones if not given
  PipelineSchedule schedule = ParallelPlan{}.schedule;  // interleaved if not given and there are chunks
  std::vector<std::uint32_t> stage_layers;
  RankOrder order = ParallelPlan{}.order;
  std::optional<bool> sequence;
  TensorOverlap tensor_overlap = ParallelPlan{}.tensor_overlap;
  ContextMethod context_method = ParallelPlan{}.context_method;
  Dispatch expert_dispatch = ParallelPlan{}.expert_dispatch;
  bool expert_overlap = ParallelPlan{}.expert_overlap;
  bool shared_expert_overlap = ParallelPlan{}.shared_expert_overlap;
  bool pipeline_overlap = ParallelPlan{}.pipeline_overlap, data_overlap = ParallelPlan{}.data_overlap;
  Bytes bucket = ParallelPlan{}.bucket;
  bool switch_reduction = ParallelPlan{}.switch_reduction;
};

struct ClusterSpec {
  std::string gpu, nic;
  std::optional<std::uint32_t> gpus, gpus_per_node, nics_per_node, scale_up_domain;
  std::uint32_t host_nics_per_node = 0;
  std::optional<ScaleUpWiring> scale_up;
  std::optional<BitsPerSecond> scale_up_rate;  // of one GPU, one direction
  std::optional<Milliwatts> gpu_power;         // limit of one GPU
  std::optional<Picoseconds> scale_up_latency;
};

/// Links between the two sites of a fabric.
struct HaulSpec {
  std::uint32_t links = 0;
  std::optional<BitsPerSecond> rate;
  Millimetres length;
};

struct FabricSpec {
  Topology topology = Topology::star;
  std::string switch_model;
  std::vector<Ratio> oversubscription;
  std::vector<Millimetres> cable;     // of every tier from below; the last is that of all above
  std::optional<std::uint32_t> gpus;  // on the fabric, where that is more than the job has
  std::optional<std::uint32_t> radix, spine_radix, hosts_per_leaf, hosts_per_pod, uplinks, spine_uplinks, spines, cores, planes;
  std::optional<RailsSpec> rails;
  std::optional<BitsPerSecond> link_rate, uplink_rate, core_rate;
  std::vector<Picoseconds> link_delay;  // by tier, as cables
  std::optional<Picoseconds> switch_latency, host_latency;
  std::optional<Bytes> buffer;  // of packets, in every switch
  Bytes port_mtu = 9216_B;      // largest frame a port takes
  Switching switching = Switching::cut_through;
  std::optional<Picoseconds> credit_delay;
  std::optional<double> cell_overhead;
  Circuits circuits = Circuits::uniform;
  std::optional<Picoseconds> reconfiguration;
  IslandPlan island;
  std::optional<HaulSpec> haul;
  std::string file;
  Drawing drawing;  // what the file says
};

/// Congestion control of InfiniBand; names of its specification, volume 1, annex A10.
struct IbccSpec {
  std::uint32_t ccti_increase = 1, ccti_limit = 127;
  Picoseconds ccti_timer = Picoseconds(153'600'000);
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

struct TransportSpec {
  TransportKind kind = TransportKind::roce;
  Bytes mtu = 4096_B;
  std::optional<Bytes> header, message_header;
  std::uint32_t qps_per_connection = 1;
  QpUse qp_use = QpUse::split;
  StrictPriority strict_priority = StrictPriority::none;  // of the collectives of a training step
  NicSplit nic_split = NicSplit::equal;                   // of what a node sends to the next
  // By the kind of transport where they are not given (transport_defaults.h).
  std::optional<CongestionControl> control;
  std::optional<std::uint32_t> ack_every;
  std::optional<Bytes> ack_size;
  std::optional<AckClass> ack_class;
  std::optional<std::uint32_t> retries;
  std::optional<Picoseconds> retransmit_timeout;
  std::optional<Bytes> queue_limit, credits, credit_step;
  std::optional<bool> trimming;
  std::optional<EntropyChoice> entropy_choice;
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
      case TransportKind::srd:
        return kRoceHeader;
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
  std::optional<Picoseconds> local_repair;         // until the ends of a failed link use others
  std::optional<Picoseconds> convergence;          // until everybody does
  bool wcmp = false;                               // next hops are weighed by what is left behind them
  std::vector<StaticRoute> fixed;                  // [routing.static], in the order of the file
};

struct PlacementSpec {
  PlacementPolicy policy = PlacementPolicy::in_order;
  std::string file;
  std::vector<std::uint32_t> seats;         // what the file says: the GPU of every rank
  std::vector<std::uint32_t> lost_servers;  // whose ranks spares have
};

struct EngineSpec {
  Fidelity fidelity = Fidelity::analytic;
  std::uint64_t seed = 1;
  EngineMode mode = EngineMode::automatic;
  Picoseconds quantum = 10_us;            // completions within it are merged where the mode is quantised
  bool cache = true;                      // equal sets of flows are solved once
  std::optional<double> efficiency;       // share of a port's rate that flows get to use; all of it if there is none
  bool calibrated = false;                // that share is the catalog's for the transport
  std::uint64_t limit = kMostPacketHops;  // packets of a step times the links they cross
  EngineDevice device = EngineDevice::automatic;
};

/// What a scenario says about where one of its own figures comes from. It speaks for keys of the same file alone: who overrides
/// a figure does not inherit its source.
struct ClaimedOrigin {
  Origin origin;
  SourceSpan where;
};

/// Exactly one of model, traffic, trace and collective is there.
struct ScenarioSpec {
  std::string name;
  std::optional<ModelSpec> model;
  TrainingSpec training;
  ParallelSpec parallel;
  std::optional<SliceSpec> slice;    // of the model's step
  std::optional<JitterSpec> jitter;  // of the model's step
  std::optional<ReliabilitySpec> reliability;
  std::vector<GivenPrice> prices;
  CostPlan cost;
  std::optional<TrafficSpec> traffic;
  std::optional<TraceSpec> trace;
  std::optional<CollectiveSpec> collective;
  std::optional<ServingSpec> serving;  // of the model, instead of training
  std::optional<JobPlan> job;          // of several on one fabric: which this is
  HostSpec host;
  ClusterSpec cluster;
  FabricSpec fabric;
  TransportSpec transport;
  QosSpec qos;
  RoutingSpec routing;
  PlacementSpec placement;
  EngineSpec engine;
  std::vector<Failure> failures;
  std::map<std::string, ClaimedOrigin> origins;  // by the path of a key
  ExpectSpec expect;
  GivenKeys keys;
  std::map<std::string, GivenKey> software_keys;  // what training.software sets and the scenario does not

  [[nodiscard]] bool given(const std::string& path) const { return keys.given(path); }
  [[nodiscard]] SourceSpan where(const std::string& path) const { return keys.where(path); }

  /// The first of some keys that was given, else the first of them: where a mistake that they share is pointed at.
  [[nodiscard]] std::string first_given(std::initializer_list<const char*> paths) const {
    for (const char* path : paths)
      if (given(path)) return path;
    return *paths.begin();
  }
};

}  // namespace railyard
