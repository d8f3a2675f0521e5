// Tables of what the network does to the job: latency, MFU, time, transports.
#include <fmt/format.h>
#include <cmath>

#include <algorithm>

#include "tools/compare/figures.h"
#include "tools/compare/transports.h"
#include "tools/compare/trials.h"

namespace railyard {

namespace {

const Trial* trial_of(const ComparedRun& run, std::string_view kind) {
  const auto found = std::find_if(run.trials.begin(), run.trials.end(), [&](const Trial& t) { return t.kind == kind; });
  return found == run.trials.end() || found->step_s <= 0 ? nullptr : &*found;
}

/// Less than a ten-thousandth is rounding of other things, and its sign means nothing.
std::string change_text(double share) { return std::abs(share) < 1e-4 ? "< 0.01 %" : fmt::format("{:+.2f} %", share * 100); }

/// How much longer a step takes with a disturbance.
FigureColumn disturbance(const char* id, const char* title, const char* kind, const char* formula) {
  return {id, title, Align::right, formula, [kind](const ComparedRun& run) {
            const Trial* const trial = trial_of(run, kind);
            if (!trial) return Figure{};
            const double step = step_of(run).step_time_s;
            return Figure{change_text(trial->step_s / step - 1), "step_time_s", "simulated", trial->command};
          }};
}

FigureColumn latency_column(const char* id, const char* title, std::optional<double> MessageLatency::*member) {
  return {id, title, Align::right,
          "64 bytes from GPU to GPU on the idle network: host latency twice, links, switches, serialisation",
          [member](const ComparedRun& run) {
            const std::optional<double>& us = run.latency.*member;
            return us ? derived(fmt::format("{:.2f} µs", *us), "latency") : Figure{};  // beside the results, in compare --json
          }};
}

/// How uneven calls of one kind are: of the kind whose 99th percentile is furthest from its median.
Figure widest_spread(const ComparedRun& run) {
  if (!run.analysed.network) return {};
  const std::vector<OpRow>& ops = run.analysed.network->ops;
  double widest = 0;
  std::size_t of = 0;
  for (std::size_t i = 0; i < ops.size(); i++)
    if (ops[i].p50_s > 0 && ops[i].p99_s / ops[i].p50_s > widest) widest = ops[i].p99_s / ops[i].p50_s, of = i;
  if (widest == 0) return {};
  const std::string path = fmt::format("network.ops[{}].p99_s", of);
  number_at(run.results, path, ops[of].p99_s);
  return derived(fmt::format("{:.2f} ×, {}", widest, ops[of].name), path);
}

/// A part of the step, in seconds, and where the results have it.
struct StepPart {
  const char* path;
  double (*of)(const StepBreakdown&);
};
using Parts = const StepBreakdown&;
constexpr StepPart kCompute{"breakdown.compute_s", [](Parts b) { return b.compute; }};
constexpr StepPart kBubble{"breakdown.bubble_s", [](Parts b) { return b.bubble; }};
constexpr StepPart kSlowed{"breakdown.contention_s", [](Parts b) { return b.contention; }};
constexpr StepPart kTensor{"breakdown.exposed_s.tensor", [](Parts b) { return b.exposed.tensor; }};
constexpr StepPart kContext{"breakdown.exposed_s.context", [](Parts b) { return b.exposed.context; }};
constexpr StepPart kExpert{"breakdown.exposed_s.expert", [](Parts b) { return b.exposed.expert; }};
constexpr StepPart kPipeline{"breakdown.exposed_s.pipeline", [](Parts b) { return b.exposed.pipeline; }};
constexpr StepPart kData{"breakdown.exposed_s.data", [](Parts b) { return b.exposed.data; }};
constexpr StepPart kOptimizer{"breakdown.optimizer_s", [](Parts b) { return b.optimizer; }};

double seconds_of(const StepPart& part, const ComparedRun& run) {
  return number_at(run.results, part.path, part.of(step_of(run).breakdown));
}

struct Loss {
  StepPart part;
  const char* name;
};
constexpr Loss kLosses[] = {{kBubble, "waiting for stages"},    {kSlowed, "compute slowed by comm."},
                            {kTensor, "tensor-parallel comm."}, {kContext, "context-parallel comm."},
                            {kExpert, "expert all-to-all"},     {kPipeline, "pipeline comm."},
                            {kData, "data-parallel comm."},     {kOptimizer, "optimizer"}};

/// What takes most of the step beside compute.
Figure largest_loss(const ComparedRun& run) {
  const Loss* worst = nullptr;
  double most = 0;
  for (const Loss& loss : kLosses)
    if (const double s = seconds_of(loss.part, run); s > most) most = s, worst = &loss;
  if (!worst) return {};
  return derived(fmt::format("{}, {}", worst->name, percent_text(most / step_of(run).step_time_s)), worst->part.path);
}

/// A part of the step as a share of it.
FigureColumn share_of_step(const char* id, const char* title, const StepPart& part, const char* formula) {
  return {id, title, Align::right, formula, [part](const ComparedRun& run) {
            const double time = seconds_of(part, run);
            return time > 0 ? derived(percent_text(time / step_of(run).step_time_s), part.path) : Figure{};
          }};
}

bool is_this(const ComparedRun& run, std::string_view kind) {
  const Scenario& s = run.scenario;
  if (kind == kOverInfiniband) return s.transport.kind == TransportKind::infiniband;
  if (kind == kOverUltraEthernet) return s.transport.kind == TransportKind::uec;
  if (kind == kOverTcp) return s.transport.kind == TransportKind::tcp;
  if (s.transport.kind != TransportKind::roce) return false;
  return kind == kOverRoceAdaptive ? s.routing.policy == RoutingPolicy::adaptive
                                   : s.routing.policy == RoutingPolicy::ecmp && s.routing.qps_per_connection == 1;
}

std::optional<double> step_over(const ComparedRun& run, std::string_view kind) {
  if (run.scenario.engine.fidelity == Fidelity::analytic) return std::nullopt;  // an idle network: all are alike
  if (is_this(run, kind)) return step_of(run).step_time_s;
  const Trial* const trial = trial_of(run, kind);
  return trial ? std::optional<double>(trial->step_s) : std::nullopt;
}

std::string command_over(const ComparedRun& run, std::string_view kind) {
  const Trial* const trial = is_this(run, kind) ? nullptr : trial_of(run, kind);
  return trial ? trial->command : run.command;
}

FigureColumn step_column(const char* id, const char* title, const char* kind) {
  return {id, title, Align::right, "step time of the same job over this transport, everything else equal",
          [kind](const ComparedRun& run) {
            const std::optional<double> step = step_over(run, kind);
            const Trial* const trial = trial_of(run, kind);
            if (!step) return Figure{};
            return Figure{seconds_text(*step), "step_time_s", "simulated", trial ? trial->command : run.command};
          }};
}

FigureColumn against_infiniband(const char* id, const char* title, const char* kind) {
  return {id, title, Align::right, "step time over InfiniBand / step time over this transport", [kind](const ComparedRun& run) {
            const std::optional<double> other = step_over(run, kind), infiniband = step_over(run, kOverInfiniband);
            if (!other || !infiniband) return Figure{};
            return Figure{percent_text(*infiniband / *other), "step_time_s", "simulated",
                          fmt::format("{}; {}", command_over(run, kOverInfiniband), command_over(run, kind))};
          }};
}

/// A number of the slice as it is.
FigureColumn slice_column(const char* id, const char* title, const char* path, double (*value)(const SliceResults&),
                          const char* formula, std::function<std::string(double)> text) {
  return {id, title, Align::right, formula, [path, value, text](const ComparedRun& run) {
            if (run.slices.empty() || !run.slices.front().analysed) return Figure{};
            const SliceTrial& trial = run.slices.front();
            return Figure{text(number_at(trial.slice, path, value(*trial.analysed))), fmt::format("slice.{}", path),
                          "simulated", trial.command};
          }};
}

/// The same of what packets did.
template<auto Member>
FigureColumn count_column(const char* id, const char* title, const char* path, const char* formula) {
  return slice_column(
      id, title, path, [](const SliceResults& s) { return static_cast<double>(*s.traffic.packets.*Member); }, formula,
      count_text);
}

}  // namespace

FigureTable congestion_table() {
  return {"congestion",
          "Congestion, packet by packet",
          "100 µs of the collective that moves most bytes, every packet simulated, queues empty at the start. Not for networks "
          "of more than "
          "32,768 endpoints. To flows: rate of the edge whose packets are slowest over its mean in the flow engine, of the "
          "whole collective. Stalls: for want of credits.",
          {count_column<&PacketResults::hops>("packets", "hops", "packet_hops", "links crossed by packets"),
           count_column<&PacketResults::marked>("marked", "marked", "ecn.marked", "packets that a switch marked (ECN)"),
           count_column<&PacketResults::pauses>("pauses", "pauses", "pfc.pauses", "PFC pause frames that paused a port"),
           count_column<&PacketResults::credit_stalls>("stalls", "stalls", "credits.stalls",
                                                       "times that a port had no credits left (InfiniBand)"),
           count_column<&PacketResults::drops>("drops", "drops", "drops", "packets thrown away"),
           slice_column(
               "depth", "p99 deep", "queue_depth_bytes.p99",
               [](const SliceResults& s) { return static_cast<double>(s.traffic.packets->depth.p99); },
               "backlog that data packets found, 99th percentile", amount_text),
           slice_column(
               "deepest", "deepest", "queue_depth_bytes.max",
               [](const SliceResults& s) { return static_cast<double>(s.traffic.packets->depth.max); },
               "the largest backlog any packet found", amount_text),
           slice_column(
               "slowest", "slowest", "receiver_gbps.min", [](const SliceResults& s) { return s.traffic.receiver_least_gbps; },
               "rate of the slowest receiver", rate_text),
           slice_column(
               "to-flows", "to flows", "ratio", [](const SliceResults& s) { return s.ratio; },
               "slowest edge: packets over flows", [](double ratio) { return fmt::format("{:.2f}", ratio); })}};
}

FigureTable latency_table() {
  return {
      "latency",
      "Latency and jitter",
      "The documents of docs/claims.md ask for less than 5 µs in a rack and 20 µs between racks, and say that 50 to 100 µs on "
      "one collective "
      "halve MFU. "
      "p99/median: of calls of one kind of collective, the most uneven. Late: the last call of every collective of the first "
      "stage begins 100 µs late. Straggler: in every stage a GPU is 5 % slower.",
      {latency_column("same-leaf", "same leaf", &MessageLatency::same_leaf_us),
       latency_column("across-leaves", "across leaves", &MessageLatency::across_leaves_us),
       latency_column("across-pods", "across pods", &MessageLatency::across_pods_us),
       {"spread", "p99/median", Align::left, "of all calls of the kind of collective that is most uneven: p99_s / p50_s",
        widest_spread},
       disturbance("late", "100 µs late", kJitter, "step with the delay / step - 1"),
       disturbance("straggler", "straggler", kStraggler, "step with training.straggler = 0.05 / step - 1")}};
}

FigureTable mfu_table() {
  return {
      "mfu",
      "Model FLOP utilisation",
      "Of peak dense bf16, attention counted over what a token may see (causal). Constraint, found: what takes most of the "
      "step "
      "beside "
      "compute.",
      {claimed_column("mfu"),
       published_column("mfu"),
       path_column(
           "simulated", "simulated", "mfu.causal", [](const Results& r) { return r.step->mfu.causal; },
           "model FLOP of a step / (step time × GPUs × peak); causal attention", percent_text),
       path_column(
           "full", "full attn.", "mfu.full", [](const Results& r) { return r.step->mfu.full; },
           "the same with attention counted over the whole square", percent_text),
       claimed_column("constraint", "constraint claimed"),
       {"constraint", "found", Align::left, "the largest share of the mean stage's step that is not compute", largest_loss}}};
}

FigureTable time_table() {
  return {
      "time",
      "Where a step's time goes",
      "Shares of the mean stage's step. Slowed: what compute loses to communication beside it. Exposed: communication that "
      "nothing runs beside. Waiting: for other stages, which is the pipeline's own bubble and what communication adds to it.",
      {path_column(
           "step", "step", "step_time_s", [](const Results& r) { return r.step->step_time_s; },
           "first pass to the end of the optimizer", seconds_text),
       share_of_step("compute", "compute", kCompute, "compute of the mean stage / step time"),
       share_of_step("contention", "slowed", kSlowed, "what compute loses to communication beside it / step time"),
       share_of_step("bubble", "waiting", kBubble, "waiting for other stages / step time"),
       share_of_step("tensor", "TP exposed", kTensor, "exposed tensor-parallel communication / step time"),
       share_of_step("expert", "EP exposed", kExpert, "exposed expert all-to-alls / step time"),
       share_of_step("data", "DP exposed", kData, "exposed gradients and parameters / step time"),
       share_of_step("pipeline", "PP exposed", kPipeline, "exposed activations between stages / step time")}};
}

FigureTable transports_table() {
  return {
      "transports",
      "One transport against another",
      "The same job on a fabric of the same shape. The documents of docs/claims.md say that tuned RoCE reaches 90 to 95 % of "
      "InfiniBand. What "
      "differs here is how flows are spread (UEC: Ultra Ethernet, which sprays packets; TCP is hashed) and latency: TCP "
      "is the kernel's. Headers are one share of a port for all, and what congestion control loses is left out for all, unless "
      "engine.calibrated is true (railyard calibrate).",
      {step_column("ecmp", "RoCE, ECMP", kOverRoceEcmp), step_column("adaptive", "RoCE, adaptive", kOverRoceAdaptive),
       step_column("uec", "UEC", kOverUltraEthernet), step_column("tcp", "TCP", kOverTcp),
       step_column("infiniband", "InfiniBand", kOverInfiniband), against_infiniband("ecmp-share", "ECMP of IB", kOverRoceEcmp),
       against_infiniband("adaptive-share", "adaptive of IB", kOverRoceAdaptive),
       against_infiniband("uec-share", "UEC of IB", kOverUltraEthernet),
       against_infiniband("tcp-share", "TCP of IB", kOverTcp)}};
}

}  // namespace railyard
