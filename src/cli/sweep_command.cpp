#include "cli/sweep_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/quantity_text.h"
#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "cli/sweep_show.h"
#include "cli/sweep_slurm.h"
#include "cli/sweep_watch.h"
#include "sweep/ledger.h"
#include "sweep/mpi/load_link.h"
#include "sweep/sweep.h"
#include "sweep/table.h"
#include "sweep/team.h"
#include "sweep/work.h"

namespace railyard {

namespace {

/// Every point with its number and its values, as CSV.
int list_points(const Sweep& sweep) {
  const SweepPoints& points = sweep.points();
  std::string text = "point";
  for (const SweepAxis& axis : points.axes()) text += "," + csv_cell(axis.key);
  for (std::size_t p = 0; p < points.size(); p++) {
    text += fmt::format("\n{}", p);
    for (std::size_t a = 0; a < points.axes().size(); a++) text += "," + csv_cell(sweep_value_text(points.value(p, a)));
  }
  std::cout << text << '\n';
  return kFine;
}

/// Where rows are kept as they come, and what else has some.
struct SweepJournals {
  std::string kept = {};                 // empty where nothing is kept
  std::vector<std::string> others = {};  // that are read
  bool beside_results = false;           // they go when these are there
};

/// What was asked for, or files beside the results: the first of those that are there, since an earlier call may have named
/// other results.
SweepJournals journals_of(const SweepRequest& asked) {
  if (!asked.journal.empty() || !asked.collect.empty()) return {asked.journal, {}};
  SweepJournals out{.beside_results = true};
  std::string first;
  for (const std::string& results : {asked.database, asked.csv == "-" ? std::string() : asked.csv}) {
    if (results.empty()) continue;
    const std::string journal = results + ".journal";
    std::error_code ignored;
    if (first.empty()) first = journal;
    if (!std::filesystem::exists(journal, ignored)) continue;
    if (out.kept.empty())
      out.kept = journal;
    else
      out.others.push_back(journal);
  }
  if (out.kept.empty()) out.kept = first;
  return out;
}

/// "57 of 120 points are done".
std::string done_text(const Sweep& sweep, const SweepLedger& ledger) {
  return fmt::format("{} of {} points are done", format_count(ledger.done()), format_count(sweep.points().size()));
}

/// Takes rows of an earlier call, and says so.
Diagnostics open_journals(const Sweep& sweep, const SweepJournals& journals, SweepLedger& ledger, const Options& options) {
  if (journals.kept.empty()) return {};
  if (Diagnostics refused = ledger.open(journals.kept); !refused.empty()) return refused;
  for (const std::string& other : journals.others)
    if (Diagnostics refused = ledger.collect(other); !refused.empty()) return refused;
  if (!options.quiet && ledger.done() > 0)
    std::cerr << fmt::format("railyard: {} goes on: {}\n", printable(journals.kept), done_text(sweep, ledger));
  return {};
}

/// Says what is left and how to go on.
int stopped(const Sweep& sweep, const SweepLedger& ledger, const std::string& journal) {
  std::cerr << "railyard: stopped: " << done_text(sweep, ledger);
  if (journal.empty())
    std::cerr << " and lost: --csv, --db or --journal keeps them";
  else
    std::cerr << " and kept in " << printable(journal) << "; the same command goes on from there";
  std::cerr << '\n';
  return kFoundErrors;
}

/// A part of a sweep is rows for somebody who puts parts together: without a journal they are nowhere.
Diagnostic nowhere_to_keep() {
  return {Severity::error,
          "RY-SWP-017",
          "this part of a sweep would be kept nowhere",
          "add --journal FILE, in a folder with those of the other parts; --collect makes one table of them",
          {}};
}

/// Runs what is missing, here or on all processes that mpirun started. Throws Cancelled.
Diagnostics run_missing(const Sweep& sweep, const SweepQuestion& question, const SweepShard& shard,
                        const RailyardTeamLink* link, SweepLedger& ledger, const Options& options) {
  const std::vector<std::size_t> todo = ledger.missing(shard);
  Progress progress;
  const StopSignals signals(progress);
  const SweepWatch watch(sweep, ledger, progress, options.quiet);
  if (link) return lead_team(*link, sweep, question, todo, std::max(1U, options.threads), ledger, progress);
  run_points(sweep, todo, options.threads, ledger, progress);
  return {};
}

Diagnostics missing_points(const SweepLedger& ledger, const SweepRequest& asked) {
  const std::size_t missing = ledger.missing().size();
  if (missing == 0) return {};
  return {{Severity::error,
           "RY-SWP-012",
           fmt::format("{} points are in none of these journals", format_count(missing)),
           "run the command with --slurm again: it writes an array of the tasks that are left",
           {asked.collect, 0, 0}}};
}

/// Own figures that no point has, although some were run.
Diagnostics missing_figures(const Sweep& sweep, const SweepTable& table) {
  std::vector<std::string> missing;
  for (const std::string& own : sweep.own_figures())
    if (std::find(table.figures.begin(), table.figures.end(), own) == table.figures.end()) missing.push_back(own);
  return table.figures.empty() ? Diagnostics{} : sweep.missed_figures().found(missing);
}

int write_tables(const Sweep& sweep, const SweepLedger& ledger, const Options& options) {
  const SweepTable table = table_of(sweep, kVersion, ledger.rows());
  show_findings(missing_figures(sweep, table), std::cerr);
  if (!options.sweep.csv.empty() && !write_output(sweep_csv(table), "--csv", options)) return kFoundErrors;
  if (!options.sweep.database.empty() && !write_output(sweep_database(table), "--db", options)) return kFoundErrors;
  return show_sweep(table, "sweep", options);
}

/// A table of refusals is no result: it ends as an error, with the first of them.
int judge(const std::vector<SweepRow>& rows) {
  if (std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.status != PointStatus::refused; }))
    return kFine;
  std::cerr << fmt::format("railyard: no point could be run; the first: {} ({})\n", printable(rows.front().message),
                           rows.front().code);
  return kFoundErrors;
}

