// The kinds of thing the catalog knows, one struct each. Optional values are those no source gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/units.h"
#include "catalog/status.h"

namespace railyard {

enum class TransportKind : std::uint8_t { roce, infiniband, tcp, uec, srd };
template<>
struct ChoiceNames<TransportKind> {
  static constexpr std::string_view names[] = {"roce", "infiniband", "tcp", "uec", "srd"};
};

struct GpuFact {
  std::string vendor;
  FlopsPerSecond bf16_dense;
  std::optional<FlopsPerSecond> fp8_dense;
  std::optional<FlopsPerSecond> matmul_bf16;  // the best matrix product anyone measured
  Bytes memory;
  BitsPerSecond memory_rate;
  std::string scale_up;
  BitsPerSecond scale_up_rate;  // per direction, whole GPU
  std::uint32_t scale_up_domain = 1;
  std::optional<BitsPerSecond> nic_rate;
  std::string host_interface;  // that what its NIC receives has to pass; empty if nobody says
  std::optional<Milliwatts> power;
};

/// How fast a GPU works inside a training step: one small set per GPU, calibrated once (docs/models.md, compute time).
struct SpeedFact {
  std::uint32_t compute_units = 0;                   // multiprocessors or compute units
  FlopsPerSecond gemm_bf16;                          // large matrix products for hours on end, power limit included
  std::optional<FlopsPerSecond> gemm_fp8, gemm_fp4;  // the same in other formats
  double block_scaling = 1;                          // rate of fp8 products scaled block by block, over one scale per tensor
  std::uint32_t gemm_depth = 0;                      // inner dimension that starting and ending a tile is worth
  FlopsPerSecond attention_forward, attention_backward;  // fused kernels on long sequences
  double portable_attention = 1;                         // rate of kernels not made for this GPU, over those that are
  std::optional<double> triton_attention;                // the same of Triton kernels of the first generation
  std::optional<double> narrow_attention;                // rate of heads half as wide as usual, over usual ones
  double memory_share = 0;                               // of memory_rate that element-wise kernels reach
  Picoseconds kernel_gap;                                // from one kernel to the next
  double scale_up_share = 0;                             // of scale_up_rate that a large collective reaches
  Picoseconds scale_up_latency;                          // of a collective inside the domain
};

/// What is lost where the parts of a step meet, the same for every GPU (docs/models.md, collectives of a step, overlap).
struct StepFact {
  double contention = 0;                 // of the time a collective and compute run at once: what compute loses
  double gpu_spread = 0;                 // standard deviation of the speed of GPUs of one kind
  double static_power = 0;               // of a GPU's power: what does not depend on its clock
  double scale_out_share = 0;            // of line rate that large collectives reach across a fabric
  Picoseconds hop_overhead;              // of a hop of one, beside the wire
  std::uint32_t lent_units = 0;          // compute units that drive communication while two passes run interleaved …
  std::uint32_t units_lent_from = 1;     // … of so many
  double attention_keys = 0;             // at which fused attention reaches half of its rate
  double attention_head = 0;             // the same for the width of a head
  Picoseconds expert_launch;             // of one kernel by the host, where each expert has kernels of its own …
  Picoseconds expert_row;                // … and what passes over one row of a product take there
  Picoseconds layer_launch;              // of one pass through a layer with experts by the host, without graphs …
  double captured_share = 0;             // … and the part of it that partial graphs save …
  double overlap_launch = 1;             // … and what becomes of it where two passes run interleaved, over both apart
  std::uint32_t activation_kernels = 1;  // of an activation that is not fused; twice as many on the way back
};

/// What a release of training software does unless the scenario says otherwise: keys of [training] and [parallel].
struct SoftwareFact {
  Document sections;
};

/// Which table a communication library looks its choices up in (docs/models.md, what a communication library adds).
enum class TuningTable : std::uint8_t { ampere, hopper, blackwell, cdna };
template<>
struct ChoiceNames<TuningTable> {
  static constexpr std::string_view names[] = {"ampere", "hopper", "blackwell", "cdna"};
};

/// What NCCL or RCCL make of a GPU's links: one small set per GPU, calibrated once (docs/models.md, what a communication
/// library adds). Rates are bus bandwidths of eight GPUs unless they say otherwise.
struct CommFact {
  TuningTable tuning = TuningTable::hopper;
  std::uint32_t channels = 0;                    // blocks of threads a large collective runs on
  std::uint32_t mesh_peers = 0;                  // GPUs with links of their own to this one; 0 behind a switch
  Picoseconds launch;                            // from the call to the first byte, and from the last byte to the end
  Picoseconds ll_step, ll128_step, simple_step;  // from one GPU to the next inside the domain, by protocol
  std::optional<Picoseconds> nvls_latency;       // reduction and multicast in the scale-up switch; none if it has them not
  BitsPerSecond ll_rate, ll128_rate;             // ring inside the domain, by protocol
  BitsPerSecond ring_rate;                       // the same with the simple protocol
  BitsPerSecond all_to_all_rate;                 // all-to-all inside the domain
  std::optional<BitsPerSecond> nvls_rate;        // all-reduce in the scale-up switch
  double net_share = 0;                          // of what the network could carry, in rings, trees and messages
  double net_all_to_all_share = 0;               // the same in an all-to-all
};

/// What a communication library adds on every GPU alike (docs/models.md, the same).
struct LibraryFact {
  Picoseconds level_fill;  // until a level of a tree over nodes has its first piece through, at most
  Picoseconds level_loss;  // what it loses beyond that on its way to the steady rate, per GiB of a buffer …
  Bytes level_loss_up_to;  // … of up to so many
  double chain_share = 0;  // of a ring's rate, for a chain that only passes on
  double flow_error = 0;   // up to so many times its best belief its tables rule nothing out
};

/// Kernels that send tokens to experts and back (docs/models.md, exchange of experts).
struct ExchangeFact {
  double usable_link_share = 0;  // of the scale-up rate: what links carry at all
  double nic_share = 0;          // of what a NIC carries
  double link_share = 0;         // of what the links carry
  double forward_share = 0;      // of that, when what came from the network is passed on
  Picoseconds decode_latency;    // launch, flags and one message each way of the low-latency kernels
};

struct NicFact {
  std::string vendor;
  BitsPerSecond rate;
  std::optional<BitsPerSecond> ethernet_rate;  // of its fastest single Ethernet port, where that is less than `rate`
  std::string host_interface;
  std::vector<TransportKind> transports;
  std::optional<Picoseconds> latency;             // one side of one message: from the application to the wire, or back
  std::optional<Picoseconds> infiniband_latency;  // the same on InfiniBand
  bool in_order = true;                           // bytes of a message are placed in order, as LL and LL128 of NCCL need
  std::optional<bool> any_order;  // packets of a queue pair may arrive in any order; else all behind a gap are sent again
};

struct SwitchFact {
  std::string vendor;
  std::string system;
  BitsPerSecond capacity;
  BitsPerSecond port_rate;  // of the fastest port
  std::uint32_t ports = 0;  // at that rate
  std::optional<Bytes> buffer;
  std::optional<Bytes> lossless_pool;
  std::optional<Bytes> cell;                // what packets fill whole numbers of, where SONiC's formula for Spectrum holds
  std::optional<Picoseconds> tile_latency;  // that its tiles add to the response to a pause, in the same formula
  std::optional<Picoseconds> latency;       // one traversal
  std::optional<Milliwatts> power;
  std::vector<TransportKind> transports;
  bool trimming = false;  // cuts packets down to their headers instead of dropping them
  bool reduces = false;   // adds up what passes through it (SHARP)
};

enum class OpticKind : std::uint8_t { copper, active_optical, transceiver };
template<>
struct ChoiceNames<OpticKind> {
  static constexpr std::string_view names[] = {"copper", "active-optical", "transceiver"};
};

struct OpticFact {
  OpticKind kind = OpticKind::copper;
  BitsPerSecond rate;
  Millimetres reach;
  std::optional<Milliwatts> power;  // per end
  std::string connector;
};

/// What the flow engine makes of a transport: the share of its goodput that packets reach on the reference traffic of
/// `railyard calibrate` (docs/models.md, what congestion control leaves to flows).
struct TransportFact {
  TransportKind kind = TransportKind::roce;
  std::string policy, control;                   // as scenarios name them: routing.policy, transport.control
  double permutation = 0, incast = 0, ring = 0;  // shares reached on each
  double efficiency = 0;                         // of a port's rate that flows get to use: engine.efficiency
  std::string command, version, fingerprint;     // of the runs it was made by
};

/// A server as it is sold: what is in it, and what it draws with all of that.
struct ServerFact {
  std::string gpu;  // of the catalog
  std::uint32_t gpus = 1;
  std::string nic;                  // of the catalog, one a GPU; empty if nobody says
  std::optional<Milliwatts> power;  // at most
};

/// What something costs. At most one of the last four says which part of the catalog it is; what has none is a price of
/// something larger, such as a whole network.
struct PriceFact {
  std::string item;
  Dollars price;
  std::string per;
  std::string date;
  std::string switch_model, nic, optic, server;
};

/// How often parts of a cluster fail so that a job is interrupted: mean times between failures of one part each.
struct FailureFact {
  std::optional<Milliseconds> node_mtbf;      // of a server, whatever fails in it; beside or instead of its parts
  std::optional<Milliseconds> gpu_mtbf;       // of a GPU
  std::optional<Milliseconds> host_mtbf;      // of a server without its GPUs and NICs
  std::optional<Milliseconds> nic_mtbf;       // of a NIC
  std::optional<Milliseconds> link_mtbf;      // of the link between a NIC port and its leaf
  std::optional<Milliseconds> switch_mtbf;    // of a leaf switch
  std::optional<Milliseconds> software_mtbf;  // of the software, per GPU of the job
};

enum class Attention : std::uint8_t { mha, gqa, mla };
template<>
struct ChoiceNames<Attention> {
  static constexpr std::string_view names[] = {"mha", "gqa", "mla"};
};

/// The dimensions of a transformer. Scenarios use the same keys in [model], laid over a preset or alone.
struct ModelFact {
  std::optional<std::uint32_t> layers, hidden, heads, kv_heads, head_dim, ffn, vocabulary, sequence;
  std::optional<bool> gated, tied_embeddings;
  std::optional<std::uint32_t> experts, experts_per_token, shared_experts, expert_ffn, dense_layers;
  std::optional<std::uint32_t> expert_groups, expert_group_limit;
  std::optional<Attention> attention;
  std::optional<std::uint32_t> sliding_window, full_attention_every;
  std::optional<bool> rotary, scaled_rotary, biases;
  std::optional<std::uint32_t> mla_query_rank, mla_kv_rank, mla_nope_dim, mla_rope_dim, mla_value_dim;
  std::optional<std::uint32_t> mtp_layers;
  std::optional<std::uint32_t> encoder_layers, encoder_hidden, encoder_heads, encoder_ffn, encoder_tokens;
  std::optional<double> parameters, active_parameters;
};

}  // namespace railyard
