#include "sim/step/pass_cost.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace railyard {

namespace {

bool needs_network(const std::vector<CommItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const CommItem& item) { return item.on_network(); });
}

bool needs_playing(const std::vector<CommItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const CommItem& item) { return item.is_played(); });
}

GroupTimes fixed_times(const std::vector<CommItem>& items) {
  GroupTimes times = {};
  for (const CommItem& item : items) times[index(item.kind)] += item.fixed;
  return times;
}

/// The first of `pieces` equal ones, and the rest.
std::pair<CommItem, CommItem> split(const CommItem& item, std::int64_t pieces) {
  CommItem first = item, rest = item;
  first.fixed = item.fixed / pieces, rest.fixed = item.fixed - first.fixed;
  first.size = item.size / pieces, rest.size = item.size - first.size;
  first.floor = item.floor / pieces, rest.floor = item.floor - first.floor;
  first.latency = item.latency / pieces, rest.latency = item.latency - first.latency;
  first.ideal = item.ideal / pieces, rest.ideal = item.ideal - first.ideal;
  rest.watched = 0;  // late is what begins
  return {first, rest};
}

/// Goes through the ops of one block in order: collectives that may run beside compute wait for the next product, or for all
/// ops of shared experts.
class BlockWriter {
 public:
  BlockWriter(const CollectiveItems& items, double slowdown, double contention)
      : items_(items), slowdown_(slowdown), contention_(contention) {}

  BlockProgram write(const Segment& segment, PassKind kind) {
    kind_ = kind;
    block_.repeats = segment.repeats;
    for (const Op& op : segment.ops)
      if (takes_part(op, kind)) op.kind == OpKind::collective ? communicate(op) : compute(op);
    end_shared();
    beside(Picoseconds::zero(), std::move(waiting_));
    if (segment.launch > Picoseconds::zero()) wait_for_host(segment);
    cost_.launch += segment.launch;
    block_.after = cost_;
    finish();
    return std::move(block_);
  }

 private:
  void communicate(const Op& op) {
    const CommItem item = items_.played(op);
    const bool alone = op.beside == Beside::nothing || (op.beside == Beside::weights && kind_ == PassKind::input_gradient);
    if (alone || op.beside == Beside::shared) end_shared();
    if (op.beside == Beside::shared) shared_.emplace();
    if (alone) {
      beside(Picoseconds::zero(), {item});
    } else if (op.beside == Beside::block) {
      block_.background.push_back(item);
    } else if (op.beside == Beside::pieces) {
      const auto [first, rest] = split(item, op.group.size);
      beside(Picoseconds::zero(), {first});
      waiting_.push_back(rest);
    } else {
      waiting_.push_back(item);
    }
  }

  void compute(const Op& op) {
    const Picoseconds time = slowed_by(op.time, slowdown_);
    if (op.shared && shared_) {
      *shared_ += time;
      return;
    }
    end_shared();
    if (op.kind != OpKind::memory) return beside(time, std::exchange(waiting_, {}));
    cost_.compute += time;
    cost_.time += time;
  }

  /// Shared experts ran as long as they need beside the exchange that waited for them, and what else did since.
  void end_shared() {
    if (const std::optional<Picoseconds> time = std::exchange(shared_, {})) beside(*time, std::exchange(waiting_, {}));
  }

  /// A host that needs longer to launch a block than the GPU to run it on an idle network makes the GPU wait.
  void wait_for_host(const Segment& segment) {
    Segment one = segment;
    one.repeats = 1;
    one.launch = {};
    const PassCost ran = BlockWriter({items_.idle, items_.idle}, slowdown_, contention_).write(one, kind_).after;
    const Picoseconds wait = std::max(Picoseconds::zero(), segment.launch - ran.time);
    cost_.host += wait;
    cost_.time += wait;
  }

  /// `time` of compute with `chain` beside it.
  void beside(Picoseconds time, std::vector<CommItem> chain) {
    if (needs_playing(chain)) {
      std::stable_sort(chain.begin(), chain.end(), [](const CommItem& a, const CommItem& b) { return a.kind < b.kind; });
      block_.steps.push_back({std::exchange(cost_, {}), time, std::move(chain)});
      return;
    }
    cost_.compute += time;
    cost_.time += time;
    cost_.overlap(fixed_times(chain), time, contention_);
  }

  /// What need not be played is summed up.
  void finish() {
    if (!block_.steps.empty() || needs_playing(block_.background)) return;
    block_.after.overlap_block(fixed_times(block_.background), block_.after.time);
    PassCost sum;
    sum.add(block_.after, block_.repeats);
    block_ = {.repeats = 1, .steps = {}, .after = sum, .background = {}};
  }

  const CollectiveItems items_;
  double slowdown_, contention_;
  PassKind kind_ = PassKind::forward;
  PassCost cost_ = {};
  std::vector<CommItem> waiting_;
  std::optional<Picoseconds> shared_;  // of shared experts since an exchange that runs beside them began
  BlockProgram block_;
};

bool is_plain(const BlockProgram& block) { return block.steps.empty() && block.background.empty(); }

}  // namespace

void PassCost::add(const PassCost& other, std::int64_t times) {
  time += other.time * times;
  compute += other.compute * times;
  contention += other.contention * times;
  host += other.host * times;
  launch += other.launch * times;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    exposed[kind] += other.exposed[kind] * times;
    hidden[kind] += other.hidden[kind] * times;
  }
}

