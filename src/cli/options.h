// Everything the command line can say.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/grammar.h"
#include "cli/outputs.h"
#include "cli/serve_request.h"
#include "sweep/request.h"
#include "tools/claims/ledger.h"
#include "tools/cost/request.h"
#include "tools/experts/request.h"
#include "tools/goodput/request.h"
#include "tools/headroom/request.h"
#include "tools/place/request.h"
#include "tools/plan/request.h"
#include "tools/settings/request.h"
#include "tools/tune/request.h"
#include "tools/validate/request.h"

namespace railyard {

/// What was said on the command line of a cluster to describe; empty where nothing was.
struct InitRequest {
  std::string gpus, gpu, servers, nic, switch_model, topology, oversubscription, model, parallel, transport;
  std::string file;
  bool force = false, defaults = false;
};

/// What was said on the command line of `lint`.
struct LintRequest {
  std::string sarif;  // a file, or "-"
  std::string fail_on = "warning";
  bool fix = false, rules = false;
  std::string simulate;  // a scenario
};

/// What `run` writes for other tools; files, or empty.
struct ExportRequest {
  std::string trace;    // or "-"; compressed where it ends in .gz
  std::string metrics;  // or "-"; the last values alone where it ends in .prom
  std::string metrics_run;
  double metrics_dilation = 0, metrics_start_s = 1735689600;
  std::string database;  // a store of runs
};

/// What was said on the command line of `runs`.
struct StoreRequest {
  std::string action, file;
  std::vector<std::int64_t> runs;
};

/// What was said on the command line of `replay`.
struct ReplayRequest {
  std::string trace, topology, groups;
  std::string format = "auto";
  std::optional<std::uint32_t> ranks;
  std::optional<double> compute_scale;
};

/// What was said on the command line of a capture of a run.
struct PcapRequest {
  std::string file;               // or "-"
  std::string ports = "nics";     // names, with commas between them
  std::uint32_t snap_length = 0;  // bytes of a frame that are kept; zero: all
};

struct Options {
  std::vector<std::string> files;      // scenarios
  std::vector<std::string> overrides;  // --set path.to.key=value
  std::vector<std::string> measured;   // diagnose: files and folders
  std::string cluster;                 // and the scenario of the cluster as it should be
  std::optional<std::int64_t> seed;
  unsigned threads = 0;
  std::string json;                           // a file, or "-"
  std::string svg, dot;                       // fabric: files, or "-"; goodput has the first too
  std::string nccl_topology, slurm_topology;  // fabric: the same
  std::string flows;                          // run: the same
  PcapRequest pcap;                           // run
  std::string traffic;                        // capture: a file, or "-"
  std::string write;                          // calibrate, claims: the same
  std::string page;                           // run: a file
  std::string tables;                         // a folder for CSV
  HeadroomRequest headroom;
  SettingsRequest settings;
  ValidateRequest validate;
  PlaceRequest place;
  GoodputRequest goodput;
  PlanRequest plan;  // of tune, too: axes
  TuneRequest tune;
  CostRequest cost;
  ExportRequest exports;
  StoreRequest store;
  std::string within;    // run, check: a folder that files must be in
  int progress_fd = -1;  // run
  SweepRequest sweep;
  std::string journal;  // plan, place, tune, faults, goodput: a file
  bool quiet = false;
  bool no_advice = false;
  bool all = false;      // diff: details, too
  bool singles = false;  // faults: not two at once
  bool markdown = false;
  bool csv = false;
  std::string table, engine;                                    // accuracy; compare has the latter too
  std::string explain;                                          // compare: the key of a number; lint: the code of a rule
  std::optional<std::uint32_t> rank;                            // explain: one rank's program
  std::string first_size = "8", last_size = "128M", size_step;  // collective
  std::uint32_t size_factor = 2;
  ExpertsRequest experts;
  ClaimsChoice claims;
  InitRequest init;
  LintRequest lint;
  ReplayRequest replay;
  ServeRequest serve;
  bool recorded = false;   // claims: without running anything
  std::string kind, name;  // catalog, keys, completion, help
  Grammar grammar;         // completion: everything the parser takes

  std::shared_ptr<Outputs> outputs = std::make_shared<Outputs>();  // the files above that are written, by their options
};

/// What a command tells the shell.
enum ExitCode : int { kFine = 0, kFoundErrors = 1, kBadInput = 2 };

}  // namespace railyard
