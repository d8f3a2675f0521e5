// What is run: a training step, a collective, a trace or a pattern of traffic; and the GPU it runs on. Every figure is
// resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "catalog/facts.h"
#include "plan/choices.h"
#include "plan/model_plan.h"
#include "plan/serving_plan.h"
#include "plan/trace_plan.h"
#include "plan/traffic_line.h"

namespace railyard {

struct TrainingSpec {
  std::optional<std::uint32_t> global_batch;
  std::uint32_t micro_batch_size = 1;
  Precision precision = Precision::bf16;
  Scaling fp8_scaling = Scaling::tensor;
  Recompute recompute = Recompute::none;
  bool recompute_early_stop = false;  // full recomputation ends once it has what the backward pass needs
  AttentionKernel attention = AttentionKernel::fused;
  NumberFormat attention_precision = NumberFormat::bf16;
  LossKernels loss = LossKernels::fused;
  bool dropout = false, fused_accumulation = true, fused_activation = true;
  bool fused_rotary = true;                                  // of embeddings that are scaled; others always are
  bool fused_layers = true;                                  // what surrounds products and norms is part of their kernels
  std::string software;                                      // its name in the catalog; empty: of today
  CudaGraphs cuda_graphs = CudaGraphs::full;                 // what the host launches in one go
  ExpertProducts expert_products = ExpertProducts::grouped;  // of the experts of a rank: one kernel, or one each
  NumberFormat gradients = NumberFormat::fp32;               // as they are summed up and reduced
  NumberFormat parameters = NumberFormat::bf16;              // as they are gathered
  NumberFormat moments = NumberFormat::fp32;                 // of the optimizer
  NumberFormat activations = NumberFormat::bf16;             // as tensor parallelism gathers and scatters them
  NumberFormat dispatch = NumberFormat::bf16, combine = NumberFormat::bf16;
  std::optional<double> capacity_factor;  // none: no token is dropped
  double routing_skew = 0;                // Zipf exponent of the experts' popularity
  std::string expert_load;                // or a file with it,
  std::vector<double> expert_shares;      // and what it says: one number per expert, or as many per rank
  Picoseconds host_overhead;              // of the host, once per step
  double straggler = 0;                   // how much longer one slow GPU computes than the others
  std::optional<double> gpu_spread;       // standard deviation of the GPUs' speed; none: the catalog's
  std::optional<double> tokens;           // of the whole training; a step does not read it
};

struct ParallelPlan {
  std::uint32_t tensor = 1, context = 1, pipeline = 1, virtual_pipeline = 1, expert = 1, expert_tensor = 1;
  std::uint32_t zero = 0;
  std::optional<std::uint32_t> shard_group;  // ranks that ZeRO shards over; none: all data-parallel ones
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::vector<std::uint32_t> stage_layers;  // empty: as many for each
  RankOrder order = RankOrder::data_inside;
  bool sequence = true;  // where there is tensor parallelism
  TensorOverlap tensor_overlap = TensorOverlap::backward;
  ContextMethod context_method = ContextMethod::all_gather;
  Dispatch expert_dispatch = Dispatch::all_to_all;
  bool expert_overlap = false;         // dispatch and combine of one micro-batch run beside the compute of another
  bool shared_expert_overlap = false;  // or beside the shared experts of the same one
  bool pipeline_overlap = true, data_overlap = true;
  bool switch_reduction = false;  // switches of the network add up gradients and spread parameters
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
  Picoseconds interval;  // zero: all at once
};

/// Flows of `size` bytes, all of a round at once: incast (fan_in hosts send to one), permutation, all-to-all and ring (every
/// host to the next) have one per pair, uniform has flows_per_host from every host to hosts drawn at random. Microbursts have
/// `bursts` incasts of `burst` bytes from each of fan_in hosts, `interval` apart, receiver and senders drawn anew each time.
struct TrafficSpec {
  TrafficPattern pattern = TrafficPattern::permutation;
  std::optional<Bytes> size;
  std::optional<std::uint32_t> fan_in, hosts;
  SendersAt senders_at = SendersAt::anywhere;  // of an incast, by the leaf of its receiver
  std::uint32_t flows_per_host = 1;
  std::uint32_t rounds = 1;  // how often the pattern comes, `interval` after the last time; bursts have none
  Picoseconds interval;      // zero: all rounds at once
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

/// Which collectives of a training step begin late, and by how much: `delay`, or a time drawn for every call between `min`
/// and `max`.
struct JitterSpec {
  std::vector<std::string> collectives;  // by name, or by the kind of their group; all if not given
  std::vector<std::uint32_t> ranks;      // whose stages are hit; all if not given
  JitterCalls which = JitterCalls::every;
  std::vector<std::uint32_t> calls;  // of a stage, from 0 in the order of its program; instead of `which`
  double share = 1;                  // of these calls, drawn
  std::optional<Picoseconds> delay, min, max;
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

/// How servers are set up, where that costs a communication library something. What is not given is as it should be.
struct HostSpec {
  std::optional<std::uint32_t> nics = {};         // of a server, that the library uses
  std::optional<BitsPerSecond> nic_rate = {};     // that the way between a NIC and the memory of its GPU carries
  std::optional<BitsPerSecond> server_rate = {};  // that a server's CPUs and memory pass on, in one direction
  Picoseconds latency = {};                       // added to every message between servers
  bool nvls = true, p2p = true, pxn = true;
  BitsPerSecond p2p_rate = 80_Gbps;            // of a GPU to others of its server, without P2P
  std::optional<std::uint32_t> channels = {};  // at most
};

/// One GPU and the links it has, every number resolved. Only scenarios with a model have one.
struct GpuPlan {
  GpuFact gpu;
  SpeedFact speed;
  StepFact step;                      // what is lost between the parts of a step
  std::uint32_t scale_up_domain = 1;  // GPUs that reach each other without the scale-out network
  std::uint32_t scale_up_mesh = 0;    // GPUs that its links lead to, and itself; 0: they sit behind switches
  BitsPerSecond scale_out_rate;       // of the NICs of one GPU
  Picoseconds scale_out_latency;      // one message from GPU to GPU across the fabric
};

/// The communication library that carries a collective out, and what it makes of the GPU. None: ranks that send at once.
struct LibraryPlan {
  bool rccl = false;
  CommFact gpu;
  LibraryFact library;
  BitsPerSecond link;    // a GPU's scale-up links, one direction
  bool in_order = true;  // NICs place bytes in order
};

/// Exactly one of model, traffic, trace and collective is there, or none where only the fabric is asked for. A model is
/// trained, or served, or does one pass of serving.
struct WorkloadPlan {
  std::optional<ModelPlan> model;
  std::optional<ServingSpec> serving;  // of the model: played in parts (plan/serving_parts.h)
  std::optional<PassPlan> pass;        // one of those parts
  TrainingSpec training;
  ParallelPlan parallel;
  std::optional<SliceSpec> slice;    // of the model's step
  std::optional<JitterSpec> jitter;  // of the model's step
  std::optional<TrafficSpec> traffic;
  std::optional<TraceSpec> trace;
  std::optional<CollectiveSpec> collective;
  std::optional<std::uint32_t> gpus;   // of the job; all of the fabric if not given
  std::string gpu_model;               // its name in the catalog; empty: hosts without GPUs
  std::optional<GpuPlan> gpu;          // of a model
  std::optional<LibraryPlan> library;  // of a collective
  HostSpec host;                       // of what that library runs on
  std::uint64_t seed = 1;

  /// Ranks of a collective: its group, else the job's GPUs, else all `endpoints` there are.
  [[nodiscard]] std::uint32_t group_size(std::uint32_t endpoints) const {
    return collective && collective->group ? *collective->group : gpus.value_or(endpoints);
  }
};

}  // namespace railyard
