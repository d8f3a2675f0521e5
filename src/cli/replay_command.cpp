#include "cli/replay_command.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "analysis/results.h"
#include "answer/verdict.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/show_report.h"
#include "report/results_report.h"
#include "report/trace_report.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

const SourceSpan kSaidHere{"railyard replay", 0, 0};

Document said(Document::Value value) { return Document(std::move(value), kSaidHere); }

std::string absolute_path(const std::string& file) { return std::filesystem::absolute(file).lexically_normal().string(); }

/// [trace] as the command line has it.
Document trace_section(const ReplayRequest& asked) {
  Document section(Document::Object{}, kSaidHere);
  section.set("file", said(absolute_path(asked.trace)), kSaidHere);
  if (asked.format != "auto") section.set("format", said(asked.format), kSaidHere);
  if (!asked.groups.empty()) section.set("groups", said(absolute_path(asked.groups)), kSaidHere);
  if (asked.ranks) section.set("ranks", said(std::int64_t{*asked.ranks}), kSaidHere);
  if (asked.compute_scale) section.set("compute_scale", said(*asked.compute_scale), kSaidHere);
  return section;
}

/// A scenario of nothing but a drawing.
Document drawn_scenario(const ReplayRequest& asked) {
  Document fabric(Document::Object{}, kSaidHere);
  fabric.set("topology", said(std::string("file")), kSaidHere);
  fabric.set("file", said(absolute_path(asked.topology)), kSaidHere);
  Document scenario(Document::Object{}, kSaidHere);
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
  scenario.set("name", said(fmt::format("{} on {}", name(asked.trace), name(asked.topology))), kSaidHere);
  scenario.set("fabric", std::move(fabric), kSaidHere);
  return scenario;
}

Result<Scenario> load_replay(const Options& options) {
  const LoadOptions load{.workload = true, .trace = trace_section(options.replay)};
  if (!options.files.empty()) return load_input(options.files.front(), overrides_of(options), options, load);
  return load_scenario(drawn_scenario(options.replay), "railyard replay", builtin_catalog(), overrides_of(options),
                       read_file_from_disk, load, {});
}

}  // namespace

int replay_command(const Options& options) {
  if (options.files.empty() == options.replay.topology.empty()) {
    std::cerr << "railyard: replay needs --scenario or --topology, and not both\n";
    return kBadInput;
  }
  options.outputs->keep({options.replay.trace, options.replay.topology, options.replay.groups});
  const Result<Scenario> scenario = load_replay(options);
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const auto start = std::chrono::steady_clock::now();
  Progress progress;
  const Result<Run> run = [&] {
    const ProgressLine line(progress, options.quiet);
    return simulate(*scenario, {.threads = options.threads}, progress);
  }();
  if (!run) return complain(run.error(), options);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const Results results = analyse(*scenario, *run);
  const RunVerdict verdict = verdict_on(*scenario, results, {});
  Document document = results_document(results, wall.count());
  document.set("verdict", verdict_document(verdict));
  if (!write_results(document, options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-";
  if (is_silent && options.page.empty()) return kFine;
  Report report = results_report(results);
  report.sections.insert(report.sections.begin(), verdict_section(verdict));
  const int shown = show_report("replay", report, trace_bars(*results.trace), is_silent, options);
  return shown == kFine && !is_silent && has_errors(results.diagnostics) ? kFoundErrors : shown;
}

}  // namespace railyard
