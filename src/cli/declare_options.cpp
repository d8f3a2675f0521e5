#include "cli/declare_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

#include "catalog/catalog.h"
#include "cli/declare_outputs.h"
#include "cli/declare_serve.h"
#include "cli/number_checks.h"

namespace railyard {

namespace {

void declare_experts(CLI::App& app, Options& options) {
  constexpr std::uint32_t kMost = 1U << 20;
  ExpertsRequest& asked = options.experts;
  app.add_option("--scenario", options.files, "scenario file, or a preset, whose machines, network and model are used")
      ->required()
      ->expected(1);
  app.add_option("--ranks", asked.ranks, "GPUs that share the experts: 8,16,32,64")
      ->delimiter(',')
      ->check(CLI::Range(1U, kMost));
  app.add_option("--tokens", asked.tokens, "tokens of a GPU (4096; low latency: 128)")->check(CLI::Range(1U, kMost));
  app.add_option("--hidden", asked.hidden, "values of a token (7168, or the model's)")->check(CLI::Range(1U, kMost));
  app.add_option("--experts", asked.experts, "experts (256, or the model's)")->check(CLI::Range(1U, kMost));
  app.add_option("--top-k", asked.top_k, "experts a token goes to (8, or the model's)")->check(CLI::Range(1U, kMost));
  CLI::Option* const limit =
      app.add_option("--node-limit", asked.node_limit, "nodes a token goes to at most (4, or the model's)")
          ->check(CLI::Range(1U, kMost));
  app.add_flag("--low-latency", asked.low_latency, "the kernels for decoding")->excludes(limit);
  app.add_flag("--bf16-dispatch", asked.bf16_dispatch, "dispatch in bf16 instead of fp8");
}

void declare_headroom(CLI::App& app, Options& options) {
  HeadroomRequest& asked = options.headroom;
  app.add_option("--speed", asked.speed, "of the port: 400G")->capture_default_str();
  app.add_option("--cable", asked.cable, "its length: 100m")->capture_default_str();
  app.add_option("--mtu", asked.mtu, "largest frame of the port, in bytes")->capture_default_str();
  app.add_option("--switch", asked.chip, "a switch of the catalog: Tomahawk-5");
  app.add_option("--priorities", asked.priorities, "lossless priorities of every port")
      ->check(CLI::Range(1U, 8U))
      ->capture_default_str();
  app.add_option("--ports", asked.ports, "ports in use; all that the switch has at that speed if not given")
      ->check(CLI::Range(1U, 65536U));
  app.add_option("--small-packets", asked.small_packets, "share of packets taken to be the smallest, on a Spectrum: 0 to 1")
      ->check(number_from(0, 1));
}

void declare_lint(CLI::App& app, Options& options) {
  LintRequest& asked = options.lint;
  app.add_option("PATH", options.files,
                 "files and folders: configurations of switches, output of NICs' tools, job scripts, inventory, policy");
  app.add_option("--sarif", asked.sarif, "write findings as SARIF 2.1.0 to a file, or to stdout with -");
  app.add_option("--fail-on", asked.fail_on, "the least severity that makes the exit code 1: error, warning or note")
      ->check(CLI::IsMember({"error", "warning", "note"}));
  app.add_flag("--fix", asked.fix, "print the commands that repair what was found, by device");
  app.add_option("--simulate", asked.simulate,
                 "run this scenario packet by packet with devices as they are and as repaired, and tell the difference")
      ->type_name("SCENARIO");
  app.add_flag("--rules", asked.rules, "list all rules");
  app.add_option("--explain", options.explain, "why a rule is one, and what to do: RY-LNT-110")->type_name("CODE");
  app.add_flag("--markdown", options.markdown, "the rules as in docs/lint.md");
}

void declare_measured(CLI::App& app, Options& options) {
  app.add_option("--scenario", options.cluster, "scenario file, or a preset, of the cluster as it should be")->required();
  app.add_option(
         "FILE", options.measured,
         "files and folders: output of nccl-tests and perftest, NCCL_DEBUG=INFO, counters, training logs, configurations")
      ->required();
}

void declare_validation(CLI::App& app, Options& options) {
  ValidateRequest& asked = options.validate;
  app.add_option("ACTION", asked.action, "plan: write what to run and what it should give; judge: what was measured")
      ->required()
      ->check(CLI::IsMember({"plan", "judge"}));
  app.add_option("SCENARIO", asked.scenario, "scenario file, or a preset, of the cluster as it should be")->required();
  app.add_option("LOG", asked.logs, "judge: files and folders of measurements, as railyard diagnose reads them");
  app.add_option("-o,--output", asked.output, "plan: a folder for the files; judge: an acceptance report (HTML, one file)");
  app.add_option("--junit", asked.junit, "judge: write outcomes as JUnit XML to a file, or to stdout with -");
  app.add_option("--phase", asked.phases, "judge: these phases alone, baseline,failures")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
}

void declare_claims(CLI::App& app, Options& options) {
  app.add_option("ID", options.claims.ids, "these claims alone");
  CLI::Option* const recorded =
      app.add_flag("--recorded", options.recorded, "show what the last test of all of them found, without running anything");
  app.add_option("--verdict", options.claims.verdict,
                 "those recorded as reproduced, plausible, contradicted or 'not testable'");
  app.add_option("--topic", options.claims.topic, "one topic alone: architecture, mfu, entropy, …");
  app.add_option("--write", options.write, "write what was found (catalog/claims/recorded.toml) to a file, or to stdout with -")
      ->excludes(recorded);
  app.add_flag("--markdown", options.markdown, "as in docs/claims.md");
}

void declare_settings(CLI::App& app, Options& options) {
  app.add_option("--for", options.settings.languages, "write files instead, in these languages: sonic,mlnx,nccl")
      ->delimiter(',')
      ->check(CLI::IsMember({"sonic", "nvue", "eos", "nxos", "junos", "mlnx", "nicctl", "nccl"}));
  app.add_option("-o,--output", options.settings.folder, "a folder for the files; standard output if not given");
}

void declare_weeks(CLI::App& app, Options& options) {
  app.add_option("--runs", options.goodput.runs, "runs to draw")->check(CLI::Range(1U, 100'000U))->capture_default_str();
  app.add_option("--days", options.goodput.days, "what so many days yield, instead of how long training.tokens take")
      ->check(number_from(0.01, 10'000));
  app.add_option("--svg", options.svg, "draw one run as SVG into a file, or to stdout with -");
}

void declare_search(CLI::App& app, Options& options) {
  PlanRequest& asked = options.plan;
  app.add_option("--vary", asked.vary, "an axis: parallel.tensor=2,4,8 or transport.qps_per_connection=1..16*2")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  app.add_flag("--only", asked.only, "the axes of --vary, and no other");
}

void declare_plans(CLI::App& app, Options& options) {
  PlanRequest& asked = options.plan;
  app.add_option("--keep", asked.keep, "list so many of the best")->check(CLI::Range(1U, 1000U))->capture_default_str();
  app.add_option("--memory", asked.memory, "share of a GPU's memory that a plan may use")
      ->check(number_from(0.01, 1))
      ->capture_default_str();
  app.add_flag("--exhaustive", asked.exhaustive, "time everything with all care, to prove the answer: slow");
}

/// Which network, instead of which split: limits that are its own, and nothing of the other question.
void declare_network(CLI::App& app, Options& options) {
  PlanRequest& asked = options.plan;
  CLI::Option* const network = app.add_flag("--network", asked.network, "which network should carry the job, as it is split");
  for (const char* const other : {"--vary", "--only", "--keep", "--memory"}) network->excludes(app.get_option(other));
  app.add_option("--budget", asked.budget, "USD that the network may cost")->check(number_above_0())->needs(network);
  app.add_option("--power", asked.watts, "W that it may draw")->check(number_above_0())->needs(network);
  app.add_option("--reach", asked.reach_m, "metres of its longest cable")->check(number_above_0())->needs(network);
  app.add_option("--radix", asked.radix, "ports that its largest switch may have, at the rate of links")
      ->check(CLI::Range(2U, 1U << 16))
      ->needs(network);
  app.add_option("--tolerate", asked.tolerate, "share of a step that a switch less above the leaves may cost")
      ->check(number_from(0, 10))
      ->needs(network);
  app.add_option("--by", asked.by, "what is least among networks that are fast enough")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kNetworkGoals), std::end(kNetworkGoals))))
      ->capture_default_str()
      ->needs(network);
  app.add_option("--loss", asked.loss, "share of the fastest step that less hardware may cost")
      ->check(number_from(0, 1))
      ->capture_default_str()
      ->needs(network);
  app.add_option("--grow", asked.grow, "GPUs that come later")->check(CLI::Range(1U, 1U << 24))->needs(network);
}

void declare_tuning(CLI::App& app, Options& options) {
  TuneRequest& asked = options.tune;
  app.add_option("--keep", asked.keep, "list so many of the best")->check(CLI::Range(1U, 10U))->capture_default_str();
  app.add_option("--by", asked.by, "what settings are judged by")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kTuneGoals), std::end(kTuneGoals))))
      ->capture_default_str();
  app.add_option("--generations", asked.generations, "of settings that are tried, at most")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  app.add_flag("--exhaustive", asked.exhaustive, "play every setting on all seeds, to prove the answer: slow");
  app.add_option("--for", options.settings.languages, "write files for devices in these languages: sonic,mlnx,nccl")
      ->delimiter(',')
      ->check(CLI::IsMember({"sonic", "nvue", "eos", "nxos", "junos", "mlnx", "nicctl", "nccl"}));
  app.add_option("--to", asked.folder, "a folder for these files");
}

