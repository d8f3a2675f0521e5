#include "workload/expand.h"

#include "base/check.h"

namespace railyard {

namespace {

class RankWriter {
 public:
  RankWriter(const Step& step, std::uint32_t rank) : step_(step), rank_(rank), at_(step.layout.position(rank)) {}

  std::vector<RankOp> write() {
    const StageWork& stage = step_.stages[at_.pipeline];
    for (const std::vector<Op>& ops : stage.gathers) add(nullptr, ops);
    for (const Slot& slot : step_.pipeline.order[at_.pipeline]) add_pass(slot);
    for (const std::vector<Op>& ops : stage.gradients) add(nullptr, ops);
    add(nullptr, stage.optimizer);
    return std::move(ops_);
  }

 private:
  void add_pass(const Slot& slot) {
    const Seat seat{at_.pipeline, slot.chunk};
    const bool is_forward = slot.kind == PassKind::forward, is_weights = slot.kind == PassKind::weight_gradient;
    if (!is_weights) message(RankOpKind::receive, slot, is_forward ? step_.pipeline.before(seat) : step_.pipeline.after(seat));
    const VirtualStageWork& work = step_.work(seat);
    for (const Segment& segment : is_forward ? work.forward : work.backward)
      for (std::uint32_t i = 0; i < segment.repeats; i++)
        for (const Op& op : segment.ops)
          if (takes_part(op, slot.kind)) add(&slot, {op});
    if (!is_weights) message(RankOpKind::send, slot, is_forward ? step_.pipeline.after(seat) : step_.pipeline.before(seat));
  }

  void message(RankOpKind kind, const Slot& slot, const std::optional<Seat>& other) {
    if (!other || other->stage == at_.pipeline) return;
    Position there = at_;
    there.pipeline = other->stage;
    RankOp op{
        .kind = kind, .name = slot.kind == PassKind::forward ? "activations" : "gradients", .in_pass = true, .slot = slot};
    op.size = step_.boundary;
    op.peers = {step_.layout.rank(there)};
    ops_.push_back(std::move(op));
    if (kind == RankOpKind::receive && step_.boundary_gather) add(&slot, {*step_.boundary_gather});
  }

  /// `slot` is the pass they belong to, if any.
  void add(const Slot* slot, const std::vector<Op>& ops) {
    for (const Op& op : ops) {
      if (op.kind == OpKind::collective && op.group.size == 1) continue;
      RankOp own{.kind = op.kind == OpKind::collective ? RankOpKind::collective : RankOpKind::compute, .name = op.name};
      own.in_pass = slot != nullptr;
      if (slot) own.slot = *slot;
      own.op = op;
      own.time = op.time;
      own.collective = op.collective;
      own.size = op.size;
      if (op.kind == OpKind::collective) own.peers = step_.layout.members(op.group, rank_);
      ops_.push_back(std::move(own));
    }
  }

  const Step& step_;
  std::uint32_t rank_;
  Position at_;
  std::vector<RankOp> ops_;
};

}  // namespace

std::vector<RankOp> expand_rank(const Step& step, std::uint32_t rank) {
  RY_CHECK(rank < step.layout.ranks(), "a rank of the job is expanded");
  return RankWriter(step, rank).write();
}

std::vector<std::uint32_t> replica_ranks(const Layout& layout, std::uint32_t replica) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t stage = 0; stage < layout.pipeline; stage++)
    for (std::uint32_t context = 0; context < layout.context; context++)
      for (std::uint32_t tensor = 0; tensor < layout.tensor; tensor++)
        all.push_back(layout.rank({tensor, context, replica, stage}));
  return all;
}

}  // namespace railyard
