#include "sim/step/step_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "base/quantity_text.h"
#include "engine/engine.h"
#include "fabric/routes.h"
#include "sim/prepare.h"
#include "sim/step/step_traffic.h"

namespace railyard {

namespace {

// Bytes, as steps of 1,024 to 200,000 GPUs were seen to need, and a little more.
constexpr double kStepProgram = 24.0 * 1024 * 1024;      // the program, its catalog and what is not counted below
constexpr double kFabricPort = 12, kFabricTrunk = 33;    // of a fabric, in arrays that double
constexpr double kCountedPort = 20, kCountedTrunk = 24;  // what engine and results add to that
constexpr double kLinkBytes = 80;                        // what flows compete for: ports, or whole trunks
constexpr double kEdgeBytes = 48, kFlowBytes = 400, kCrossingBytes = 48;  // a crossing is a flow's part of one link
constexpr double kPassBytes = 24, kPassOrder = 24;            // as it happened, in an array that doubles, and as planned
constexpr double kCallRecord = 152, kCallBytes = 64;          // the same of a collective on the network
constexpr double kIntervalRecord = 40, kIntervalBytes = 232;  // of one rate: as recorded, and if all are looked at
constexpr double kRememberedRates = 32.0 * 1024 * 1024;       // of sets of flows, at most

/// So many entries of an array that doubles: as it grows, the old one is there beside the new one.
double grown(double count, double each) {
  const auto whole = static_cast<std::uint64_t>(count);
  return std::max(count, 2.0 * static_cast<double>(std::bit_floor(whole))) * each;
}

Bytes bytes_at_most(double bytes) { return Bytes(static_cast<std::int64_t>(std::min(bytes, 1e18))); }

double fabric_bytes(const Fabric& fabric) {
  return grown(static_cast<double>(fabric.port_from.size()), kFabricPort) +
         grown(static_cast<double>(fabric.trunk_tier.size()), kFabricTrunk);
}

double count_passes(const Step& step) {
  double passes = 0;
  for (const std::vector<Slot>& order : step.pipeline.order) passes += static_cast<double>(order.size());
  return passes;
}

double pass_bytes(const Step& step) { return grown(count_passes(step), kPassBytes) + kPassOrder * count_passes(step); }

/// What bundles put on a fabric.
struct Amounts {
  double edges = 0, flows = 0, crossings = 0;
};

/// Opens bundles in the flow engine's place and counts what that would keep of them.
class BundleCounter final : public Engine {
 public:
  BundleCounter(const Fabric& fabric, const PathPolicy& routing, bool exact)
      : fabric_(fabric),
        routing_(routing),
        exact_(exact),
        ports_(keeps_path(routing.policy) || routing.paths.has_value()),
        draws_(fabric.trunk_tier.size(), 0) {}

  QpId open(const QueuePair&) override { return nobody(); }
  QpId open(TrunkId) override { return nobody(); }
  QpId open(const Bundle& bundle) override {
    const bool single = bundle.flow_ends.empty();
    const std::size_t edges = bundle.edges.size() + bundle.hops.size();
    const std::size_t flows = !exact_ ? 1 : single ? edges : bundle.flow_ends.size();
    last_ = {static_cast<double>(edges), static_cast<double>(flows), 0};
    for (const Hop& hop : bundle.hops) last_.crossings += ports_ ? fabric_.trunk_ports[hop.trunk].size() : 1;
    if (!bundle.hops.empty()) return QpId(opened_++);
    std::size_t edge = 0;
    for (std::size_t flow = 0; flow < flows; flow++) {
      const std::size_t end = flows == 1 ? bundle.edges.size() : single ? flow + 1 : bundle.flow_ends[flow];
      for (; edge < end; edge++) add(bundle.edges[edge]);
      last_.crossings += take_crossings();
    }
    return QpId(opened_++);
  }
  void post(std::span<const Message>, Picoseconds) override { nobody(); }
  Picoseconds advance(Picoseconds, std::vector<Completion>&) override { return nobody(), Picoseconds::zero(); }
  void set_rate(PortId, BitsPerSecond, Picoseconds) override { nobody(); }
  [[nodiscard]] Picoseconds now() const override { return {}; }
  void rewind(Sharing) override {}
  void finish() override {}

  [[nodiscard]] std::uint32_t opened() const { return opened_; }
  [[nodiscard]] const Amounts& last() const { return last_; }
  [[nodiscard]] std::size_t links() const { return ports_ ? fabric_.port_from.size() : fabric_.trunk_tier.size(); }

 private:
  static QpId nobody() {
    RY_CHECK(false, "bundles are counted, and nothing is sent");
    return {};
  }