void declare_money(CLI::App& app, Options& options) {
  CostRequest& asked = options.cost;
  app.add_option("--prices", asked.prices, "a file (TOML) with [prices], which win over the catalog's, and [cost]");
  app.add_option("--csv", asked.csv, "write the bill of materials as CSV to a file, or to stdout with -");
  app.add_option("--cables", asked.cables, "write every cable with its two ends as CSV to a file, or to stdout with -");
  CLI::Option* const links = app.add_flag("--links", asked.links, "run slow and lost links, however long that takes");
  app.add_flag("--no-links", asked.no_links, "do not run them")->excludes(links);
}

/// "gpus, speeds, … or models"
std::string kinds_of_catalog() {
  std::string text;
  const auto kinds = catalog_kinds();
  text += "presets, ";
  for (const CatalogKind& kind : kinds)
    text += (&kind == &kinds.front() ? "" : &kind == &kinds.back() ? " or " : ", ") + std::string(kind.name);
  return text;
}

void declare_comparison(CLI::App& app, Options& options) {
  app.add_option("SCENARIO", options.files,
                 "presets or files (TOML) to compare; gpt4, llama3, deepseek-v2, grok4 and mi300x-llama3 if none is named");
  app.add_option("--engine", options.engine, "instead of what each scenario asks for: analytic or flow")
      ->check(CLI::IsMember({"analytic", "flow"}));
  app.add_option("--explain", options.explain,
                 "which run, formula and source a number of the tables has, by its key (mfu.llama3.simulated), or list")
      ->type_name("KEY");
}

