#include "tools/goodput/make_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/goodput/closed_form.h"
#include "tools/goodput/span_text.h"

namespace railyard {

namespace {

/// About half a minute of one core; what to change costs that several times.
constexpr double kMostInterruptions = 1e8;

/// Below this share of the time a job gets nowhere: restarts are interrupted before they end.
constexpr double kLeastShare = 0.01;

/// Parts of the cluster that the job uses, by what fails of them.
class Parts {
 public:
  Parts(const Scenario& scenario, const Run& run, TrainingWeeks& weeks)
      : s_(scenario), plan_(*scenario.reliability), run_(run), weeks_(weeks) {}

  void add_all() {
    const std::uint64_t servers = weeks_.servers, nics = servers * s_.fabric.interfaces_per_node;
    add("server", "node_mtbf", plan_.node_mtbf, servers, 1);
    add("GPU", "gpu_mtbf", plan_.gpu_mtbf, weeks_.gpus, 1);
    add("host", "host_mtbf", plan_.host_mtbf, servers, 1);
    add("NIC", "nic_mtbf", plan_.nic_mtbf, nics, 1);
    if (s_.fabric.planes == 1) {  // with several, another plane carries on
      add("link", "link_mtbf", plan_.link_mtbf, nics * s_.fabric.ports, 1);
      add_switches(nics);
    }
    add("software", "software_mtbf", plan_.software_mtbf, weeks_.gpus, 0);
    if (!plan_.planned_interval) return;
    add("planned", "planned_interval", plan_.planned_interval, 1, 0);
    weeks_.job.causes.back().planned = true;
    weeks_.job.causes.back().detection = 0;
    weeks_.job.causes.back().parts = 0;
  }

 private:
  void add(const char* name, const char* key, const std::optional<Milliseconds>& mtbf, std::uint64_t parts,
           std::uint32_t nodes) {
    if (!mtbf || parts == 0) return;
    const auto origin = plan_.origins.find(key);
    weeks_.job.causes.push_back({.name = name,
                                 .rate = static_cast<double>(parts) / seconds(*mtbf),
                                 .detection = seconds(plan_.detection),
                                 .nodes = nodes,
                                 .planned = false,
                                 .parts = parts,
                                 .mtbf = seconds(*mtbf),
                                 .key = key,
                                 .origin = origin == plan_.origins.end() ? Origin{} : origin->second});
  }

  /// Leaf switches take all servers below with them; those above them are taken to be redundant.
  void add_switches(std::uint64_t nics) {
    if (!run_.training->reach) return;  // no fabric is described
    const Fabric& fabric = run_.fabric;
    const double used = static_cast<double>(weeks_.gpus) / std::max(1U, fabric.endpoints());
    const auto leaves = static_cast<std::uint64_t>(std::ceil(fabric.count(NodeKind::leaf) * used));
    if (leaves == 0) return;
    const std::uint32_t of_server = std::max(1U, s_.fabric.interfaces_per_node / std::max(1U, fabric.rails));
    const std::uint64_t below = (nics + leaves - 1) / leaves;
    add("leaf switch", "switch_mtbf", plan_.switch_mtbf, leaves,
        static_cast<std::uint32_t>(std::min<std::uint64_t>(weeks_.servers, (below + of_server - 1) / of_server)));
  }