/// From rows to files, however the rows come.
int sweep_points(const Sweep& sweep, const SweepQuestion& question, const RailyardTeamLink* link, const Options& options) {
  const SweepRequest& asked = options.sweep;
  const Result<SweepShard> shard = asked.shard.empty() ? SweepShard{} : read_shard(asked.shard);
  if (!shard) return complain(shard.error(), options);
  SweepLedger ledger(sweep);
  const SweepJournals journals = journals_of(asked);
  const std::string& journal = journals.kept;
  if (!asked.shard.empty() && journal.empty()) return complain({nowhere_to_keep()}, options);
  Diagnostics refused = open_journals(sweep, journals, ledger, options);
  if (refused.empty() && !asked.collect.empty()) refused = collect_journals(asked.collect, ledger);
  try {
    if (refused.empty())
      refused =
          asked.collect.empty() ? run_missing(sweep, question, *shard, link, ledger, options) : missing_points(ledger, asked);
  } catch (const Cancelled&) {
    return stopped(sweep, ledger, journal);
  }
  if (!refused.empty()) return complain(refused, options);
  if (!ledger.is_whole()) {
    std::cerr << "railyard: " << printable(journal) << " could not be written to its end; check the disk\n";
    return kFoundErrors;
  }
  if (!asked.shard.empty()) {
    if (!options.quiet)
      std::cerr << fmt::format("railyard: {} has part {}: --collect makes results of all parts\n", printable(journal),
                               asked.shard);
    return kFine;
  }
  if (const int written = write_tables(sweep, ledger, options); written != kFine) return written;
  std::error_code ignored;
  if (journals.beside_results && !journal.empty()) std::filesystem::remove(journal, ignored);
  for (const std::string& other : journals.others) std::filesystem::remove(other, ignored);
  return judge(ledger.rows());
}

int lead_sweep(const RailyardTeamLink* link, const Options& options) {
  const SweepQuestion question{options.files.front(), overrides_of(options), kVersion};
  const Result<Sweep> sweep = Sweep::open(question, builtin_catalog(), {});
  if (!sweep) return complain(sweep.error(), options);
  options.outputs->keep(sweep->files().paths());
  if (options.outputs->overwrite_inputs()) return kBadInput;
  if (options.sweep.dry_run) return list_points(*sweep);
  if (!options.sweep.slurm.empty()) return write_job_array(*sweep, options);
  return sweep_points(*sweep, question, link, options);
}

}  // namespace

int sweep_command(const Options& options) {
  if (options.files.size() == 2 && options.files.front() == "show") return show_command(options);
  if (options.files.size() != 1) {
    std::cerr << "railyard: sweep takes one scenario, or show and one file\n";
    return kBadInput;
  }
  if (!team_place()) return lead_sweep(nullptr, options);
  const Result<const RailyardTeamLink*> link = load_team_link();
  if (!link) return complain(link.error(), options);
  int outcome = kFine;
  if ((*link)->rank > 0)
    join_team(**link, builtin_catalog(), std::max(1U, options.threads));
  else
    outcome = lead_sweep(*link, options);
  if (outcome != kFine) return outcome;  // mpirun ends the others
  if ((*link)->rank == 0) dismiss_team(**link);
  (*link)->finish((*link)->self);
  return outcome;
}

}  // namespace railyard