void declare_cluster(CLI::App& app, Options& options) {
  InitRequest& asked = options.init;
  app.add_option("--gpus", asked.gpus, "how many GPUs");
  app.add_option("--gpu", asked.gpu, "which: a GPU of the catalog");
  app.add_option("--gpus-per-server", asked.servers, "GPUs of a server");
  app.add_option("--nic", asked.nic, "a NIC of the catalog");
  app.add_option("--switch", asked.switch_model, "a switch of the catalog, or other");
  app.add_option("--topology", asked.topology, "shape of the network: leaf-spine, rail-optimized, …");
  app.add_option("--oversubscription", asked.oversubscription, "bandwidth down over bandwidth up: 2:1");
  app.add_option("--model", asked.model, "a model of the catalog");
  app.add_option("--parallel", asked.parallel, "'tensor=8 pipeline=4', or find: a plan that fits into memory");
  app.add_option("--transport", asked.transport, "roce, infiniband, tcp, uec or srd");
  app.add_option("-o,--output", asked.file, "write the scenario to a file, or to stdout with -");
  app.add_flag("--force", asked.force, "overwrite a file that exists");
  app.add_flag("--defaults", asked.defaults, "ask nothing: what is not given takes its default");
}

void declare_sweep(CLI::App& app, Options& options) {
  app.add_option("COLLECTIVE", options.kind, "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce or send")
      ->required();
  app.add_option("--scenario", options.files,
                 "scenario file, or a preset, whose machines and network are used; its [model] or [collective] is not (--set "
                 "collective.group=… still works)")
      ->required()
      ->expected(1);
  app.add_option("-b,--minbytes", options.first_size, "smallest size: 8, 64K, 1M, 16G; 8 if not given");
  app.add_option("-e,--maxbytes", options.last_size, "largest size; 128M if not given");
  app.add_option("-f,--stepfactor", options.size_factor, "factor from one size to the next; 2 if not given")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("-i,--stepbytes", options.size_step, "step from one size to the next, instead of a factor");
}