void PassCost::overlap(GroupTimes took, Picoseconds beside, double share, const GroupTimes& waited) {
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const Picoseconds covered = std::min(took[kind], beside);
    const Picoseconds lost = slowed_by(covered - std::min(covered, waited[kind]), share);
    beside -= covered;
    hidden[kind] += covered;
    contention += lost;
    exposed[kind] += took[kind] - covered;
    time += lost + (took[kind] - covered);
  }
}

void PassCost::overlap_block(const GroupTimes& took, Picoseconds room) {
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const Picoseconds covered = std::min(took[kind], room);
    room -= covered;
    hidden[kind] += covered;
    exposed[kind] += took[kind] - covered;
    time += took[kind] - covered;
  }
}

bool PassProgram::is_played() const { return !std::all_of(blocks.begin(), blocks.end(), is_plain); }

Picoseconds slowed_by(Picoseconds time, double factor) {
  return Picoseconds(static_cast<std::int64_t>(std::ceil(static_cast<double>(time.count()) * factor)));
}

Picoseconds sum_of(const GroupTimes& times) {
  Picoseconds sum;
  for (const Picoseconds time : times) sum += time;
  return sum;
}

PassProgram pass_program(const VirtualStageWork& virtual_stage, PassKind kind, const CollectiveItems& items, double slowdown,
                         double contention) {
  PassProgram program;
  for (const Segment& segment : kind == PassKind::forward ? virtual_stage.forward : virtual_stage.backward) {
    BlockProgram block = BlockWriter(items, slowdown, contention).write(segment, kind);
    if (is_plain(block) && !program.blocks.empty() && is_plain(program.blocks.back()))
      program.blocks.back().after.add(block.after);
    else
      program.blocks.push_back(std::move(block));
  }
  if (program.blocks.empty()) program.blocks.emplace_back();
  return program;
}

PassCost cost_of(const PassProgram& program) {
  RY_CHECK(!program.is_played(), "only who plays it knows how long it takes");
  return program.blocks.front().after;
}

PassCost idle_cost(const VirtualStageWork& virtual_stage, PassKind kind, const ClusterLinks& links) {
  const auto item_of = [&](const Op& op) { return CommItem{.kind = op.group.kind, .fixed = collective_time(op, links)}; };
  return cost_of(pass_program(virtual_stage, kind, {item_of, item_of}, 1, links.contention));
}

namespace {

/// What is known of a block before it is played. Chains without network are summed up as if nothing in them were delayed.
PassCost known_of(const BlockProgram& block, double contention) {
  PassCost sum = block.after;
  bool on_network = needs_network(block.background);
  for (const NetStep& step : block.steps) {
    sum.add(step.before);
    sum.compute += step.compute;
    sum.time += step.compute;
    if (needs_network(step.chain))
      on_network = true;
    else
      sum.overlap(fixed_times(step.chain), step.compute, contention);
  }
  if (!on_network) sum.overlap_block(fixed_times(block.background), sum.time);
  return sum;
}

/// Of items that known_of() has summed up, only their delays are left to play.
void append(const std::vector<CommItem>& items, bool known, std::vector<CommItem>& to) {
  for (CommItem item : items) {
    if (known && item.watched == 0) continue;
    if (known) item.fixed = Picoseconds::zero();
    to.push_back(item);
  }
}

}  // namespace

Interleaved interleave(const PassProgram& a, const PassProgram& b, const ClusterLinks& links, LentUnits lent) {
  Interleaved pair;
  const double longer = 1 / (1 - links.lent_units);  // compute on the units that are left
  pair.contention = links.contention + (lent == LentUnits::while_sending ? longer - 1 : 0);
  pair.stretch = lent == LentUnits::while_sending ? pair.contention : 0;
  for (const PassProgram* program : {&a, &b})
    for (const BlockProgram& block : program->blocks) {
      pair.both.add(known_of(block, links.contention), block.repeats);
      const bool on_network =
          needs_network(block.background) ||
          std::any_of(block.steps.begin(), block.steps.end(), [](const NetStep& step) { return needs_network(step.chain); });
      for (std::uint32_t i = 0; i < block.repeats; i++) {
        for (const NetStep& step : block.steps) append(step.chain, !needs_network(step.chain), pair.chain);
        append(block.background, !on_network, pair.background);
      }
    }
  pair.launch = lent == LentUnits::while_sending ? links.overlap_launch : 1;
  pair.compute = lent == LentUnits::throughout ? slowed_by(pair.both.compute, longer) : pair.both.compute;
  return pair;
}

PassCost interleaved_cost(const Interleaved& pair, const GroupTimes& took, const GroupTimes& waited) {
  PassCost both = pair.both;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) both.exposed[kind] += took[kind];
  const Picoseconds communication = sum_of(both.exposed);
  const Picoseconds busy = communication - std::min(communication, sum_of(waited));
  const Picoseconds slowed = pair.compute + slowed_by(std::min(busy, pair.compute), pair.contention);
  both.contention = slowed - both.compute;
  both.time = std::max(slowed, communication + slowed_by(std::min(busy, pair.compute), pair.stretch));
  Picoseconds left = both.time - slowed;
  both.host = std::max(Picoseconds::zero(), slowed_by(both.launch, pair.launch) - both.time);
  both.time += both.host;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const Picoseconds shown = std::min(both.exposed[kind], left);
    left -= shown;
    both.hidden[kind] += both.exposed[kind] - shown;
    both.exposed[kind] = shown;
  }
  return both;
}

}  // namespace railyard
