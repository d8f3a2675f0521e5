#include "analysis/step/step_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/step/crossing.h"

namespace railyard {

namespace {

constexpr std::size_t kExampleRanks = 4;

using Times = std::array<Picoseconds, kGroupKinds>;

/// Adds 1/n of the times of one stage.
void add_mean(const Times& times, double n, StepBreakdown::ByGroup& to) {
  const auto at = [&](GroupKind kind) { return seconds(times[index(kind)]) / n; };
  to.tensor += at(GroupKind::tensor) + at(GroupKind::expert_tensor);
  to.context += at(GroupKind::context);
  to.expert += at(GroupKind::expert);
  to.pipeline += at(GroupKind::pipeline);
  to.data += at(GroupKind::data) + at(GroupKind::expert_data) + at(GroupKind::embedding);
}

StepBreakdown breakdown_of(const std::vector<StageTime>& stages) {
  StepBreakdown b;
  const auto n = static_cast<double>(stages.size());
  for (const StageTime& time : stages) {
    b.compute += seconds(time.compute) / n;
    b.contention += seconds(time.contention) / n;
    b.bubble += seconds(time.bubble) / n;
    b.optimizer += seconds(time.optimizer) / n;
    b.host += seconds(time.host) / n;
    add_mean(time.exposed, n, b.exposed);
    add_mean(time.hidden, n, b.hidden);
  }
  return b;
}

double sum_of(const StepBreakdown::ByGroup& g) { return g.tensor + g.context + g.expert + g.pipeline + g.data; }

/// What is left of a sum when its parts are taken away; less than is counted is what rounding left.
double rest_of(double sum, double parts) { return sum - parts < seconds(Picoseconds(1)) ? 0 : sum - parts; }

/// Stages that wait for each other may end a little sooner if something takes longer: nothing costs less than nothing.
StepCost cost_of(const StepRun& run) {
  const StepBreakdown none = breakdown_of(run.free.stages);
  const double step = seconds(run.time);
  StepCost cost;
  cost.without_links = std::min(step, seconds(run.free.time));
  cost.without_network = std::clamp(seconds(run.free.without_network), cost.without_links, step);
  const double scale = cost.without_links / seconds(run.free.time);
  cost.compute = none.compute * scale;
  cost.host = none.host * scale;
  cost.optimizer = none.optimizer * scale;
  cost.bubble = rest_of(cost.without_links, cost.compute + cost.host + cost.optimizer);
  const StepBreakdown with = breakdown_of(run.stages), without = breakdown_of(run.free.stages_without_network);
  const double network = step - cost.without_network;
  cost.network_exposed = std::clamp(sum_of(with.exposed) - sum_of(without.exposed), 0.0, network);
  cost.network_contention = std::clamp(with.contention - without.contention, 0.0, network - cost.network_exposed);
  cost.network_bubble = rest_of(network, cost.network_exposed + cost.network_contention);
  return cost;
}

PassSums passes_of(const std::vector<PassTime>& passes) {
  PassSums sums;
  for (std::size_t i = 0; i < passes.size(); i++) {
    const double time = seconds(passes[i].end - passes[i].start);
    if (passes[i].slot.with_next) {
      sums.interleaved += time;
      i++;  // its partner took the same time
      continue;
    }
    switch (passes[i].slot.kind) {
      case PassKind::forward:
        sums.forward += time;
        break;
      case PassKind::backward:
        sums.backward += time;
        break;
      case PassKind::input_gradient:
        sums.input_gradient += time;
        break;
      case PassKind::weight_gradient:
        sums.weight_gradient += time;
        break;
    }
  }
  return sums;
}

/// Sums ops of the whole step into rows by what they are and when they happen.
class TrafficCounter {
 public:
  explicit TrafficCounter(const StepRun& run) : run_(run), stages_(run.step.pipeline.stages) {}