void declare_sweeps(CLI::App& app, Options& options) {
  SweepRequest& asked = options.sweep;
  app.add_option("SCENARIO", options.files,
                 "scenario file (TOML) with a [sweep]; or show and a file that --db wrote, to show what came out")
      ->required()
      ->expected(1, 2);
  app.add_option("--csv", asked.csv, "write a line for each point to a file, or to stdout with -");
  app.add_option("--db", asked.database, "write the same as a SQLite file");
  app.add_option("--journal", asked.journal,
                 "keep rows as they come in this file; beside the results and only until these are written, if not given");
  app.add_option("--shard", asked.shard, "run a part of the points into the journal, counted from 0: 3/16")->type_name("I/N");
  app.add_flag("--dry-run", asked.dry_run, "list the points with their numbers, and run nothing");
  CLI::Option* const slurm = app.add_option("--slurm", asked.slurm, "write a job array for Slurm into a folder, sweep.sh");
  app.add_option("--tasks", asked.tasks, "of the array: parts that the points are cut into")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str()
      ->needs(slurm);
  app.add_option("--sbatch", asked.sbatch, "options for sbatch: --sbatch='--partition=cpu --time=60'")->needs(slurm);
  app.add_flag("--submit", asked.submit, "and submit it")->needs(slurm);
  app.add_option("--collect", asked.collect, "make the results of the journals that are in this folder")->excludes(slurm);
  app.add_option("--figure", asked.figure, "show: draw this column; time_s, or the first there is, if not given");
  app.add_option("-o,--output", options.page, "show: write a page (HTML, one file)");
}

void declare_trace(CLI::App& app, Options& options) {
  ReplayRequest& asked = options.replay;
  app.add_option("TRACE", asked.trace, "a file, or the folder or the common beginning of one file per rank")->required();
  CLI::Option* const scenario =
      app.add_option("--scenario", options.files,
                     "scenario file, or a preset, whose machines and network are used; its [model] or [traffic] is not")
          ->expected(1);
  app.add_option("--topology", asked.topology, "a drawing of the network instead, such as SimAI's topology file")
      ->excludes(scenario);
  app.add_option("--format", asked.format, "who wrote the trace; auto looks how it begins")
      ->check(CLI::IsMember({"auto", "goal", "chakra", "simai", "kineto", "csv", "inspector"}));
  app.add_option("--groups", asked.groups, "of Chakra: JSON with the ranks of process groups by name");
  app.add_option("--ranks", asked.ranks, "ranks to repeat it over: a multiple of its own")->check(CLI::Range(1U, 1U << 20));
  app.add_option("--compute-scale", asked.compute_scale, "times that every computation takes; 0.5 is a GPU twice as fast")
      ->check(number_from(0, 1e6));
}

/// What is wrong with it, if anything; the parser would take the largest seed for one that is larger.
std::string wrong_seed(const std::string& text) {
  std::int64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size() && seed >= 0) return {};
  return fmt::format("'{}' is no whole number from 0 to {}", text, std::numeric_limits<std::int64_t>::max());
}

