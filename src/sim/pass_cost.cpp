#include "sim/pass_cost.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

/// Compute units that drive communication while two passes run interleaved: 20 of 132 (DeepSeek-V3 report, section 3.2.2).
constexpr double kLentUnits = 20.0 / 132.0;

/// Adds up the ops of one block in order: collectives that may run beside compute wait for the next product.
class BlockClock {
 public:
  BlockClock(const ClusterLinks& links, double stretch) : links_(links), stretch_(stretch) {}

  PassCost run(const Segment& segment, PassKind kind) {
    kind_ = kind;
    for (const Op& op : segment.ops)
      if (takes_part(op, kind)) op.kind == OpKind::collective ? communicate(op) : compute(op);
    settle(Picoseconds::zero());
    finish_block();
    return cost_;
  }

 private:
  void communicate(const Op& op) {
    const Picoseconds time = collective_time(op, links_);
    const auto kind = static_cast<std::size_t>(op.group.kind);
    const bool alone = op.beside == Beside::nothing || (op.beside == Beside::weights && kind_ == PassKind::input_gradient);
    if (alone) {
      cost_.time += time;
      cost_.exposed[kind] += time;
    } else if (op.beside == Beside::block) {
      block_[kind] += time;
    } else {
      const Picoseconds first = op.beside == Beside::pieces ? time / op.group.size : Picoseconds::zero();
      cost_.time += first;
      cost_.exposed[kind] += first;
      waiting_[kind] += time - first;
    }
  }

  void compute(const Op& op) {
    const Picoseconds time = stretched(op.time, stretch_);
    cost_.compute += time;
    cost_.time += time;
    if (op.kind != OpKind::memory) settle(time);
  }

  /// What waited ran beside `time` of compute; the rest of it is exposed, in the order of the kinds.
  void settle(Picoseconds time) {
    for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
      const Picoseconds covered = std::min(waiting_[kind], time), lost = stretched(covered, kContention);
      time -= covered;
      cost_.hidden[kind] += covered;
      cost_.contention += lost;
      cost_.time += lost;
      cost_.exposed[kind] += waiting_[kind] - covered;
      cost_.time += waiting_[kind] - covered;
      waiting_[kind] = Picoseconds::zero();
    }
  }

  void finish_block() {
    Picoseconds room = cost_.time;
    for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
      const Picoseconds covered = std::min(block_[kind], room);
      room -= covered;
      cost_.hidden[kind] += covered;
      cost_.exposed[kind] += block_[kind] - covered;
      cost_.time += block_[kind] - covered;
    }
  }

  const ClusterLinks& links_;
  double stretch_;
  PassKind kind_ = PassKind::forward;
  PassCost cost_ = {};
  GroupTimes waiting_ = {}, block_ = {};
};

void add(PassCost& sum, const PassCost& one, std::int64_t times) {
  sum.time += one.time * times;
  sum.compute += one.compute * times;
  sum.contention += one.contention * times;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    sum.exposed[kind] += one.exposed[kind] * times;
    sum.hidden[kind] += one.hidden[kind] * times;
  }
}

}  // namespace

Picoseconds stretched(Picoseconds time, double factor) {
  return Picoseconds(static_cast<std::int64_t>(std::ceil(static_cast<double>(time.count()) * factor)));
}

Picoseconds sum_of(const GroupTimes& times) {
  Picoseconds sum;
  for (const Picoseconds time : times) sum += time;
  return sum;
}

PassCost interleaved_cost(const PassCost& a, const PassCost& b) {
  PassCost both;
  add(both, a, 1);
  add(both, b, 1);
  const Picoseconds communication = sum_of(both.exposed);
  const Picoseconds alone = stretched(both.compute, 1 / (1 - kLentUnits));
  const Picoseconds slowed = alone + stretched(std::min(communication, alone), kContention);
  both.contention = slowed - both.compute;
  both.time = std::max(slowed, communication);
  Picoseconds left = both.time - slowed;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const Picoseconds shown = std::min(both.exposed[kind], left);
    left -= shown;
    both.hidden[kind] += both.exposed[kind] - shown;
    both.exposed[kind] = shown;
  }
  return both;
}

PassCost pass_cost(const PartWork& part, PassKind kind, const ClusterLinks& links, double stretch) {
  PassCost sum;
  for (const Segment& segment : kind == PassKind::forward ? part.forward : part.backward)
    add(sum, BlockClock(links, stretch).run(segment, kind), segment.repeats);
  return sum;
}

}  // namespace railyard