  void add(const Edge& edge) {
    path_.clear();
    find_path(fabric_, edge.from, edge.to, path_);
    for (const TrunkShare& step : path_) {
      if (draws_[step.trunk] == 0) touched_.push_back(step.trunk);
      draws_[step.trunk] += std::max(1e-6, step.share * routing_.hashed_paths());
    }
  }

  /// Links that the flow crosses: trunks, or of their ports those that so many hashes hit on average.
  double take_crossings() {
    double links = 0;
    for (const TrunkId trunk : touched_) {
      const double n = fabric_.trunk_ports[trunk].size(), hit = n * -std::expm1(draws_[trunk] * std::log1p(-1 / n));
      links += ports_ && n > 1 ? hit : 1;
      draws_[trunk] = 0;
    }
    touched_.clear();
    return links;
  }

  const Fabric& fabric_;
  const PathPolicy& routing_;
  const bool exact_, ports_;
  std::uint32_t opened_ = 0;
  Amounts last_;
  Table<TrunkId, double> draws_;
  std::vector<TrunkId> touched_;
  TrunkPath path_;
};

/// Walks through a step and asks for every bundle once. Stages that use the same kind of group are alike: the first and the
/// last of them are looked at, and the larger one stands for all.
class StepCounter {
 public:
  StepCounter(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement)
      : s_(scenario),
        step_(step),
        live_(fabric),
        links_(links_of(*scenario.workload.gpu)),
        routing_(path_policy_of(scenario.routing)),
        counter_(fabric, routing_, flow_options(scenario, step.layout.ranks()).exact),
        traffic_(step, fabric, placement, live_, links_, exchange_way(scenario, fabric), scenario.transport.strict_priority, {},
                 counter_) {}

  void run() {
    for (std::uint32_t stage = 0; stage < step_.pipeline.stages; stage++) add(stage);
    for (const auto& [key, use] : uses_) {
      Amounts most = measure(use, use.first);
      if (use.last != use.first) {
        const Amounts other = measure(use, use.last);
        if (other.edges + other.crossings > most.edges + most.crossings) most = other;
      }
      if (most.edges == 0) continue;
      sum_.edges += most.edges * use.stages, sum_.flows += most.flows * use.stages;
      sum_.crossings += most.crossings * use.stages;
      calls_ += use.calls, intervals_ += use.calls * most.flows;
    }
  }
  [[nodiscard]] const Amounts& sum() const { return sum_; }
  [[nodiscard]] double calls() const { return calls_; }
  /// Times in which a flow has one rate, at least.
  [[nodiscard]] double intervals() const { return intervals_; }
  [[nodiscard]] double links() const { return static_cast<double>(counter_.links()); }

 private:
  using Key = std::tuple<GroupKind, std::uint32_t, std::uint32_t, bool, CollectiveKind, bool>;
  struct Use {
    Op op;                                        // one of those that use it; of a boundary none
    std::uint32_t first = 0, last = 0, next = 0;  // stages; next: of a boundary, where it leads to from the first
    double stages = 0, calls = 0;
  };

  void note(const Op& op, std::uint32_t stage, double calls) {
    if (op.kind != OpKind::collective || op.group.size == 1) return;
    const Group& g = op.group;
    const bool of_its_own = op.by_switches || op.collective == CollectiveKind::all_to_all;  // others share a ring
    const bool back = op.from_experts && step_.routing.loads.uneven();                      // the other way round
    note(uses_[Key{g.kind, g.size, g.stride, g.mirrored, of_its_own ? op.collective : CollectiveKind::all_reduce, back}], op,
         stage, calls);
  }
  static void note(Use& use, const Op& op, std::uint32_t stage, double calls) {
    if (use.stages == 0) use.op = op, use.first = stage;
    if (use.stages == 0 || use.last != stage) use.stages++, use.last = stage;
    use.calls += calls;
  }