/// Of commands that take one thing or two.
void declare_small(CLI::App& app, Takes takes, Options& options) {
  if (has(takes, Takes::kind_and_name)) {
    app.add_option("KIND", options.kind, kinds_of_catalog());
    app.add_option("NAME", options.name, "one entry");
  }
  if (has(takes, Takes::section)) {
    app.add_option("SECTION", options.kind, "only this section, for instance transport.dcqcn");
    app.add_flag("--markdown", options.markdown, "as in docs/scenario.md");
  }
  if (has(takes, Takes::transport)) {
    app.add_option("KIND", options.kind, "one transport alone: roce, infiniband, tcp or uec")
        ->check(CLI::IsMember({"roce", "infiniband", "tcp", "uec"}));
    app.add_option("--write", options.write, "write catalog entries (catalog/transports.toml) to a file, or to stdout with -");
  }
  if (has(takes, Takes::rank)) app.add_option("--rank", options.rank, "what one rank of a training step does, op by op");
  if (has(takes, Takes::table)) {
    app.add_option("--engine", options.engine,
                   "analytic: closed forms on an idle network; flow: over the network that each step was measured on")
        ->check(CLI::IsMember({"analytic", "flow"}));
    app.add_option("--table", options.table, "one table of measurements alone");
    app.add_flag("--csv", options.csv, "as comma-separated values");
  }
  if (has(takes, Takes::two_results))
    app.add_option("RESULTS", options.files, "two files that --json wrote, of runs or of comparisons")->required()->expected(2);
  if (has(takes, Takes::two_results))
    app.add_flag("--all", options.all, "show every number and every input that differs, not the key figures alone");
  if (has(takes, Takes::singles)) app.add_flag("--singles", options.singles, "one element at a time: leave out pairs");
}

constexpr const char* kOneScenario = "scenario file (TOML), or a preset; railyard catalog presets lists them";

}  // namespace

void declare_options(CLI::App& app, Takes takes, Options& options) {
  if (has(takes, Takes::file)) app.add_option("SCENARIO", options.files, kOneScenario)->required()->expected(1);
  if (has(takes, Takes::capture))
    app.add_option("FILE", options.files, "a pcap or pcapng file, plain or .gz")->required()->expected(1);
  if (has(takes, Takes::files))
    app.add_option("SCENARIO", options.files, "scenario files (TOML), or presets; railyard catalog presets lists them")
        ->required();
  if (has(takes, Takes::overrides)) {
    app.add_option("--set", options.overrides, "override a key: --set transport.mtu=1024")
        ->expected(1)
        ->take_all()
        ->type_name("KEY=VALUE");
    app.add_option("--seed", options.seed, "seed of every random stream (engine.seed)")->check(wrong_seed, "0 to 2^63 - 1");
  }
  if (has(takes, Takes::threads))
    app.add_option("--threads", options.threads, "threads to use; 0 takes all (under mpirun one); results do not depend on it")
        ->check(CLI::Range(0, 4096));
  declare_outputs(app, takes, options);
  declare_small(app, takes, options);
  if (has(takes, Takes::comparison)) declare_comparison(app, options);
  if (has(takes, Takes::sweep)) declare_sweep(app, options);
  if (has(takes, Takes::sweeps)) declare_sweeps(app, options);
  if (has(takes, Takes::trace)) declare_trace(app, options);
  if (has(takes, Takes::experts)) declare_experts(app, options);
  if (has(takes, Takes::weeks)) declare_weeks(app, options);
  if (has(takes, Takes::search)) declare_search(app, options);
  if (has(takes, Takes::search) || has(takes, Takes::nodes) || has(takes, Takes::singles) || has(takes, Takes::weeks))
    app.add_option("--journal", options.journal, "keep what was measured in a file; the same command goes on from there");
  if (has(takes, Takes::plans)) declare_plans(app, options);
  if (has(takes, Takes::plans)) declare_network(app, options);
  if (has(takes, Takes::tuning)) declare_tuning(app, options);
  if (has(takes, Takes::money)) declare_money(app, options);
  if (has(takes, Takes::headroom)) declare_headroom(app, options);
  if (has(takes, Takes::configs)) declare_lint(app, options);
  if (has(takes, Takes::measured)) declare_measured(app, options);
  if (has(takes, Takes::validation)) declare_validation(app, options);
  if (has(takes, Takes::settings)) declare_settings(app, options);
  if (has(takes, Takes::claims)) declare_claims(app, options);
  if (has(takes, Takes::cluster)) declare_cluster(app, options);
  if (has(takes, Takes::serve)) declare_serve(app, options);
  if (has(takes, Takes::command)) app.add_option("COMMAND", options.name, "one command; all of them if not given");
  if (has(takes, Takes::shell))
    app.add_option("SHELL", options.kind, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

}  // namespace railyard
