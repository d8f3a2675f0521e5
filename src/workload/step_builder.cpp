#include "workload/step_builder.h"

#include <algorithm>
#include <limits>

#include "plan/split_layers.h"
#include "workload/pass_builder.h"

namespace railyard {

namespace {

class StepBuilder {
 public:
  explicit StepBuilder(const WorkloadPlan& workload) : w_(workload), roofline_(*workload.gpu) {}

  Step build() {
    step_.model = *w_.model;
    step_.layout = layout_of(w_);
    const Group experts = step_.layout.group(GroupKind::expert);
    if (step_.model.experts > 0) route_tokens(experts);
    plan_virtual_stages();
    seat_works();
    count();
    for (std::uint32_t stage = 0; stage < step_.layout.pipeline; stage++) step_.stages.push_back(stage_work(stage));
    if (w_.pass) keep_forward(w_, step_);
    return std::move(step_);
  }

 private:
  void route_tokens(const Group& group) {
    const std::uint32_t experts = step_.model.experts;
    const double capacity = w_.training.capacity_factor.value_or(std::numeric_limits<double>::infinity());
    const std::vector<double> given = shares();
    step_.routing = route(step_.model, group.size, group.local, expert_totals(experts, given), capacity);
    step_.routing.loads = expert_loads({experts, group.size, group.local, w_.parallel.expert_dispatch, capacity}, given);
  }

  std::vector<double> shares() const {
    if (!w_.training.expert_shares.empty()) return w_.training.expert_shares;
    if (w_.training.routing_skew == 0) return {};
    return zipf_shares(step_.model.experts, w_.training.routing_skew, w_.seed);
  }

  BlockContext context() const {
    return {step_.model,
            w_.training,
            w_.parallel,
            step_.layout,
            roofline_,
            step_.routing,
            w_.gpu->step.activation_kernels,
            w_.pass ? &*w_.pass : nullptr};
  }
  BlockWork block(BlockKind kind) const {
    return w_.pass && can_overlap(w_) ? halves_work(context(), kind) : block_work(context(), kind);
  }
  /// Whoever serves wants the next token of a request alone.
  BlockWork head() const {
    if (!w_.pass) return head_work(context());
    ModelPlan last = step_.model;
    last.sequence = 1;
    return head_work({last, w_.training, w_.parallel, step_.layout, roofline_, step_.routing});
  }

  /// Of one pass through a block by the host. Only layers with experts are known to wait for it.
  Picoseconds launch_of(BlockKind kind) const {
    const StepFact& step = w_.gpu->step;
    if (kind == BlockKind::dense || w_.training.cuda_graphs == CudaGraphs::full) return Picoseconds::zero();
    const double left = w_.training.cuda_graphs == CudaGraphs::partial ? 1 - step.captured_share : 1;
    return from_seconds(seconds(step.layer_launch) * left);
  }

  void plan_virtual_stages() {
    const ParallelPlan& p = w_.parallel;
    const std::uint32_t micro_batches = *w_.training.global_batch / (step_.layout.data * w_.training.micro_batch_size);
    step_.pipeline = plan_pipeline(p.schedule, p.pipeline, p.virtual_pipeline, micro_batches, p.expert_overlap);
    const std::vector<std::uint32_t> layers = split_layers(step_.model.layers, step_.pipeline.virtual_stages, p.stage_layers);
    std::uint32_t next = 0;
    for (const std::uint32_t count : layers) {
      VirtualStageShape shape;
      for (std::uint32_t i = 0; i < count; i++, next++)
        (step_.model.kind(next) == BlockKind::dense ? shape.dense : shape.moe)++;
      step_.virtual_stages.push_back(shape);
    }
    step_.virtual_stages.front().embedding = true;
    step_.virtual_stages.front().encoder = step_.model.encoder.layers > 0;
    step_.virtual_stages.back().head = true;
    step_.virtual_stages.back().mtp = step_.model.mtp_layers;
  }