  std::vector<TrafficRow> rows() {
    const Step& step = run_.step;
    for (std::uint32_t stage = 0; stage < stages_; stage++) {
      for (const Slot& slot : step.pipeline.order[stage]) passes_[{step.work_of[stage][slot.chunk], slot.kind}]++;
      for (const auto& ops : step.stages[stage].gradients)
        for (const Op& op : ops) add("gradients", op, 1);
      for (const auto& ops : step.stages[stage].gathers)
        for (const Op& op : ops) add("parameters", op, 1);
    }
    for (const auto& [pass, times] : passes_) count_pass(step.works[pass.first], pass.second, times);
    count_boundaries();
    std::vector<TrafficRow> rows;
    for (auto& [key, row] : rows_) rows.push_back(std::move(row));
    return rows;
  }

 private:
  void count_pass(const VirtualStageWork& work, PassKind kind, double times) {
    const bool is_forward = kind == PassKind::forward;
    for (const Segment& segment : is_forward ? work.forward : work.backward)
      for (const Op& op : segment.ops)
        if (op.kind == OpKind::collective && (is_forward || takes_part(op, kind)))
          add(is_forward ? "forward" : "backward", op, times * segment.repeats);
  }

  void count_boundaries() {
    const PipelinePlan& plan = run_.step.pipeline;
    for (std::uint32_t stage = 0; stage < stages_; stage++)
      for (const Slot& slot : plan.order[stage]) {
        const Seat seat{stage, slot.chunk};
        const bool is_forward = slot.kind == PassKind::forward;
        if (slot.kind == PassKind::weight_gradient) continue;
        const auto to = is_forward ? plan.after(seat) : plan.before(seat);
        if (to && to->stage != stage) add_boundary(is_forward ? "forward" : "backward", crosses(stage, to->stage));
      }
  }

  /// Share of what goes between neighbouring stages. Counted once per pair of them.
  double crosses(std::uint32_t stage, std::uint32_t other) {
    const auto [found, fresh] = crosses_.try_emplace({std::min(stage, other), std::max(stage, other)}, 0);
    if (fresh) found->second = crossing_between(run_.step.layout, stage, other);
    return found->second;
  }

  /// Bytes of an op that leave a domain, on the mean over all groups: its time is that of the group that sends most.
  double leaving(const Op& op, const Sent& sent) {
    if (sent.remote == 0) return 0;
    const auto [found, fresh] = crossing_.try_emplace({op.group.kind, op.group.size, op.group.stride}, Crossing());
    if (fresh) found->second = crossing_of(run_.step.layout, op.group);
    if (op.collective != CollectiveKind::all_to_all) return sent.all * found->second.ring;
    return sent.remote * found->second.pairs / (1 - static_cast<double>(op.group.local) / op.group.size);
  }

  void add_boundary(const std::string& phase, double across) {
    if (run_.step.boundary_gather) add(phase, *run_.step.boundary_gather, 1);
    const Group group = run_.step.layout.group(GroupKind::pipeline);
    TrafficRow& row = rows_[{phase, "boundary", static_cast<int>(GroupKind::pipeline), 0}];
    const auto bytes = static_cast<double>(run_.step.boundary.count());
    row.phase = phase, row.name = "boundary", row.group = name_of(GroupKind::pipeline), row.primitive = "send";
    row.ranks = group.size;
    row.calls += 1.0 / stages_;
    row.size = run_.step.boundary;
    row.sent += bytes / stages_;
    row.scale_out += across * bytes / stages_;
    row.time = std::max(row.time, boundary_time(row.size, across > 0, run_.links));
  }

  void add(const std::string& phase, const Op& op, double times) {
    if (op.group.size == 1) return;
    TrafficRow& row = rows_[{phase, std::string(op.name), static_cast<int>(op.group.kind), static_cast<int>(op.collective)}];
    const Sent sent = sent_by(op);
    row.phase = phase, row.name = op.name, row.group = name_of(op.group.kind), row.primitive = name_of(op.collective);
    row.ranks = op.group.size;
    row.calls += times / stages_;
    row.sent += sent.all * times / stages_;
    row.scale_out += leaving(op, sent) * times / stages_;
    if (op.size > row.size) row.size = op.size, row.time = collective_time(op, run_.links);
  }

