// The words a scenario may choose from. The order of names is the order of values.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/choice.h"

namespace railyard {

enum class Precision : std::uint8_t { fp16, bf16, fp8, fp4 };
enum class NumberFormat : std::uint8_t { fp32, bf16, fp8 };
enum class Scaling : std::uint8_t { tensor, block };
enum class AttentionKernel : std::uint8_t { fused, portable, unfused, triton };
enum class TensorOverlap : std::uint8_t { none, backward, full };
enum class ContextMethod : std::uint8_t { all_gather, ring };
enum class RankOrder : std::uint8_t { data_inside, pipeline_inside };
enum class Dispatch : std::uint8_t { all_to_all, deduplicated };
enum class Recompute : std::uint8_t { none, selective, full };
enum class CudaGraphs : std::uint8_t { none, partial, full };
enum class LossKernels : std::uint8_t { fused, softmax, separate };
enum class ExpertProducts : std::uint8_t { grouped, separate };
enum class PipelineSchedule : std::uint8_t { gpipe, one_f_one_b, interleaved, zero_bubble, dualpipe };
enum class TrafficPattern : std::uint8_t { incast, permutation, all_to_all, ring, uniform, microburst, file, none };
enum class SendersAt : std::uint8_t { anywhere, same_leaf, other_leaves };
enum class StorageAccess : std::uint8_t { write, read };
enum class CollectiveKind : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, send };
enum class CollectiveAlgorithm : std::uint8_t {
  automatic,
  ring,
  tree,
  halving_doubling,
  direct,
  hierarchical,
  pxn,
  nvls,
  in_network
};
enum class LibraryChoice : std::uint8_t { automatic, nccl, rccl, none };
enum class ProtocolChoice : std::uint8_t { automatic, ll, ll128, simple };
enum class Topology : std::uint8_t {
  star,
  leaf_spine,
  clos3,
  fat_tree,
  rail_optimized,
  rail_only,
  multi_plane,
  dual_tor,
  hybrid,
  optical,
  two_site,
  file
};
enum class Switching : std::uint8_t { cut_through, store_and_forward, scheduled };
enum class DcqcnPreset : std::uint8_t {
  nvidia_default,
  paper,
  paper_scaled,
  hpcc,
  hpcc_paper,
  conweave,
  simai,
  amd_pollara,
  spirent
};
enum class CnpMode : std::uint8_t { packet, ack_flag };
enum class RatePacing : std::uint8_t { token_bucket, at_send };
enum class AckClass : std::uint8_t { data, control };
enum class LossRecovery : std::uint8_t { go_back_n, selective_repeat };
enum class CongestionControl : std::uint8_t { none, dcqcn, nscc, dctcp, cubic, swift, hpcc, timely, rccc, nscc_rccc, ibcc };
enum class EntropyChoice : std::uint8_t { random, recycled };
enum class BufferRelease : std::uint8_t { start, end };
enum class WatchdogAction : std::uint8_t { drop, forward };
enum class RoutingPolicy : std::uint8_t { ecmp, enhanced_ecmp, pinned, flowlet, adaptive, spray };
enum class HashFunction : std::uint8_t { crc16_ccitt, crc32, exclusive_or, murmur3 };
enum class HashFields : std::uint8_t { five_tuple, qpn, addresses };
enum class QpUse : std::uint8_t { split, round_robin };
enum class NicSplit : std::uint8_t { equal, by_rate };
enum class StrictPriority : std::uint8_t { none, tensor, context, expert, pipeline, data };
enum class JitterCalls : std::uint8_t { every, first, last };
enum class ScaleUpWiring : std::uint8_t { switched, mesh };
enum class Circuits : std::uint8_t { uniform, ring, demand, phases };
enum class PlacementPolicy : std::uint8_t { in_order, round_robin, random, along_rails, fragmented, file };
enum class Fidelity : std::uint8_t { analytic, flow, packet };
enum class EngineMode : std::uint8_t { automatic, exact, quantised };
/// Who plays packets. `emulated`: the processor, in the way a GPU would, for tests.
enum class EngineDevice : std::uint8_t { automatic, cpu, cuda, emulated };

