#include "cli/exports.h"

#include <fmt/chrono.h>

#include <ctime>
#include <iostream>

#include "base/printable.h"
#include "base/version.h"
#include "cli/output.h"
#include "export/gzip.h"
#include "export/metrics_of_run.h"
#include "export/run_store.h"
#include "export/run_timeline.h"
#include "report/command_text.h"

namespace railyard {

bool Exports::refuse(std::string_view kind) const {
  const std::pair<const char*, const std::string*> asked[] = {{"--flows", &options_.flows},
                                                              {"--trace", &options_.exports.trace},
                                                              {"--metrics", &options_.exports.metrics},
                                                              {"--db", &options_.exports.database},
                                                              {"--pcap", &options_.pcap.file}};
  for (const auto& [option, file] : asked)
    if (!file->empty()) {
      std::cerr << fmt::format("railyard: {} is of single runs, and this is {}; leave it out, --json and --csv have it all\n",
                               option, kind);
      return true;
    }
  return false;
}

namespace {

/// What --flows needs that a scenario has not; nothing if it has all.
std::string_view missing_for_flows(const Scenario& scenario) {
  if (scenario.workload.library) return "a run without a library; --set collective.library=none";
  if (scenario.engine.fidelity == Fidelity::analytic) return "flows or packets; --set engine.fidelity=flow";
  const bool in_network =
      scenario.workload.collective && scenario.workload.collective->algorithm == CollectiveAlgorithm::in_network;
  if (scenario.engine.fidelity == Fidelity::packet && in_network)
    return "flows where switches compute; --set engine.fidelity=flow";
  return {};
}

}  // namespace

bool Exports::open_flows(const Scenario& scenario) {
  if (options_.flows.empty()) return true;
  if (const std::string_view missing = missing_for_flows(scenario); !missing.empty()) {
    std::cerr << "railyard: --flows needs " << missing << '\n';
    return false;
  }
  flows_.emplace(options_.outputs->file("--flows"));
  return true;
}

bool Exports::open_pcap(const Scenario& scenario) {
  const Diagnostics refused = pcap_.open(scenario, options_);
  if (!refused.empty()) complain(refused, options_);
  return refused.empty();
}

bool Exports::open(const Scenario& scenario) {
  if (!options_.exports.database.empty() && options_.outputs->has_taken("--db", options_.exports.database)) return false;
  if (!options_.exports.database.empty())
    if (const Diagnostics wrong = refused_store(options_.exports.database); !wrong.empty())
      return complain(wrong, options_), false;
  return open_flows(scenario) && open_pcap(scenario);
}

void Exports::listen(RunOptions& run) {
  run.tap = pcap_.tap();
  const bool keeps = !options_.exports.trace.empty() || !options_.exports.database.empty();
  if (!flows_ && !keeps) return;
  run.on_flow = [this, keeps](const FlowRecord& flow) {
    if (flows_) flows_->write(flow);
    if (keeps) transfers_.add(flow);
  };
}

bool Exports::finish_recorded() {
  const bool flows = !flows_ || options_.outputs->finish("--flows");
  return pcap_.finish(options_) && flows;
}

bool Exports::write_trace(const FinishedRun& finished) {
  if (options_.exports.trace.empty()) return true;
  OutputFile& file = options_.outputs->file("--trace");
  const TextSink plain = [&](std::string_view text) { file.write(text); };
  if (options_.exports.trace.ends_with(".gz")) {
    GzipStream zipped(plain);
    write_timeline(finished.run, finished.results, transfers_, [&](std::string_view text) { zipped.write(text); });
    zipped.finish();
  } else {
    write_timeline(finished.run, finished.results, transfers_, plain);
  }
  return options_.outputs->finish("--trace");
}

bool Exports::write_metrics(const FinishedRun& finished) {
  const ExportRequest& asked = options_.exports;
  if (asked.metrics.empty()) return true;
  OutputFile& file = options_.outputs->file("--metrics");
  const std::vector<MetricFamily> families =
      metrics_of_run(finished.run, finished.results,
                     {.run = asked.metrics_run, .dilation = asked.metrics_dilation, .start_s = asked.metrics_start_s});
  const TextSink sink = [&](std::string_view text) { file.write(text); };
  asked.metrics.ends_with(".prom") ? write_exposition(families, sink) : write_openmetrics(families, sink);
  return options_.outputs->finish("--metrics");
}

bool Exports::write_store(const FinishedRun& finished) {
  if (options_.exports.database.empty()) return true;
  const std::string& file = options_.files.front();
  StoredRun run{.name = finished.results.name,
                .file = file,
                .engine = finished.results.engine,
                .fingerprint = finished.results.fingerprint,
                .version = kVersion,
                .created = fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(std::time(nullptr))),
                .command = run_command_text(file, overrides_of(options_)),
                .scenario = finished.text,
                .answer = {}};
  if (const Document* const answer = finished.document.at_path("verdict.sentences[0].text"); answer && answer->text())
    run.answer = *answer->text();
  const auto added = add_run(options_.exports.database, run, finished.document, {finished.run, finished.results, transfers_});
  if (!added) return complain(added.error(), options_), false;
  if (!options_.quiet) std::cerr << fmt::format("railyard: run {} of {}\n", *added, printable(options_.exports.database));
  return true;
}

bool Exports::write(const FinishedRun& finished) {
  return write_trace(finished) && write_metrics(finished) && write_store(finished);
}

}  // namespace railyard