  void add(std::uint32_t stage) {
    std::map<std::pair<std::uint16_t, PassKind>, double> passes;
    for (const Slot& slot : step_.pipeline.order[stage]) passes[{slot.chunk, slot.kind}]++;
    for (const auto& [pass, times] : passes) {
      const auto [chunk, kind] = pass;
      const VirtualStageWork& work = step_.work({stage, chunk});
      for (const Segment& segment : kind == PassKind::forward ? work.forward : work.backward)
        for (const Op& op : segment.ops)
          if (kind == PassKind::forward || takes_part(op, kind)) note(op, stage, times * segment.repeats);
      const Seat seat{stage, chunk};
      const auto to = kind == PassKind::forward ? step_.pipeline.after(seat) : step_.pipeline.before(seat);
      if (kind == PassKind::weight_gradient || !to || to->stage == stage) continue;
      const std::uint32_t apart = std::max(stage, to->stage) - std::min(stage, to->stage);
      Use& boundary = uses_[Key{GroupKind::pipeline, apart, to->stage > stage ? 1 : 0, false, CollectiveKind::send, false}];
      if (boundary.stages == 0) boundary.next = to->stage;
      note(boundary, Op(), stage, times);
    }
    for (const auto* chunks : {&step_.stages[stage].gradients, &step_.stages[stage].gathers})
      for (const std::vector<Op>& ops : *chunks)
        for (const Op& op : ops)
          note(op, stage,
               std::ceil(static_cast<double>(op.size.count()) / static_cast<double>(s_.workload.parallel.bucket.count())));
  }

  Amounts measure(const Use& use, std::uint32_t stage) {
    const std::uint32_t before = counter_.opened();
    if (use.op.kind == OpKind::collective)
      traffic_.item(use.op, stage);
    else if (stage == use.first)
      traffic_.boundary(stage, use.next);
    return counter_.opened() > before ? counter_.last() : Amounts{};
  }

  const Scenario& s_;
  const Step& step_;
  const LivePorts live_;
  const ClusterLinks links_;
  const PathPolicy routing_;
  BundleCounter counter_;
  StepTraffic traffic_;
  std::map<Key, Use> uses_;
  Amounts sum_;
  double calls_ = 0, intervals_ = 0;
};

/// More than so many intervals are given up, and nobody looks at them.
double interval_bytes(const StepCounter& counter) {
  constexpr double kMost = kMaxRateIntervals, kChanges = 1.5;  // of a flow's rate, while a collective lasts
  const double remembered = std::min(kRememberedRates, 12 * counter.intervals() * counter.sum().flows);
  if (counter.intervals() > kMost) return remembered + 1.5 * kMost * kIntervalRecord;
  return remembered + std::min(kMost, kChanges * counter.intervals()) * kIntervalBytes;
}

}  // namespace

StepMemory step_memory(const Step& step, const Fabric& fabric) {
  return {
      .fabric = bytes_at_most(kStepProgram + fabric_bytes(fabric)), .bundles = {}, .calls = bytes_at_most(pass_bytes(step))};
}

StepMemory step_memory(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement) {
  StepCounter counter(scenario, step, fabric, placement);
  counter.run();
  const Amounts& sum = counter.sum();
  const auto ports = static_cast<double>(fabric.port_from.size()), trunks = static_cast<double>(fabric.trunk_tier.size());
  const double program = scenario.engine.fidelity == Fidelity::packet ? 0 : kStepProgram;  // packets count it, too
  return {.fabric = bytes_at_most(program + fabric_bytes(fabric) + kCountedPort * ports + kCountedTrunk * trunks +
                                  kLinkBytes * counter.links()),
          .bundles = bytes_at_most(kEdgeBytes * sum.edges + kFlowBytes * sum.flows + kCrossingBytes * sum.crossings),
          .calls = bytes_at_most(pass_bytes(step) + grown(counter.calls(), kCallRecord) + kCallBytes * counter.calls() +
                                 interval_bytes(counter))};
}

Diagnostics too_large_step(const Scenario& scenario, const StepMemory& memory, Bytes limit) {
  if (memory.total() <= limit) return {};
  const Bytes others = memory.fabric + memory.bundles;
  const bool many_calls = memory.calls > others;
  const auto room = static_cast<double>((limit - (many_calls ? others : memory.calls)).count());
  const double share = room / static_cast<double>((many_calls ? memory.calls : others).count());
  const double now = many_calls ? *scenario.workload.training.global_batch : *scenario.workload.gpus;
  const std::string fits = format_count(static_cast<std::uint64_t>(std::max(1.0, now * share)));
  const std::string hint = share <= 0   ? "use fewer GPUs and a smaller global_batch"
                           : many_calls ? fmt::format("use a global_batch of about {} or less", fits)
                                        : fmt::format("use about {} GPUs or fewer", fits);
  return {{Severity::error, "RY-RUN-034",
           fmt::format("this run may need {} of memory ({} for {}); the limit is {}", format(memory.total()),
                       format(many_calls ? memory.calls : others),
                       many_calls ? "passes and collectives as they happen" : "ports and who sends to whom", format(limit)),
           hint, scenario.keys.where(many_calls ? "training.global_batch" : "cluster.gpus")}};
}

}  // namespace railyard