  void seat_works() {
    const PipelinePlan& pipeline = step_.pipeline;
    step_.work_of.assign(pipeline.stages, std::vector<std::uint32_t>(pipeline.chunks));
    for (std::uint32_t stage = 0; stage < pipeline.stages; stage++)
      for (std::uint16_t chunk = 0; chunk < pipeline.chunks; chunk++)
        step_.work_of[stage][chunk] = work_index(step_.virtual_stages[pipeline.virtual_stage({stage, chunk})]);
    const double boundary = 2.0 * static_cast<double>(context().tokens()) * step_.model.hidden / step_.layout.tensor;
    step_.boundary = Bytes(static_cast<std::int64_t>(boundary));
    if (step_.layout.tensor > 1 && !w_.parallel.sequence)
      step_.boundary_gather = collective("boundary", CollectiveKind::all_gather, step_.layout.group(GroupKind::tensor),
                                         step_.boundary * step_.layout.tensor, Beside::nothing);
  }

  /// Sums of absurd plans stay countable; too_long or the memory plan refuses them.
  static Bytes capped(Bytes sum, Bytes each, std::uint32_t repeats) {
    constexpr double kMost = 1e18;
    const double total = static_cast<double>(sum.count()) + static_cast<double>(each.count()) * repeats;
    return total > kMost ? Bytes(static_cast<std::int64_t>(kMost)) : sum + each * repeats;
  }

  std::uint32_t work_index(const VirtualStageShape& shape) {
    for (std::uint32_t i = 0; i < step_.works.size(); i++)
      if (step_.works[i].shape == shape) return i;
    step_.works.push_back(virtual_stage_work(shape));
    return static_cast<std::uint32_t>(step_.works.size() - 1);
  }

  VirtualStageWork virtual_stage_work(const VirtualStageShape& shape) const {
    VirtualStageWork work;
    work.shape = shape;
    const ModelPlan& m = step_.model;
    const auto add = [&](std::string_view name, std::uint32_t repeats, const HeldParameters& each, BlockWork block,
                         Picoseconds launch = {}) {
      if (repeats == 0) return;
      if (w_.parallel.zero >= 2) add_shard_traffic(each, block);
      work.forward.push_back({name, repeats, std::move(block.forward), launch});
      work.backward.insert(work.backward.begin(), Segment{name, repeats, std::move(block.backward), launch});
      work.held = work.held + HeldParameters{each.shared * repeats, each.experts * repeats};
      work.kept = capped(work.kept, block.kept, repeats);
      work.working = std::max(work.working, block.working - block.kept);
      const HeldParameters& most = work.largest;
      if (each.shared + each.experts > most.shared + most.experts) work.largest = each;
    };
    if (shape.encoder) {
      const std::int64_t blocks = encoder_parameters(m) - std::int64_t{m.encoder.hidden} * m.hidden;
      add("encoder", m.encoder.layers, held(blocks / m.encoder.layers), encoder_work(context()));
      add("encoder output", 1, whole_on_every_rank(m.encoder.hidden), merge_work(context(), "merge", m.encoder.hidden));
    }
    if (shape.embedding) add("embedding", 1, held(embedding_parameters(m)), embedding_work(context()));
    for (const BlockKind kind : {BlockKind::dense, BlockKind::moe}) {
      const bool dense = kind == BlockKind::dense;
      if ((dense ? shape.dense : shape.moe) > 0)
        add(dense ? "dense block" : "expert block", dense ? shape.dense : shape.moe, held_block(kind), block(kind),
            launch_of(kind));
    }
    if (shape.head) add("head", 1, shares_embedding(shape) ? HeldParameters{} : held(embedding_parameters(m)), head());
    if (shape.mtp > 0) {
      const BlockKind last = m.kind(m.layers - 1);
      add("further merge", shape.mtp, whole_on_every_rank(2 * m.hidden), merge_work(context(), "merge", 2 * m.hidden));
      add("further tokens", shape.mtp, held_block(last), block_work(context(), last), launch_of(last));
      add("further head", shape.mtp, {}, head_work(context()));
    }
    return work;
  }