  const StepRun& run_;
  std::uint32_t stages_;
  std::map<std::pair<std::uint32_t, PassKind>, double> passes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> crosses_;
  std::map<std::tuple<GroupKind, std::uint32_t, std::uint32_t>, Crossing> crossing_;
  std::map<std::tuple<std::string, std::string, int, int>, TrafficRow> rows_;
};

std::vector<ReachRow> reach_of(const StepRun& run, const std::vector<TrafficRow>& traffic, bool whole_servers) {
  std::vector<ReachRow> rows;
  if (!run.reach) return rows;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    ReachRow row{.group = std::string(name_of(static_cast<GroupKind>(kind)))};
    for (const TrafficRow& t : traffic) {
      if (t.group != row.group) continue;
      const GroupReach& group = (*run.reach)[kind];
      const Reach& reach = t.primitive == name_of(CollectiveKind::all_to_all) ? group.pairs : group.ring;
      // What leaves a domain is known exactly where ranks fill servers in order; else the seats tell.
      const double leaves = whole_servers ? t.scale_out : t.sent * (1 - reach.domain);
      row.sent += t.sent;
      row.domain += t.sent - leaves;
      row.leaf += leaves * reach.leaf;
      row.pod += leaves * reach.pod;
      row.across += leaves * reach.across;
    }
    if (row.sent > 0) rows.push_back(std::move(row));
  }
  return rows;
}

ReachFloor floor_of(const std::vector<ReachRow>& rows, const TierRates& rates) {
  ReachFloor floor;
  const auto add = [](double bytes, double rate, double& to) { to += rate > 0 ? bytes / rate : 0; };
  for (const ReachRow& row : rows) {
    add(row.leaf + row.pod + row.across, rates.nic, floor.nic);
    add(row.pod + row.across, rates.leaf_up, floor.leaf_up);
    add(row.across, rates.pod_up, floor.pod_up);
  }
  return floor;
}

std::vector<GroupRow> groups_of(const StepRun& run) {
  std::vector<GroupRow> rows;
  const Layout& layout = run.step.layout;
  for (std::size_t i = 0; i < kGroupKinds; i++) {
    Group group = layout.group(static_cast<GroupKind>(i));
    const bool of_data = group.kind == GroupKind::data || group.kind == GroupKind::expert_data;
    group.mirrored = of_data && run.step.pipeline.schedule == PipelineSchedule::dualpipe;
    if (group.mirrored) group.size *= 2;
    group = layout.placed(group);
    if (group.kind == GroupKind::embedding && (!run.step.model.tied_embeddings || layout.pipeline == 1)) continue;
    const bool of_experts =
        group.kind == GroupKind::expert || group.kind == GroupKind::expert_tensor || group.kind == GroupKind::expert_data;
    if (of_experts && run.step.model.experts == 0) continue;
    GroupRow row{.kind = std::string(name_of(group.kind)),
                 .ranks = group.size,
                 .stride = 0,
                 .groups = layout.ranks() / group.size,
                 .per_domain = group.local,
                 .example = layout.members(group, 0)};
    row.stride = row.example.size() > 1 ? row.example[1] - row.example[0] : 1;
    if (row.example.size() > kExampleRanks) row.example.resize(kExampleRanks);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string layers_of(const Step& step, std::uint32_t stage) {
  std::string text;
  for (std::uint16_t chunk = 0; chunk < step.pipeline.chunks;) {
    const VirtualStageShape& shape = step.work({stage, chunk}).shape;
    std::uint16_t same = 1;
    while (chunk + same < step.pipeline.chunks && step.work({stage, static_cast<std::uint16_t>(chunk + same)}).shape == shape)
      same++;
    const std::uint32_t layers = shape.dense + shape.moe + shape.mtp;
    text += (text.empty() ? "" : " + ") + (same > 1 ? fmt::format("{}×{}", same, layers) : fmt::format("{}", layers));
    chunk = static_cast<std::uint16_t>(chunk + same);
  }
  return text;
}

StageRow stage_row(const StepRun& run, std::uint32_t stage) {
  const StageWork& work = run.step.stages[stage];
  const StageTime& time = run.stages[stage];
  StageRow row{.stage = stage,
               .layers = layers_of(run.step, stage),
               .parameters = work.held.shared + work.held.experts,
               .memory = work.memory};
  row.compute = seconds(time.compute);
  for (const Picoseconds exposed_time : time.exposed) row.exposed += seconds(exposed_time);
  row.bubble = seconds(time.bubble);
  row.passes = passes_of(run.passes[stage]);
  return row;
}

/// The peak in the format of products, over that of bf16; of a format whose peak is unknown the fastest product anyone
/// measured.
double peak_share_of(const WorkloadPlan& workload) {
  const GpuFact& gpu = workload.gpu->gpu;
  const SpeedFact& speed = workload.gpu->speed;
  FlopsPerSecond peak = gpu.bf16_dense;
  if (workload.training.precision == Precision::fp8)
    peak = std::max({peak, gpu.fp8_dense.value_or(peak), speed.gemm_fp8.value_or(peak)});
  if (workload.training.precision == Precision::fp4) peak = std::max(peak, speed.gemm_fp4.value_or(peak));
  return static_cast<double>(peak.count()) / static_cast<double>(gpu.bf16_dense.count());
}

}  // namespace

StepResults analyse_step(const Scenario& scenario, const StepRun& run) {
  const Step& step = run.step;
  StepResults r;
  const double time = seconds(run.time), gpus = step.layout.ranks(), tokens = static_cast<double>(step.tokens);
  r.step_time_s = time;
  r.tokens_per_s_per_gpu = tokens / time / gpus;
  const auto rate = [&](double flops) { return flops / time / gpus / 1e12; };
  r.tflops_per_gpu = {rate(tokens * (step.flops.products + step.flops.attention_causal)),
                      rate(tokens * (step.flops.products + step.flops.attention_full)), rate(step.hardware_flops)};
  const double peak = static_cast<double>(scenario.workload.gpu->gpu.bf16_dense.count()) / 1e12;
  r.mfu = {r.tflops_per_gpu.causal / peak, r.tflops_per_gpu.full / peak, r.tflops_per_gpu.hardware / peak};
  r.peak_share = peak_share_of(scenario.workload);
  r.parameters = static_cast<double>(total_parameters(step.model));
  r.tokens = step.tokens;
  r.micro_batches = step.pipeline.micro_batches;
  r.breakdown = breakdown_of(run.stages);
  r.cost = cost_of(run);
  r.after_passes_s = seconds(run.time - run.last_backward);
  r.memory = scenario.workload.gpu->gpu.memory;
  r.traffic = TrafficCounter(run).rows();
  const PlacementPolicy policy = scenario.placement.policy;
  r.reach = reach_of(run, r.traffic, policy != PlacementPolicy::along_rails && policy != PlacementPolicy::file);
  r.reach_floor = floor_of(r.reach, run.tier_rates);
  r.groups = groups_of(run);
  for (std::uint32_t stage = 0; stage < step.pipeline.stages; stage++) r.stages.push_back(stage_row(run, stage));
  r.fullest = *std::max_element(r.stages.begin(), r.stages.end(),
                                [](const StageRow& a, const StageRow& b) { return a.memory.total() < b.memory.total(); });
  r.routing_imbalance = step.routing.imbalance;
  r.dropped_share = step.routing.dropped;
  return r;
}

}  // namespace railyard