#define RY_CHOICES(E, ...)                                     \
  template<>                                                   \
  struct ChoiceNames<E> {                                      \
    static constexpr std::string_view names[] = {__VA_ARGS__}; \
  };
RY_CHOICES(Precision, "fp16", "bf16", "fp8", "fp4")
RY_CHOICES(NumberFormat, "fp32", "bf16", "fp8")
RY_CHOICES(Scaling, "tensor", "block")
RY_CHOICES(AttentionKernel, "fused", "portable", "unfused", "triton")
RY_CHOICES(TensorOverlap, "none", "backward", "full")
RY_CHOICES(ContextMethod, "all-gather", "ring")
RY_CHOICES(RankOrder, "tp-cp-dp-pp", "tp-cp-pp-dp")
RY_CHOICES(Dispatch, "all-to-all", "deduplicated")
RY_CHOICES(Recompute, "none", "selective", "full")
RY_CHOICES(CudaGraphs, "none", "partial", "full")
RY_CHOICES(LossKernels, "fused", "softmax", "separate")
RY_CHOICES(ExpertProducts, "grouped", "separate")
RY_CHOICES(PipelineSchedule, "gpipe", "1f1b", "interleaved", "zero-bubble", "dualpipe")
RY_CHOICES(TrafficPattern, "incast", "permutation", "all-to-all", "ring", "uniform", "microburst", "file", "none")
RY_CHOICES(SendersAt, "anywhere", "same-leaf", "other-leaves")
RY_CHOICES(StorageAccess, "write", "read")
RY_CHOICES(CollectiveKind, "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "send")
RY_CHOICES(CollectiveAlgorithm, "auto", "ring", "tree", "halving-doubling", "direct", "hierarchical", "pxn", "nvls",
           "in-network")
RY_CHOICES(LibraryChoice, "auto", "nccl", "rccl", "none")
RY_CHOICES(ProtocolChoice, "auto", "LL", "LL128", "Simple")
RY_CHOICES(Topology, "star", "leaf-spine", "clos3", "fat-tree", "rail-optimized", "rail-only", "multi-plane", "dual-tor",
           "hybrid", "optical", "two-site", "file")
RY_CHOICES(Switching, "cut-through", "store-and-forward", "scheduled")
RY_CHOICES(DcqcnPreset, "nvidia-default", "paper", "paper-scaled", "hpcc", "hpcc-paper", "conweave", "simai", "amd-pollara",
           "spirent")
RY_CHOICES(CnpMode, "packet", "ack-flag")
RY_CHOICES(RatePacing, "token-bucket", "at-send")
RY_CHOICES(AckClass, "data", "control")
RY_CHOICES(LossRecovery, "go-back-n", "selective-repeat")
RY_CHOICES(CongestionControl, "none", "dcqcn", "nscc", "dctcp", "cubic", "swift", "hpcc", "timely", "rccc", "nscc-rccc", "ibcc")
RY_CHOICES(EntropyChoice, "random", "recycled")
RY_CHOICES(BufferRelease, "start", "end")
RY_CHOICES(WatchdogAction, "drop", "forward")
RY_CHOICES(RoutingPolicy, "ecmp", "e-ecmp", "pinned", "flowlet", "adaptive", "spray")
RY_CHOICES(HashFunction, "crc16-ccitt", "crc32", "xor", "murmur3")
RY_CHOICES(HashFields, "five-tuple", "qpn", "addresses")
RY_CHOICES(QpUse, "split", "round-robin")
RY_CHOICES(NicSplit, "equal", "by-rate")
RY_CHOICES(StrictPriority, "none", "tensor", "context", "expert", "pipeline", "data")
RY_CHOICES(JitterCalls, "every", "first", "last")
RY_CHOICES(ScaleUpWiring, "switched", "mesh")
RY_CHOICES(Circuits, "uniform", "ring", "demand", "phases")
RY_CHOICES(PlacementPolicy, "in-order", "round-robin", "random", "along-rails", "fragmented", "file")
RY_CHOICES(Fidelity, "analytic", "flow", "packet")
RY_CHOICES(EngineMode, "auto", "exact", "quantised")
RY_CHOICES(EngineDevice, "auto", "cpu", "cuda", "emulated")
#undef RY_CHOICES

}  // namespace railyard
