#include "cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "analysis/results.h"
#include "answer/advice.h"
#include "answer/interference.h"
#include "answer/levers.h"
#include "answer/serving.h"
#include "answer/verdict.h"
#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/accuracy_command.h"
#include "cli/calibrate_command.h"
#include "cli/capture_command.h"
#include "cli/catalog_command.h"
#include "cli/claims_command.h"
#include "cli/collective_command.h"
#include "cli/compare_command.h"
#include "cli/completion.h"
#include "cli/cost_command.h"
#include "cli/diagnose_command.h"
#include "cli/diff_command.h"
#include "cli/experts_command.h"
#include "cli/exports.h"
#include "cli/fabric_command.h"
#include "cli/faults_command.h"
#include "cli/goodput_command.h"
#include "cli/headroom_command.h"
#include "cli/init_command.h"
#include "cli/jobs_command.h"
#include "cli/keys_command.h"
#include "cli/lint_command.h"
#include "cli/output.h"
#include "cli/place_command.h"
#include "cli/plan_command.h"
#include "cli/progress_line.h"
#include "cli/progress_log.h"
#include "cli/replay_command.h"
#include "cli/run_page.h"
#include "cli/run_team.h"
#include "cli/runs_command.h"
#include "cli/serve_command.h"
#include "cli/serving_command.h"
#include "cli/settings_command.h"
#include "cli/shut_in.h"
#include "cli/sweep_command.h"
#include "cli/tune_command.h"
#include "cli/validate_command.h"
#include "report/results_report.h"
#include "sim/simulate.h"
#include "sim/supported.h"
#include "sim/team.h"
#include "sweep/sweep_check.h"
#include "tools/expect/expect.h"
#include "tools/explain/explain.h"

namespace railyard {

namespace {

Result<Scenario> load(const Options& options) { return load_input(options.files.front(), overrides_of(options), options); }

/// Whether somebody would see what helps. A scenario from stdin cannot be read twice.
bool wants_advice(const Options& options) {
  const bool nobody_sees_it = options.quiet && options.json.empty() && options.page.empty();
  return !options.no_advice && !nobody_sees_it && options.files.front() != "-";
}

/// One line for a run and for the changes that are tried after it. Whether any are is known when it ends, by the work that it
/// was: until then they are expected, unless it takes so long that they will not be.
class RunProgress {
 public:
  RunProgress(const Scenario& scenario, const Options& options)
      : tail_(wants_advice(options) ? work_of_trials(scenario, options.threads) : 0),
        line_(all_, options.quiet, [this](double elapsed_s) { give_up(elapsed_s); }),
        log_(all_, options.progress_fd, [this](double elapsed_s) { give_up(elapsed_s); }) {
    all_.expect(kPartWork + tail_);
  }

  /// For the run, which is the first part.
  [[nodiscard]] Progress& all() { return all_; }
  [[nodiscard]] std::uint64_t run_work() const { return kPartWork; }
  /// The run is over; what trying changes stands for.
  std::uint64_t begin_trials() {
    if (given_up_.exchange(true)) all_.expect(tail_);
    return tail_;
  }

 private:
  static std::uint64_t work_of_trials(const Scenario& scenario, unsigned threads) {
    const std::uint64_t runs =
        (levers_for(scenario, builtin_catalog()).size() + 1) * std::max<std::size_t>(seeds_for(scenario, false).size(), 1);
    return runs * kPartWork / std::max(threads == 0 ? std::thread::hardware_concurrency() : threads, 1U);
  }

  void give_up(double elapsed_s) {
    constexpr double kLong = 5;  // is_quick_to_repeat() is about half a second
    if (elapsed_s > kLong && tail_ > 0 && !given_up_.exchange(true)) all_.drop(tail_);
  }

