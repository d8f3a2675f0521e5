#include "scenario/read/effect_conditions.h"

#include <algorithm>

#include "plan/scenario.h"

namespace railyard::conditions {

namespace {

using S = const Scenario&;

bool is_hashed_policy(S s) {
  return s.routing.policy == RoutingPolicy::ecmp || s.routing.policy == RoutingPolicy::enhanced_ecmp;
}
bool is_pinned(S s) { return s.routing.policy == RoutingPolicy::pinned; }
bool is_packet_run(S s) { return (run_of(s) & kPackets) != 0; }

/// Flows that are spread over some of the equal paths: those that hashes choose.
bool spreads_by_hash(S s) { return (run_of(s) & kFlows) && s.routing.paths && !is_hashed_policy(s) && !is_pinned(s); }

bool has_experts(S s) { return s.workload.model->experts > 0; }
bool is_latent(S s) { return s.workload.model->attention == Attention::mla; }

/// Ranks that hold the same parameters.
std::uint32_t replicas(S s) {
  return s.workload.gpus.value_or(1) / (s.workload.parallel.tensor * s.workload.parallel.pipeline);
}

bool has_storage(S s) { return s.workload.traffic && s.workload.traffic->storage; }
/// One of several jobs does not know which class the others have.
bool has_background(S s) { return s.job || (s.workload.traffic && s.workload.traffic->background > 0); }

bool is_split(S s) { return s.fabric.topology == Topology::multi_plane || s.fabric.topology == Topology::dual_tor; }

}  // namespace

const EffectCondition kExperts{has_experts, "with experts", "the model has no experts"};
const EffectCondition kSpreadExperts{[](S s) { return s.workload.parallel.expert > 1; }, "with parallel.expert above 1",
                                     "parallel.expert is 1: tokens stay on their rank"};
const EffectCondition kSharedExperts{[](S s) {  // a file that goes without what it extends says false
                                       return !s.workload.parallel.shared_expert_overlap ||
                                              (has_experts(s) && s.workload.model->shared_experts > 0);
                                     },
                                     "with shared_experts", "the model has no shared experts"};
const EffectCondition kLimitedRouting{
    [](S s) {
      const bool limited = s.workload.model->expert_group_limit < s.workload.model->expert_groups;
      return limited && s.workload.parallel.expert > 1 && s.workload.parallel.expert_dispatch == Dispatch::deduplicated;
    },
    "with both and parallel.expert_dispatch = \"deduplicated\"",
    "tokens may go to experts of any group, or are sent once per expert"};
const EffectCondition kLatentAttention{is_latent, "with attention = \"mla\"", "attention is not \"mla\""};
const EffectCondition kPlainAttention{[](S s) { return !is_latent(s); }, "unless attention = \"mla\"",
                                      "latent attention has its own widths"};
const EffectCondition kDenseLayers{
    [](S s) { return !has_experts(s) || s.workload.model->dense_layers > 0 || s.workload.model->experts_follow_ffn; },
    "with dense layers, or without expert_ffn", "every layer has experts, and expert_ffn is their width"};
const EffectCondition kEncoder{[](S s) { return s.workload.model->encoder.layers > 0; }, "with encoder_layers",
                               "the model has no encoder_layers"};
const EffectCondition kWindow{[](S s) { return s.workload.model->window > 0; }, "with sliding_window",
                              "the model has no sliding_window"};
const EffectCondition kScaledRotary{
    [](S s) { return s.workload.model->rotary && s.workload.model->scaled_rotary && !is_latent(s); }, "with scaled_rotary",
    "rotary embeddings of the model are not scaled"};

const EffectCondition kRotaryApart{
    [](S s) { return s.workload.model->rotary && !s.workload.training.fused_rotary && !is_latent(s); },
    "with training.fused_rotary = false",
    "software has one kernel for rotary embeddings of either kind (training.fused_rotary), or the model has none"};

const EffectCondition kFusedAttention{[](S s) { return s.workload.training.attention != AttentionKernel::unfused; },
                                      "with fused attention", "attention is \"unfused\", which counts no rotary embeddings"};
const EffectCondition kLayersApart{[](S s) { return !s.workload.training.fused_layers; }, "with training.fused_layers = false",
                                   "gradients of biases are part of other kernels (training.fused_layers)"};
const EffectCondition kFullPrecision{[](S s) {
                                       const Precision precision = s.workload.training.precision;
                                       return precision == Precision::fp16 || precision == Precision::bf16;
                                     },
                                     "with precision = \"bf16\" or \"fp16\"",
                                     "in low precision gradients of biases come with the conversion"};

const EffectCondition kFp8{[](S s) { return s.workload.training.precision == Precision::fp8; }, "with precision = \"fp8\"",
                           "precision is not \"fp8\""};
const EffectCondition kFormatOfAttention{
    [](S s) {
      constexpr std::uint32_t kUsualHead = 128;  // below it attention in fp8 gains nothing
      const ModelPlan& model = *s.workload.model;
      return s.workload.training.attention != AttentionKernel::unfused &&
             (std::max(model.query_dim(), model.value_dim()) >= kUsualHead || model.window > 0);
    },
    "with fused attention, and heads of 128 or more or a sliding window",
    "attention is \"unfused\", or its heads are narrower than 128"};
const EffectCondition kFullRecompute{[](S s) { return s.workload.training.recompute == Recompute::full; },
                                     "with recompute = \"full\"", "recompute is not \"full\""};
const EffectCondition kDenseBlocks{[](S s) { return !has_experts(s) || s.workload.model->dense_layers > 0; },
                                   "with dense layers", "every layer has experts"};
const EffectCondition kTensor{[](S s) { return s.workload.parallel.tensor > 1; }, "with parallel.tensor above 1",
                              "parallel.tensor is 1"};
const EffectCondition kTensorAlone{
    [](S s) {
      const std::optional<ServingSpec>& v = s.workload.serving;
      return v && ((v->prefill_tensor > 1 && v->prefill_expert == 1) || (v->decode_tensor > 1 && v->decode_expert == 1));
    },
    "with a tensor degree above 1 and an expert degree of 1", "no side has a tensor degree above 1 and an expert degree of 1"};
const EffectCondition kContext{[](S s) { return s.workload.parallel.context > 1; }, "with parallel.context above 1",
                               "parallel.context is 1"};
const EffectCondition kStages{[](S s) { return s.workload.parallel.pipeline > 1; }, "with parallel.pipeline above 1",
                              "parallel.pipeline is 1"};
const EffectCondition kReplicas{[](S s) { return replicas(s) > 1; }, "where ranks share parameters",
                                "no two ranks hold the same parameters"};
const EffectCondition kSharded{[](S s) { return s.workload.parallel.zero > 0; }, "with parallel.zero above 0",
                               "parallel.zero is 0"};

const EffectCondition kScaleUp{
    [](S s) { return (s.workload.gpu ? s.workload.gpu->scale_up_domain : s.fabric.scale_up.domain) > 1; },
    "with a scale-up domain", "scale-up domains hold a single GPU, or a drawn fabric has the links"};
const EffectCondition kSplitLinks{[](S s) { return !(run_of(s) & (kClosedStep | kClosedServing)) || is_split(s); },
                                  "analytic steps: only with \"multi-plane\" and \"dual-tor\"",
                                  "the closed form of a step has no fabric"};
const EffectCondition kFrames{
    [](S s) {
      const Bytes packet = s.transport.mtu + s.transport.header + s.transport.message_header;
      return packet > HeadroomPlan{}.port_mtu || (is_packet_run(s) && s.packet.pfc.enabled && !s.packet.buffer.headroom);
    },
    "for larger frames, or where headroom is computed from it", "frames fit the default, and no headroom is computed from it"};
const EffectCondition kNamedGpu{[](S s) { return !s.workload.gpu_model.empty(); }, "with cluster.gpu",
                                "no cluster.gpu is set, so there is no library"};
const EffectCondition kNoP2p{[](S s) { return !s.workload.host.p2p; }, "with p2p = false", "p2p is on"};
const EffectCondition kChangingCircuits{[](S s) { return s.fabric.circuits == Circuits::phases; }, "with circuits = \"phases\"",
                                        "circuits are set once"};
const EffectCondition kFailing{[](S s) { return !s.failures.empty(); }, "with [failures]", "there are no [failures]"};
const EffectCondition kNicShares{[](S s) { return !s.failures.empty() && (s.workload.model || s.workload.library); },
                                 "with [failures], for steps and libraries",
                                 "there are no [failures], or no library that splits messages over NICs"};

const EffectCondition kChoice{[](S s) { return s.fabric.topology != Topology::star || s.fabric.ports > 1; },
                              "unless topology = \"star\"", "a star has a single path between two hosts"};
const EffectCondition kHashed{[](S s) { return is_hashed_policy(s) || spreads_by_hash(s); },
                              "with policy = \"ecmp\" or routing.paths", "switches do not hash with this routing.policy"};
const EffectCondition kHashedWays{
    [](S s) { return is_hashed_policy(s) || spreads_by_hash(s) || (is_packet_run(s) && is_split(s) && !is_pinned(s)); },
    "with policy = \"ecmp\", routing.paths or planes", "switches do not hash with this routing.policy"};
const EffectCondition kConfigured{[](S s) {
                                    return is_packet_run(s) || s.transport.kind == TransportKind::roce || is_hashed_policy(s) ||
                                           spreads_by_hash(s);
                                  },
                                  "over flows with kind = \"roce\" or a hash",
                                  "without packets files give hash and MTU alone, and this transport asks for neither"};
const EffectCondition kPairs{[](S s) { return s.routing.qps_per_connection > 1; }, "with qps_per_connection above 1",
                             "a connection has one queue pair"};
const EffectCondition kPairWays{[](S s) {
                                  return is_packet_run(s) || is_hashed_policy(s) || is_pinned(s) || spreads_by_hash(s) ||
                                         ((run_of(s) & kFlows) != 0 && s.transport.window);
                                },
                                "where paths are chosen by queue pair, or each has a window",
                                "equal paths are balanced perfectly, whatever queue pairs a connection has"};
const EffectCondition kManyWays{
    [](S s) {
      if (is_hashed_policy(s) || is_pinned(s)) return false;
      return !is_packet_run(s) || run_of(s) == kPacketStep || s.packet.nic.routes_by_entropy;
    },
    "with policy = \"flowlet\", \"adaptive\" or \"spray\"; packets: with kind = \"uec\" and \"spray\"",
    "a flow has one path, or its packets use all paths"};
const EffectCondition kWeighedHops{
    [](S s) { return !is_pinned(s) && (is_packet_run(s) || is_hashed_policy(s) || spreads_by_hash(s)); },
    "unless policy = \"pinned\"; flows: with policy = \"ecmp\" or routing.paths",
    "paths are pinned, or flows are balanced perfectly over what is left"};
const EffectCondition kQuantised{[](S s) { return s.engine.mode != EngineMode::exact; }, "unless mode = \"exact\"",
                                 "mode = \"exact\" does not merge completions"};

const EffectCondition kMarks{[](S s) { return s.packet.ecn.enabled; }, "where switches mark",
                             "switches do not mark: ECN is off, or the congestion control does not use marks"};
const EffectCondition kReadsMarks{[](S s) { return s.packet.ecn.read; }, "where the congestion control uses ECN marks",
                                  "this congestion control does not use ECN marks"};
const EffectCondition kPauses{[](S s) { return s.packet.pfc.enabled; }, "where PFC pauses", "PFC is off"};
const EffectCondition kDynamicThreshold{[](S s) { return !s.packet.buffer.xoff; }, "unless xoff is given",
                                        "xoff sets a fixed threshold"};
const EffectCondition kXonOffset{[](S s) { return !s.keys.given("transport.pfc.xon"); }, "unless xon is given",
                                 "xon sets where a pause ends"};
const EffectCondition kComputedHeadroom{[](S s) { return !s.packet.buffer.headroom; }, "unless headroom is given",
                                        "headroom is set"};
const EffectCondition kCells{[](S s) { return s.packet.headroom.cell > Bytes::zero(); }, "on Spectrum",
                             "the catalog has no cell size for this switch"};
const EffectCondition kWatchdog{[](S s) { return s.packet.pfc.watchdog; }, "with watchdog = true", "the watchdog is off"};

const EffectCondition kOwnControl{[](S s) { return !is_packet_run(s) || !s.keys.given("transport.control"); },
                                  "unless transport.control is given", "transport.control sets the congestion control"};
const EffectCondition kDcqcn{[](S s) { return s.transport.control == CongestionControl::dcqcn; }, "with control = \"dcqcn\"",
                             "the congestion control is not DCQCN"};
const EffectCondition kCnpPackets{[](S s) { return s.packet.dcqcn.enabled && !s.packet.dcqcn.cnp_on_ack; },
                                  "where CNPs are packets", "no CNPs are sent as separate packets"};
const EffectCondition kNoWindow{[](S s) { return !s.packet.control.has_window(); }, "with control = \"none\" or \"dcqcn\"",
                                "this congestion control accepts packets in any order"};
const EffectCondition kRepeats{[](S s) { return s.packet.nic.recovery == LossRecovery::selective_repeat; },
                               "with selective repeat", "loss_recovery is \"go-back-n\""};
const EffectCondition kQueueEnds{[](S s) { return s.packet.buffer.queue.has_value(); }, "with queue_limit",
                                 "no queue_limit is given: only the shared buffer limits queues"};
const EffectCondition kTrims{[](S s) { return s.packet.buffer.trim && s.packet.control.has_window(); }, "where switches trim",
                             "switches do not trim"};
const EffectCondition kSlowHosts{
    [](S s) {
      return (!s.packet.slow.empty() || s.packet.nic.host_rate.has_value() || !s.packet.host_faults.empty()) &&
             s.packet.pfc.enabled;
    },
    "with traffic.slow_hosts, host_rate or failures of hosts, and PFC",
    "no host is slow or stuck, and there is no host_rate, or PFC is off"};

const EffectCondition kSharedPort{
    [](S s) { return has_background(s) || has_storage(s) || !s.packet.classes[kControlClass].strict; },
    "with background, storage, [[job]] or control_weight", "no other class shares ports with data"};
const EffectCondition kBackground{
    [](S s) { return has_background(s) && s.packet.queue_of[kBackgroundClass] == kBackgroundClass; },
    "with traffic.background, or [[job]], in a queue of its own",
    "there is no background traffic, or it shares the queue of data"};
const EffectCondition kBackgroundTraffic{has_background, "with traffic.background or [[job]]",
                                         "there is no background traffic"};
const EffectCondition kStorage{has_storage, "with [traffic.storage]", "there is no [traffic.storage]"};
const EffectCondition kControlPackets{[](S s) {
                                        const PacketPlan& p = s.packet;
                                        return (p.dcqcn.enabled && !p.dcqcn.cnp_on_ack) || !p.nic.ack_with_data ||
                                               p.nic.admission > 0 || p.control.has_receiver_credits() || p.buffer.trim;
                                      },
                                      "where there are control packets",
                                      "the control class is empty: ACKs travel with data, and there are no CNPs"};
const EffectCondition kSprays{[](S s) { return s.packet.nic.routes_by_entropy; }, "with policy = \"spray\"",
                              "policy is not \"spray\""};
const EffectCondition kWholeStep{[](S s) { return !s.workload.slice; }, "without [slice]", "a [slice] has a limit of its own"};
const EffectCondition kCalibrates{[](S s) { return !s.keys.given("engine.efficiency"); }, "unless efficiency is given",
                                  "engine.efficiency overrides it"};
const EffectCondition kRateLimit{[](S s) { return is_packet_run(s) || s.transport.qp_rate_limit.has_value(); }, "above 0",
                                 "0 means no limit"};

}  // namespace railyard::conditions