  /// Tied embeddings are held once where both ends of the model sit on one rank: one stage, or either end of a dual pipe.
  bool shares_embedding(const VirtualStageShape& head) const {
    return step_.model.tied_embeddings && (head.embedding || w_.parallel.schedule == PipelineSchedule::dualpipe);
  }

  HeldParameters held(std::int64_t parameters) const { return {parameters / step_.layout.tensor, 0}; }
  HeldParameters whole_on_every_rank(std::uint32_t in) const { return {std::int64_t{in} * step_.model.hidden, 0}; }
  HeldParameters held_block(BlockKind kind) const {
    const Layout& l = step_.layout;
    const std::int64_t replicated = replicated_block_parameters(step_.model, kind, l.tensor);
    HeldParameters each = held(shared_block_parameters(step_.model, kind) - replicated);
    each.shared += replicated;
    if (kind == BlockKind::moe) each.experts = expert_parameters(step_.model) / (l.expert * l.expert_tensor);
    return each;
  }

  /// On the scale-up domains. Every block of every stage asks for the same few.
  Group placed(const Group& group) const {
    const auto same = [&](const Group& other) {
      return other.kind == group.kind && other.size == group.size && other.stride == group.stride &&
             other.mirrored == group.mirrored;
    };
    const auto known = std::find_if(placed_.begin(), placed_.end(), same);
    return known != placed_.end() ? *known : placed_.emplace_back(step_.layout.placed(group));
  }
  /// Ranks that hold the same parameters: a dual pipe has them twice.
  Group data_group(GroupKind kind) const {
    Group group = step_.layout.group(kind);
    group.mirrored = step_.pipeline.schedule == PipelineSchedule::dualpipe;
    if (group.mirrored) group.size *= 2;
    return placed(group);
  }
  /// HSDP shards inside one stage, so that of a dual pipe's two copies each is sharded for itself.
  Group shard_group(GroupKind kind) const {
    if (!w_.parallel.shard_group) return data_group(kind);
    Group group = step_.layout.group(kind);
    group.size = std::min(group.size, *w_.parallel.shard_group);
    return placed(group);
  }
  /// Ranks that hold the same shard.
  Group replica_group(GroupKind kind) const {
    const Group all = data_group(kind), shard = shard_group(kind);
    Group group{.kind = kind, .size = all.size / shard.size, .stride = all.stride * shard.size};
    group.mirrored = all.mirrored && !shard.mirrored;
    return placed(group);
  }

  Op collective(std::string_view name, CollectiveKind kind, const Group& group, Bytes size, Beside beside) const {
    Op op{.kind = OpKind::collective, .name = name};
    const bool of_data = group.kind == GroupKind::data || group.kind == GroupKind::expert_data;
    op.by_switches = w_.parallel.switch_reduction && of_data;
    op.collective = kind;
    op.group = group;
    op.size = size;
    op.beside = beside;
    return op;
  }

  /// ZeRO 2 keeps no gradients whole: those of a block are scattered after every backward pass. ZeRO 3 keeps no parameters
  /// whole either: they are gathered before both passes. All of it while neighbouring blocks compute.
  void add_shard_traffic(const HeldParameters& each, BlockWork& block) const {
    const Beside beside = w_.parallel.data_overlap ? Beside::block : Beside::nothing;
    const auto add = [&](std::int64_t parameters, GroupKind kind) {
      const Group group = shard_group(kind);
      if (parameters == 0 || group.size == 1) return;
      const Op gather =
          collective("parameters", CollectiveKind::all_gather, group, bytes_of(parameters, w_.training.parameters), beside);
      if (w_.parallel.zero >= 3) {
        block.forward.insert(block.forward.begin(), gather);
        block.backward.insert(block.backward.begin(), gather);
      }
      block.backward.push_back(
          collective("gradients", CollectiveKind::reduce_scatter, group, bytes_of(parameters, w_.training.gradients), beside));
      block.backward.back().weight = true;  // they are there once the gradients of weights are
    };
    add(each.shared, GroupKind::data);
    add(each.experts, GroupKind::expert_data);
  }