  Progress all_;
  const std::uint64_t tail_;
  std::atomic<bool> given_up_ = false;  // or begun
  ProgressLine line_;
  ProgressLog log_;
};

Result<Run> simulate_with_progress(const Scenario& scenario, const Options& options) {
  Progress progress;
  const ProgressLine line(progress, options.quiet);
  return simulate(scenario, {.threads = options.threads}, progress);
}

/// What would help, by trying it.
Tried try_changes(const Scenario& scenario, const Results& results, const Options& options, RunProgress& shown) {
  const std::string& file = options.files.front();
  if (!wants_advice(options) || has_errors(results.diagnostics) || !is_quick_to_repeat(results)) return {};
  const std::uint64_t work = shown.begin_trials();
  Progress progress(shown.all(), work);
  Baseline before = baseline_of(scenario, results, id_of_run(file), scenario.name);
  const Question question{file, overrides_of(options), seeds_for(scenario, is_small(results))};
  Tried tried{.tried = true, .draws = question.seeds.size()};
  tried.advice = advise(question, scenario, before, builtin_catalog(), options.threads, progress, tried.without_effect);
  tried.spread = before.draws;
  return tried;
}

/// The answer first, then the evidence, with what was tried.
Report with_answer(Report report, const RunVerdict& verdict, const Tried& tried) {
  report.sections.insert(report.sections.begin(), verdict_section(verdict));
  if (!tried.advice.empty() || !tried.without_effect.empty())
    report.sections.insert(report.sections.begin() + 1, advice_section(tried));
  return report;
}

int run(const Options& options) {
  if (const int refused = stay_within(options)) return refused;
  const Result<std::unique_ptr<RunTeam>> joined = RunTeam::join();
  if (!joined) return complain(joined.error(), options);
  RunTeam* const team = joined->get();
  ScenarioText text;
  const Result<Loaded> loaded = load_input_or_jobs(options.files.front(), overrides_of(options), options, &text);
  const bool is_helper = team && !team->is_first();  // of which nothing is to be seen
  if (const Diagnostics refused = team ? team->refuse(loaded, text, options) : Diagnostics{}; !refused.empty()) {
    if (!is_helper) complain(refused, options);
    team->leave();
    return kBadInput;
  }
  if (!loaded) return complain(loaded.error(), options);
  const std::optional<Scenario>& scenario = loaded->scenario;
  RunOptions choices{.threads = options.threads};
  if (team) {
    choices.threads = std::max(1U, options.threads);  // processes are started for cores
    if (is_helper) return team->assist(*scenario, choices);
  }
  if (options.outputs->overwrite_inputs()) return kBadInput;
  Exports exports(options);
  if (loaded->jobs) return exports.refuse("several jobs") ? kBadInput : run_jobs_command(*loaded->jobs, options);
  if (scenario->workload.serving) return exports.refuse("serving") ? kBadInput : run_serving_command(*scenario, options);
  if (!exports.open(*scenario)) return kBadInput;
  exports.listen(choices);

  const auto start = std::chrono::steady_clock::now();
  std::optional<RunProgress> shown(std::in_place, *scenario, options);
  const Result<Run> run = [&] {
    Progress part(shown->all(), shown->run_work());
    return team ? simulate_together(*scenario, choices, team->post(), part) : simulate(*scenario, choices, part);
  }();
  if (!run) {
    shown.reset();
    return complain(run.error(), options);
  }
  if (team) team->leave();
  if (!exports.finish_recorded()) return kFoundErrors;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

  const Results results = analyse(*scenario, *run);
  const Tried tried = try_changes(*scenario, results, options, *shown);
  shown.reset();
  const RunVerdict verdict = verdict_on(*scenario, results, tried);
  Document document = results_document(results, wall.count());
  document.set("verdict", verdict_document(verdict));
  if (!write_results(document, options)) return kFoundErrors;
  if (!exports.write({*scenario, text.text(), *run, results, document})) return kFoundErrors;
  if (!write_run_page(document, tried.advice, text.text(), options)) return kFoundErrors;  // whoever reads stdout may go away
  const bool is_silent = options.quiet || options.json == "-" || options.flows == "-" || options.page == "-" ||
                         options.exports.trace == "-" || options.exports.metrics == "-" || options.pcap.file == "-";
  if (!is_silent)
    write_terminal(with_answer(results_report(results), verdict, tried), terminal_width(), std::cout);
  else
    for (const Diagnostic& finding : results.diagnostics)
      if (finding.severity == Severity::error) std::cerr << to_text(finding) << '\n';
  if (!is_silent && !options.page.empty()) std::cout << "page: " << printable(options.page) << '\n';
  return has_errors(results.diagnostics) ? kFoundErrors : kFine;
}

/// Of a file with a [sweep]. Standard input can be read once, and a sweep names files in ways that --within does not know.
std::optional<Diagnostics> mistakes_of_axes(const std::string& file, const Options& options) {
  if (file == "-" || !options.within.empty()) return std::nullopt;
  const FileBundle files;
  std::optional<Diagnostics> found = mistakes_of_sweep({file, overrides_of(options), kVersion}, builtin_catalog(), files);
  options.outputs->keep(files.paths());
  return found;
}

Remarks remarks_on_file(const std::string& file, const Options& options) {
  const Result<Loaded> loaded = load_input_or_jobs(file, overrides_of(options), options);
  const auto of_sweep = mistakes_of_axes(file, options);
  if (of_sweep && !(loaded && of_sweep->empty())) return {*of_sweep, {}};
  if (!loaded) return {loaded.error(), {}};
  if (loaded->scenario && !loaded->scenario->workload.serving) return remarks_on(*loaded->scenario);
  JobRemarks found = loaded->jobs ? remarks_on_jobs(*loaded->jobs) : remarks_on_serving(*loaded->scenario);
  return {std::move(found.errors), std::move(found.warnings)};
}

int check(const Options& options) {
  if (const int refused = stay_within(options)) return refused;
  Diagnostics errors, remarks;
  std::ostringstream fine;
  for (const std::string& file : options.files) {
    const Remarks found = remarks_on_file(file, options);
    errors.insert(errors.end(), found.errors.begin(), found.errors.end());
    remarks.insert(remarks.end(), found.warnings.begin(), found.warnings.end());
    if (!found.errors.empty() || options.quiet || options.json == "-") continue;
    fine << printable(file) << ": fine\n";
    show_findings(found.warnings, fine, isatty(STDOUT_FILENO) == 1 ? message_width(STDOUT_FILENO) : 0);
  }
  if (options.outputs->overwrite_inputs()) return kBadInput;
  std::cout << fine.str();
  if (!errors.empty()) return complain(errors, options);
  return write_results(findings_document(remarks), options) ? kFine : kFoundErrors;
}

int explain_one_rank(const Scenario& scenario, const Run& run, const Options& options) {
  const Result<Report> report = explain_rank(scenario, run, *options.rank);
  if (!report) return complain(report.error(), options);
  write_terminal(*report, terminal_width(), std::cout);
  return kFine;
}

int explain(const Options& options) {
  const Result<Scenario> scenario = load(options);
  if (!scenario) return complain(scenario.error(), options);
  const Result<Run> run = simulate_with_progress(*scenario, options);
  if (run && options.rank) return explain_one_rank(*scenario, *run, options);
  write_terminal(run ? explain_run(*scenario, *run) : explain_scenario(*scenario), terminal_width(), std::cout);
  return run ? kFine : complain(run.error(), options);
}

int expect(const Options& options) {
  std::size_t failed = 0;
  for (const std::string& file : options.files) {
    const auto broken = broken_expectations(file, builtin_catalog(), overrides_of(options), options.threads);
    for (const std::string& sentence : broken) std::cerr << printable(file + ": " + sentence) << '\n';
    if (broken.empty() && !options.quiet) std::cout << printable(file) << ": as expected\n";
    failed += broken.empty() ? 0 : 1;
  }
  return failed == 0 ? kFine : kFoundErrors;
}

constexpr Command kCommands[] = {
    {"compare", CommandGroup::answer, "what training jobs do to their networks, side by side, and what to change",
     Takes::comparison | Takes::overrides | Takes::threads | Takes::json | Takes::page | Takes::quiet, compare_command},
    {"run", CommandGroup::answer, "simulate a scenario and report what its network does",
     Takes::file | Takes::overrides | Takes::threads | Takes::json | Takes::flows | Takes::exports | Takes::advice |
         Takes::page | Takes::within | Takes::quiet,
     run},
    {"goodput", CommandGroup::answer, "what weeks of training yield with failures, checkpoints and restarts",
     Takes::file | Takes::overrides | Takes::threads | Takes::json | Takes::weeks | Takes::advice | Takes::quiet,
     goodput_command},
    {"diff", CommandGroup::answer, "what differs between two results that --json wrote",
     Takes::two_results | Takes::json | Takes::quiet, diff_command,
     "Exit codes: 0 nothing differs, 1 something differs, 2 trouble.", kBadInput},
    {"explain", CommandGroup::answer, "show what each stage of a run produced",
     Takes::file | Takes::overrides | Takes::threads | Takes::rank, explain},
    {"collective", CommandGroup::answer, "sweep one collective over sizes, in the layout of nccl-tests",
     Takes::sweep | Takes::overrides | Takes::threads | Takes::json | Takes::quiet, collective_command},
    {"replay", CommandGroup::answer,
     "play an execution trace (GOAL, Chakra, SimAI, Kineto, NCCL Inspector) over the network of a scenario",
     Takes::trace | Takes::overrides | Takes::threads | Takes::json | Takes::page | Takes::quiet, replay_command},
    {"experts", CommandGroup::answer, "send tokens to experts and back, in the terms of DeepEP",
     Takes::experts | Takes::overrides | Takes::json | Takes::quiet, experts_command},
    {"init", CommandGroup::design, "describe a cluster of your own: asks eight questions, writes a scenario",
     Takes::cluster | Takes::quiet, init_command,
     "The questions: number and kind of GPUs, GPUs per server, NIC, switch, topology and oversubscription, model, parallelism, "
     "transport. A flag answers its question beforehand. The others are asked on a terminal; elsewhere their answers are read "
     "from standard input, one a line and in this order: printf '512 H100\\n8\\n' | railyard init. An empty line takes the "
     "default, and so does everything after the last line. railyard catalog gpus (nics, switches, models) lists the names."},
    {"plan", CommandGroup::design, "how a training job is best split over its GPUs: every plan that fits, timed on its network",
     Takes::file | Takes::overrides | Takes::threads | Takes::search | Takes::plans | Takes::json | Takes::page | Takes::quiet,
     plan_command,
     "Tensor, context, pipeline and expert degrees, model chunks, ZeRO, micro-batches, recomputation and the order of ranks "
     "are "
     "chosen; the batch, the model and the network stay. --vary gives an axis other values, or adds one over any key: a list "
     "(1,2,4), a range (1..8, 4..16+4) or a range of factors (1..64*2). With --network the split stays, and networks are "
     "chosen."},
    {"sweep", CommandGroup::design, "run a scenario at many points: every combination of values that its [sweep] names",
     Takes::sweeps | Takes::overrides | Takes::threads | Takes::quiet, sweep_command,
     "docs/sweep.md says what [sweep] takes. Rows are kept in a journal as they come, and written by number when all are "
     "there: the same bytes whatever the number of threads. What was stopped or killed goes on from its journal."},
    {"check", CommandGroup::design, "check scenarios without running them",
     Takes::files | Takes::overrides | Takes::json | Takes::within | Takes::quiet, check},
    {"fabric", CommandGroup::design, "count, measure and draw the network of a scenario",
     Takes::file | Takes::overrides | Takes::json | Takes::pictures | Takes::quiet, fabric_command},
    {"cost", CommandGroup::design, "what a cluster costs to buy and run, its tokens, its waiting, and its parts and cables",
     Takes::file | Takes::overrides | Takes::threads | Takes::json | Takes::page | Takes::quiet | Takes::money, cost_command,
     "Prices are the catalog's with their dates, or yours: [prices] of the scenario, --prices FILE, --set "
     "prices.Quantum-2='50000 USD'. What has no price is said, and sums with it are \"at least\"."},
    {"faults", CommandGroup::design, "let every kind of element fail once, then two: what each loss costs the job",
     Takes::file | Takes::overrides | Takes::threads | Takes::json | Takes::page | Takes::quiet | Takes::singles,
     faults_command},
    {"headroom", CommandGroup::design, "what a port keeps free for what still arrives after a PFC pause",
     Takes::headroom | Takes::json | Takes::quiet, headroom_command},
    {"settings", CommandGroup::design, "what switches, NICs and jobs of a scenario are to be set to, and why",
     Takes::file | Takes::overrides | Takes::settings | Takes::json | Takes::quiet, settings_command},
    {"tune", CommandGroup::design,
     "settings of ECN, PFC and DCQCN that serve incasts, the job and storage best, by trying them",
     Takes::file | Takes::overrides | Takes::threads | Takes::search | Takes::tuning | Takes::json | Takes::page | Takes::quiet,
     tune_command,
     "Settings are played packet by packet under a set of workloads, and what is found is checked on seeds that the search had "
     "not seen. Without --for the settings are shown; with it they are written as railyard settings does."},
    {"catalog", CommandGroup::design, "list presets, and known hardware and models with their sources", Takes::kind_and_name,
     catalog_command, "railyard catalog presets lists scenarios to run; railyard catalog presets NAME shows one."},
    {"keys", CommandGroup::design, "list every key of a scenario file", Takes::section, keys_command},
    {"diagnose", CommandGroup::operate, "what was measured against what the cluster should do, and the likeliest causes",
     Takes::measured | Takes::overrides | Takes::threads | Takes::json | Takes::page | Takes::quiet, diagnose_command},
    {"validate", CommandGroup::operate, "plan the acceptance of a new cluster in six phases, and judge what was measured",
     Takes::validation | Takes::overrides | Takes::threads | Takes::json | Takes::quiet, validate_command,
     "railyard validate plan SCENARIO -o plan writes a plan with expected values of this fabric, thresholds, and files for "
     "runners (perftest, nccl-tests, Slurm, NHC, SuperBench, ROCm CVS). railyard validate judge SCENARIO LOGS says which "
     "phases pass; "
     "a "
     "folder named after a phase (logs/baseline) says what its files belong to. Exit codes of judge: 0 no phase fails, 1 one "
     "does, 2 bad usage or input."},
    {"lint", CommandGroup::operate, "find mistakes in configurations of switches, NICs and jobs, alone and together",
     Takes::configs | Takes::overrides | Takes::threads | Takes::json | Takes::quiet, lint_command,
     "Exit codes: 0 nothing found, 1 something found (--fail-on), 2 a file cannot be read.", kBadInput},
    {"place", CommandGroup::operate, "put ranks on the nodes that are free so that a step is shortest; write it for launchers",
     Takes::file | Takes::nodes | Takes::overrides | Takes::threads | Takes::json | Takes::page | Takes::quiet, place_command,
     "--nodes takes what sinfo -N, scontrol show nodes, scontrol show topology or kubectl get nodes --show-labels (or -o json) "
     "prints, Slurm's topology.conf, or names; several may be given: one for states, one for switches. The scheduler's order "
     "is "
     "that of the list. The fabric is the scenario's."},
    {"capture", CommandGroup::connect, "what a capture (pcap, pcapng) of a RoCEv2 network says, and its traffic to be played",
     Takes::capture | Takes::json | Takes::page | Takes::quiet, capture_command,
     "Frames are read one after the other; memory grows with queue pairs and messages. railyard run SCENARIO --pcap FILE "
     "writes "
     "such a file of a run."},
    {"runs", CommandGroup::connect, "what a store of runs (run --db) holds: list, show, diff, rm",
     Takes::store | Takes::json | Takes::quiet, runs_command,
     "list shows all runs, show one of them with its scenario (--json: its results), diff what differs between two, rm takes "
     "some out. Exit codes of diff: 0 nothing differs, 1 something differs, 2 trouble.",
     kBadInput},
    {"serve", CommandGroup::connect, "run scenarios for others over HTTP, and for yourself in a browser: edit, run, compare",
     Takes::serve | Takes::quiet, serve_command,
     "Whoever is on this machine may use it; elsewhere whoever has the token. docs/serve.md has the interface, which "
     "/api/v1/openapi.json describes, too."},
    {"completion", CommandGroup::connect, "print a completion script for a shell", Takes::shell, completion_command},
    {"help", CommandGroup::connect, "show what a command takes", Takes::command, nullptr},
    {"expect", CommandGroup::trust, "run scenarios and compare them with their [expect]",
     Takes::files | Takes::overrides | Takes::threads | Takes::quiet, expect},
    {"accuracy", CommandGroup::trust, "predict published training steps and compare", Takes::table | Takes::threads,
     accuracy_command},
    {"calibrate", CommandGroup::trust, "compare packet and flow runs, and derive the share of a port that flows may use",
     Takes::transport | Takes::threads | Takes::quiet, calibrate_command},
    {"claims", CommandGroup::trust, "test the claims of the source documents",
     Takes::claims | Takes::threads | Takes::json | Takes::quiet, claims_command},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace railyard
