#include "tools/goodput/goodput.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "tools/goodput/closed_form.h"

namespace railyard {

namespace {

/// A change that gains less is not worth saying; less hardware is, if it costs no more than the other.
constexpr double kWorthSaying = 0.0005, kWithoutLoss = 0.005;

Diagnostics missing_sections(const Scenario& s) {
  Diagnostics found;
  if (!s.workload.model)
    found.push_back({Severity::error, "RY-REL-006", "nothing is trained: the scenario has no [model]",
                     "name a scenario with a [model]; railyard init writes one", s.keys.file});
  else if (!s.reliability)
    found.push_back({Severity::error, "RY-REL-002", "nothing fails: the scenario has no [reliability]",
                     "add one, or --set reliability.profile=llama3-h100 --set training.tokens=15.6e12", s.keys.file});
  return found;
}

/// Reads the scenario with the change and draws the same failures.
void draw_lever(const Goodput& before, const Run& run, const GoodputQuestion& question, const Catalog& catalog,
                const WeeksDrawer& drawer, GoodputLever& lever) {
  std::vector<std::string> all = question.overrides;
  all.insert(all.end(), lever.set.begin(), lever.set.end());
  lever.command = "railyard goodput " + shell_word(question.name) + set_words(all);
  const Result<Scenario> scenario = load_named_scenario(question.name, catalog, all);
  const Result<TrainingWeeks> weeks =
      scenario ? make_training_weeks(*scenario, run, before.asked) : Result<TrainingWeeks>(scenario.error());
  if (!weeks) {
    lever.refused = weeks.error().front().message;
    return;
  }
  const DrawnWeeks drawn = draw_weeks(weeks->job, before.seed, before.asked.runs, drawer);
  lever.share = drawn.share.mean;
  lever.days = drawn.time.mean / kDaySeconds;
  lever.gain = gain(before.drawn, drawn);
}

void try_levers(const Scenario& scenario, const Run& run, const GoodputQuestion& question, const Catalog& catalog,
                WeeksDrawer drawer, Goodput& out) {
  out.levers = goodput_levers(scenario, out.weeks, out.drawn);
  for (GoodputLever& lever : out.levers) {
    drawer.level++;
    draw_lever(out, run, question, catalog, drawer, lever);
  }
  std::erase_if(out.levers, [](const GoodputLever& lever) {
    return !lever.refused.empty() || lever.gain.mean < (lever.is_cheaper ? -kWithoutLoss : kWorthSaying);
  });
  std::stable_sort(out.levers.begin(), out.levers.end(),
                   [](const GoodputLever& a, const GoodputLever& b) { return a.gain.mean > b.gain.mean; });
}

/// Levels are the scenario as it is, then changes in their order, which follow from what was drawn before.
Diagnostics begin_journal(const GoodputQuestion& question, const GoodputRequest& request, const Catalog& catalog,
                          const Crew& crew, Journal& journal) {
  const bool is_read_once = question.name.empty() || question.name == "-";
  if (is_read_once && request.journal.empty()) return {};
  if (is_read_once)
    return {{Severity::error,
             "RY-SEA-003",
             "a journal is of a scenario that can be read again",
             "write it to a file",
             {request.journal, 0, 0}}};
  const ScenarioText text;
  (void)load_named_scenario(question.name, catalog, question.overrides, {}, &text);
  std::vector<std::string> words = question.overrides;
  words.push_back(text.text());
  words.push_back(fmt::format("goodput {} {:a} {}", request.runs, request.days.value_or(0), question.advice));
  return open_journal(crew, journal, request.journal, name_of_search(Problem{}, words));
}

/// What was given, taken from the catalog or assumed.
void add_inputs(const Scenario& s, Goodput& out) {
  const ReliabilityPlan& plan = *s.reliability;
  const auto add = [&](const char* key, const std::string& value) {
    const auto origin = plan.origins.find(key);
    out.inputs.push_back({std::string("reliability.") + key, value,
                          origin == plan.origins.end() ? Origin{Status::assumed, "not given"} : origin->second});
  };
  for (const Cause& cause : out.weeks.job.causes)
    add(cause.key.c_str(), format(Milliseconds(static_cast<std::int64_t>(cause.mtbf * 1e3))));
  add("detection", format(plan.detection));
  add("restart", format(plan.restart));
  add("checkpoint", std::string(name_of(plan.checkpoint)) + (plan.checkpoint_async ? ", written beside training" : ""));
  if (plan.checkpoint_write) add("checkpoint_write", format(*plan.checkpoint_write));
  if (plan.checkpoint_read) add("checkpoint_read", format(*plan.checkpoint_read));
  if (plan.checkpoint_interval) add("checkpoint_interval", format(*plan.checkpoint_interval));
  add("storage_rate", plan.storage_rate ? format(*plan.storage_rate) : "never the limit");
  add("frontend_rate", plan.frontend_rate ? format(*plan.frontend_rate) : "storage is on the training network");
  if (plan.checkpoint_async) add("snapshot_rate", format(plan.snapshot_rate));
  add("spares", plan.spares ? std::to_string(*plan.spares) : "always enough");
  add("repair", format(plan.repair));
  if (plan.repair_crews) add("repair_crews", std::to_string(*plan.repair_crews));
  add("straggler_mtbf", plan.straggler_mtbf ? format(*plan.straggler_mtbf) : "never");
  if (plan.straggler_mtbf) {
    add("straggler_slowdown", fmt::format("{:g}", plan.straggler_slowdown));
    add("straggler_detection", format(plan.straggler_detection));
  }
  if (plan.step_time) add("step_time", format(*plan.step_time));
}

}  // namespace

double Goodput::ideal_days() const { return (asked.days ? weeks.job.horizon : weeks.job.work) / kDaySeconds; }

double Goodput::tokens() const {
  return asked.days ? drawn.mean.training / weeks.step_s * weeks.tokens_per_step : weeks.tokens;
}

std::string Goodput::cause_name(std::size_t cause) const {
  return cause < weeks.job.causes.size() ? weeks.job.causes[cause].name : "straggler";
}

Result<Goodput> goodput_of(const Scenario& scenario, const GoodputRequest& request, const GoodputQuestion& question,
                           const Catalog& catalog, const Crew& crew, Progress& progress) {
  if (Diagnostics missing = missing_sections(scenario); !missing.empty()) return missing;
  progress.expect(2 * kPartWork);
  const Result<Run> run = [&] {
    Progress part(progress, kPartWork, "the step");
    return simulate(scenario, {.threads = crew.threads()}, part);
  }();
  if (!run) return run.error();
  if (has_errors(run->diagnostics)) return run->diagnostics;
  Result<TrainingWeeks> weeks = make_training_weeks(scenario, *run, request);
  if (!weeks) return weeks.error();
  Goodput out{.name = scenario.name, .asked = request, .seed = scenario.engine.seed, .weeks = std::move(*weeks)};
  out.expected = expected_share(out.weeks.job);
  out.spares_99 = spares_needed(out.weeks.job, 0.01);
  Journal journal;
  if (Diagnostics refused = begin_journal(question, request, catalog, crew, journal); !refused.empty()) return refused;
  Progress draws(progress, kPartWork, "drawing weeks");
  const WeeksDrawer drawer{crew, journal, draws};
  out.drawn = draw_weeks(out.weeks.job, out.seed, request.runs, drawer);
  out.one_s = draw_run(out.weeks.job, out.seed, 0, &out.one).time.all();
  out.diagnostics = run->diagnostics;
  add_inputs(scenario, out);
  if (question.advice) try_levers(scenario, *run, question, catalog, drawer, out);
  if (!journal.is_whole())
    return Diagnostic{Severity::error,
                      "RY-SEA-003",
                      "the journal could not be written to its end",
                      "check the disk",
                      {request.journal, 0, 0}};
  return out;
}

}  // namespace railyard
