// What the time of a training step went to: by stage, by group, by collective.
#include <algorithm>

#include "sim/step/step_player.h"

namespace railyard {

void StepPlayer::account(std::uint32_t stage) {
  StageTime& time = run_.stages[stage];
  const PassCost& cost = stages_[stage].cost;
  time.compute += cost.compute;
  time.contention += cost.contention;
  time.host += cost.host;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    time.exposed[kind] += cost.exposed[kind];
    time.hidden[kind] += cost.hidden[kind];
  }
}

void StepPlayer::note(std::uint32_t stage, const Served& served) {
  OpTimes& op = ops_[{served.item.kind, served.item.name}];
  op.name = served.item.name;
  op.kind = served.item.kind;
  op.calls++;
  op.seconds += seconds(served.took);
  op.longest = std::max(op.longest, seconds(served.took));
  op.ideal += seconds(served.item.ideal);
  if (!network_->on_flow) return;
  const StepTraffic::Ends& ends = network_->traffic.ends()[served.item.connection.index()];
  network_->on_flow({.what = served.item.name,
                     .group = name_of(served.item.kind),
                     .stage = stage,
                     .start = served.start + served.item.delay,
                     .finish = served.start + served.took,
                     .size = served.item.size,
                     .from = ends.from,
                     .to = ends.to,
                     .edges = ends.edges,
                     .connection = served.item.connection,
                     .primitive = served.item.primitive,
                     .carried = clock_.now(),
                     .steps = served.item.steps});
}

/// Gives each item its part of what its kind exposed.
void StepPlayer::attribute(const std::vector<Served>& items, const GroupTimes& exposed) {
  const GroupTimes all = times_of(items);
  for (const Served& served : items) {
    if (!served.item.on_network()) continue;
    const std::size_t kind = index(served.item.kind);
    const double share = all[kind] > Picoseconds::zero() ? std::min(1.0, seconds(exposed[kind]) / seconds(all[kind])) : 0;
    ops_[{served.item.kind, served.item.name}].exposed += seconds(served.took) * share;
  }
}

}  // namespace railyard