  void count() {
    const ModelPlan& m = step_.model;
    step_.sharding = {w_.parallel.zero, shard_group(GroupKind::data).size, shard_group(GroupKind::expert_data).size};
    step_.tokens = std::uint64_t{*w_.training.global_batch} * m.sequence;
    step_.flops = flops_per_token(m);
    const double expert_flops =
        6.0 * (m.layers - m.dense_layers) * m.experts_per_token * static_cast<double>(mlp_parameters(m, m.expert_ffn));
    step_.flops.products -= step_.routing.dropped * expert_flops;  // a token that is dropped is not computed
    const double micro_batches = step_.pipeline.micro_batches;
    for (std::uint32_t stage = 0; stage < step_.pipeline.stages; stage++)
      for (std::uint16_t chunk = 0; chunk < step_.pipeline.chunks; chunk++) {
        const VirtualStageWork& work = step_.work({stage, chunk});
        // A dual pipe sends half of the micro-batches through either copy of a part.
        const double passes = step_.pipeline.schedule == PipelineSchedule::dualpipe ? micro_batches / 2 : micro_batches;
        step_.hardware_flops += passes * (flops_of(work.forward) + flops_of(work.backward)) * step_.layout.stage_ranks();
      }
  }

  static double flops_of(const std::vector<Segment>& segments) {
    double sum = 0;
    for (const Segment& segment : segments)
      for (const Op& op : segment.ops) sum += op.flops * segment.repeats;
    return sum;
  }

  StageWork stage_work(std::uint32_t stage) const {
    StageWork work;
    HeldParameters largest;
    std::vector<Bytes> kept;
    Bytes working;
    for (std::uint16_t chunk = 0; chunk < step_.pipeline.chunks; chunk++) {
      const VirtualStageWork& virtual_stage = step_.work({stage, chunk});
      work.held = work.held + virtual_stage.held;
      kept.push_back(virtual_stage.kept);
      working = std::max(working, virtual_stage.working);
      if (virtual_stage.largest.shared + virtual_stage.largest.experts > largest.shared + largest.experts)
        largest = virtual_stage.largest;
      work.gradients.push_back(gradient_ops(virtual_stage.held));
      work.gathers.push_back(gather_ops(virtual_stage.held));
      add_tied_embedding(virtual_stage.shape, work.gradients.back());
    }
    work.memory = state_memory(work.held, largest, step_.sharding, w_.training);
    add_activations(step_.pipeline.order[stage], kept, work.memory);
    work.memory.buffers += working;
    work.optimizer = optimizer_ops(work);
    return work;
  }

  /// Embedding and head that share weights but not a stage sum their gradients.
  void add_tied_embedding(const VirtualStageShape& virtual_stage, std::vector<Op>& ops) const {
    const bool apart = step_.model.tied_embeddings && virtual_stage.embedding != virtual_stage.head &&
                       step_.pipeline.stages > 1 && w_.parallel.schedule != PipelineSchedule::dualpipe;
    if (!apart) return;
    const Bytes size = bytes_of(embedding_parameters(step_.model) / step_.layout.tensor, w_.training.gradients);
    ops.push_back(collective("tied embedding", CollectiveKind::all_reduce, step_.layout.group(GroupKind::embedding), size,
                             Beside::block));
  }

