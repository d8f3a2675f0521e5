#include "cli/sweep_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/quantity_text.h"
#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/stop_signals.h"
#include "cli/sweep_show.h"
#include "cli/sweep_slurm.h"
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

/// Where rows are kept as they come: what was asked for, or a file beside the results, which goes when these are there.
std::string journal_of(const SweepRequest& asked) {
  if (!asked.journal.empty() || !asked.collect.empty()) return asked.journal;
  if (!asked.database.empty()) return asked.database + ".journal";
  return asked.csv.empty() || asked.csv == "-" ? "" : asked.csv + ".journal";
}

/// Says what is left and how to go on.
int stopped(const Sweep& sweep, const SweepLedger& ledger, const std::string& journal) {
  const std::size_t done = sweep.points().size() - ledger.missing().size();
  std::cerr << fmt::format("railyard: stopped: {} of {} points are done", format_count(done),
                           format_count(sweep.points().size()));
  if (!journal.empty()) std::cerr << " and kept in " << printable(journal) << "; the same command goes on from there";
  std::cerr << '\n';
  return kFoundErrors;
}

/// Runs what is missing, here or on all processes that mpirun started. Throws Cancelled.
Diagnostics run_missing(const Sweep& sweep, const SweepQuestion& question, const SweepShard& shard,
                        const RailyardTeamLink* link, SweepLedger& ledger, const Options& options) {
  const std::vector<std::size_t> todo = ledger.missing(shard);
  Progress progress;
  const StopSignals signals(progress);
  const ProgressLine line(progress, options.quiet);
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

int write_tables(const Sweep& sweep, const SweepLedger& ledger, const Options& options) {
  const SweepTable table = table_of(sweep, kVersion, ledger.rows());
  if (!options.sweep.csv.empty() && !write_output(sweep_csv(table), "--csv", options)) return kFoundErrors;
  if (!options.sweep.database.empty() && !write_output(sweep_database(table), "--db", options)) return kFoundErrors;
  return show_sweep(table, "sweep", options);
}

/// From rows to files, however the rows come.
int sweep_points(const Sweep& sweep, const SweepQuestion& question, const RailyardTeamLink* link, const Options& options) {
  const SweepRequest& asked = options.sweep;
  const Result<SweepShard> shard = asked.shard.empty() ? SweepShard{} : read_shard(asked.shard);
  if (!shard) return complain(shard.error(), options);
  SweepLedger ledger(sweep);
  const std::string journal = journal_of(asked);
  Diagnostics refused = journal.empty() ? Diagnostics{} : ledger.open(journal);
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
  if (!asked.shard.empty()) return kFine;
  if (const int written = write_tables(sweep, ledger, options); written != kFine) return written;
  std::error_code ignored;
  if (asked.journal.empty() && !journal.empty()) std::filesystem::remove(journal, ignored);
  return kFine;
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