  const Scenario& s_;
  const ReliabilityPlan& plan_;
  const Run& run_;
  TrainingWeeks& weeks_;
};

/// As a whole number of steps, at least one.
double whole_steps(double span, double step) { return std::max(1.0, std::round(span / step)); }

void choose_interval(const ReliabilityPlan& plan, TrainingWeeks& weeks) {
  TrainingJob& job = weeks.job;
  double failing = 0;
  for (const Cause& cause : job.causes) failing += cause.planned ? 0 : cause.rate;
  const double step = weeks.step_s;
  const double best = failing > 0 ? (job.stall > 0 ? best_interval(job.stall, failing) : step) : job.work;
  // What is being written must be there before the next one is.
  const double steps = std::max(whole_steps(best, step), std::ceil(job.lag / step));
  weeks.best_interval_s = steps * step;
  weeks.interval_given = plan.checkpoint_interval.has_value();
  weeks.interval_steps = weeks.interval_given ? whole_steps(seconds(*plan.checkpoint_interval), step) : steps;
  job.interval = weeks.interval_steps * step;
}

Diagnostic missing_tokens(const Scenario& s) {
  return {Severity::error, "RY-REL-001", "the key 'tokens' is missing: nothing says how much is to be trained",
          "add tokens = 15.6e12 to [training], or ask what some days yield with --days 90", s.keys.where("training")};
}

/// What does not fit together once times are known.
void find_contradictions(const Scenario& s, const TrainingWeeks& weeks, std::uint32_t runs, Diagnostics& found) {
  const ReliabilityPlan& plan = *s.reliability;
  const double checkpoint = weeks.job.stall + weeks.job.lag;
  if (weeks.interval_given && checkpoint > weeks.job.interval)
    found.push_back({Severity::error, "RY-REL-003",
                     fmt::format("a checkpoint takes {} and one is asked for every {} of training", span_text(checkpoint),
                                 span_text(weeks.job.interval)),
                     fmt::format("use an interval of {} (the best here), or faster storage", span_text(weeks.best_interval_s)),
                     s.keys.where("reliability.checkpoint_interval")});
  if (plan.spares.value_or(0) > weeks.servers)
    found.push_back({Severity::error, "RY-REL-004",
                     fmt::format("spares = {} is more than the {} servers of the job", *plan.spares, weeks.servers),
                     "spares are servers, not GPUs: use fewer", s.keys.where("reliability.spares")});
  if (!found.empty()) return;
  const double share = expected_share(weeks.job), time = std::min(weeks.job.horizon, weeks.job.work / share);
  const double drawn = time * (weeks.job.rate() + weeks.job.stragglers.rate) * runs;
  if (share < kLeastShare)
    found.push_back({Severity::error, "RY-REL-005",
                     fmt::format("the job makes no headway: something fails every {}, and a checkpoint with the {} before it "
                                 "and the restart after it take longer",
                                 span_text(1 / weeks.job.rate()), span_text(weeks.job.interval)),
                     "check the times between failures (of one part each, not of the cluster); shorten restart, detection "
                     "or checkpoint_interval",
                     s.keys.where("reliability")});
  else if (drawn > kMostInterruptions)
    found.push_back({Severity::error, "RY-REL-007",
                     fmt::format("{} runs have about {:.1e} interruptions together, more than can be drawn", runs, drawn),
                     "use fewer --runs, or check tokens and the times between failures (of one part each)",
                     s.keys.where("reliability")});
}

}  // namespace

Result<TrainingWeeks> make_training_weeks(const Scenario& s, const Run& run, const GoodputRequest& request) {
  const ReliabilityPlan& plan = *s.reliability;
  TrainingWeeks weeks;
  Diagnostics found;
  weeks.gpus = run.training->step.layout.ranks();
  weeks.servers = weeks.gpus / s.fabric.per_node;
  weeks.step_s = plan.step_time ? seconds(*plan.step_time) : seconds(run.training->time);
  weeks.tokens_per_step = static_cast<double>(run.training->step.tokens);
  if (!request.days && !s.workload.training.tokens) found.push_back(missing_tokens(s));
  Parts(s, run, weeks).add_all();
  if (std::none_of(weeks.job.causes.begin(), weeks.job.causes.end(), [](const Cause& c) { return !c.planned; }))
    found.push_back({Severity::error, "RY-REL-002", "nothing fails: no time between failures (MTBF) is given",
                     "add profile = \"llama3-h100\" to [reliability], or gpu_mtbf, host_mtbf, … of your own",
                     s.keys.where("reliability")});
  if (!found.empty()) return found;

  TrainingJob& job = weeks.job;
  if (request.days) job.horizon = *request.days * kDaySeconds;
  weeks.tokens = request.days ? job.horizon / weeks.step_s * weeks.tokens_per_step : *s.workload.training.tokens;
  job.work = request.days ? 2 * job.horizon : std::ceil(weeks.tokens / weeks.tokens_per_step) * weeks.step_s;
  weeks.checkpoint = checkpoint_cost(s, run);
  job.stall = weeks.checkpoint.stall, job.lag = weeks.checkpoint.lag;
  job.restart = seconds(plan.restart), job.load = weeks.checkpoint.read;
  job.spares = {plan.spares, seconds(plan.repair), plan.repair_crews};
  if (plan.straggler_mtbf)
    job.stragglers = {weeks.servers / seconds(*plan.straggler_mtbf), plan.straggler_slowdown,
                      seconds(plan.straggler_detection)};
  choose_interval(plan, weeks);
  find_contradictions(s, weeks, request.runs, found);
  if (!found.empty()) return found;
  return weeks;
}

}  // namespace railyard