  /// Follows the stage's order: what is kept grows with every forward pass and shrinks with the backward one. Of a pair the
  /// backward pass comes first: block by block it lets go what the forward pass takes.
  static void add_activations(const std::vector<Slot>& order, const std::vector<Bytes>& kept, MemoryPlan& memory) {
    Bytes now;
    std::uint32_t in_flight = 0;
    for (const Slot& slot : order) {
      if (slot.kind == PassKind::forward) {
        now = capped(now, kept[slot.chunk], 1);
        memory.in_flight = std::max(memory.in_flight, ++in_flight);
        memory.activations = std::max(memory.activations, now);
      } else if (slot.kind != PassKind::input_gradient) {  // what gradients of weights need is kept until then
        now -= kept[slot.chunk];
        in_flight--;
      }
    }
  }

  /// From ZeRO 2 on they are part of every backward pass.
  std::vector<Op> gradient_ops(const HeldParameters& held) const {
    std::vector<Op> ops;
    const auto add = [&](std::int64_t parameters, GroupKind kind) {
      const Group shard = shard_group(kind), replicas = replica_group(kind);
      const Bytes size = bytes_of(parameters, w_.training.gradients);
      if (parameters == 0) return;
      if (w_.parallel.zero == 0) {
        if (data_group(kind).size > 1)
          ops.push_back(collective("gradients", CollectiveKind::all_reduce, data_group(kind), size, Beside::block));
        return;
      }
      if (w_.parallel.zero == 1 && shard.size > 1)
        ops.push_back(collective("gradients", CollectiveKind::reduce_scatter, shard, size, Beside::block));
      if (replicas.size > 1)
        ops.push_back(collective("replicas", CollectiveKind::all_reduce, replicas, size / shard.size, Beside::block));
    };
    add(held.shared, GroupKind::data);
    add(held.experts, GroupKind::expert_data);
    return ops;
  }

  std::vector<Op> gather_ops(const HeldParameters& held) const {
    std::vector<Op> ops;
    if (w_.parallel.zero == 0 || w_.parallel.zero >= 3) return ops;
    for (const GroupKind kind : {GroupKind::data, GroupKind::expert_data}) {
      const std::int64_t parameters = kind == GroupKind::data ? held.shared : held.experts;
      const Group group = shard_group(kind);
      if (parameters > 0 && group.size > 1)
        ops.push_back(collective("parameters", CollectiveKind::all_gather, group, bytes_of(parameters, w_.training.parameters),
                                 Beside::block));
    }
    return ops;
  }

  /// Adam in mixed precision, kernel by kernel: gradients become fp32, are unscaled and checked, their norm is agreed on, they
  /// are clipped; master weights and moments are read and written; weights are copied back; gradients are cleared.
  std::vector<Op> optimizer_ops(const StageWork& work) const {
    const std::int64_t owned = work.memory.optimizer.count() / (4 + 2 * width_of(w_.training.moments));
    const double gradient = static_cast<double>(width_of(w_.training.gradients));
    const double moments = 2.0 * static_cast<double>(width_of(w_.training.moments));
    const double touched = static_cast<double>(owned);
    const auto memory = [&](std::string_view name, double bytes) {
      return Op{.kind = OpKind::memory, .name = name, .time = roofline_.memory(bytes)};
    };
    return {memory("gradients to fp32", touched * (gradient + 4)),
            memory("unscale", touched * 8),
            memory("norm of gradients", touched * 4),
            memory("clip", touched * 8),
            memory("adam", touched * (4 + 2 * 4 + 2 * moments)),
            memory("copy weights", touched * (4 + 2)),
            memory("clear gradients", static_cast<double>(work.memory.gradients.count()))};
  }

  const WorkloadPlan& w_;
  Roofline roofline_;
  Step step_;
  mutable std::vector<Group> placed_;  // so far
};

}  // namespace

Step assemble_step(const WorkloadPlan& workload) { return StepBuilder(workload).build(); }

}  // namespace railyard
