// What `run` writes beside its report, for other tools: opened before the run, filled as it goes on, written after it.
#pragma once

#include <optional>

#include "analysis/results.h"
#include "base/document.h"
#include "cli/flow_file.h"
#include "cli/options.h"
#include "cli/pcap_export.h"
#include "export/transfer_log.h"
#include "plan/scenario.h"
#include "sim/simulate.h"

namespace railyard {

/// A run that is over, with all that is known of it.
struct FinishedRun {
  const Scenario& scenario;
  const std::string& text;  // of the scenario, as it was read
  const Run& run;
  const Results& results;
  const Document& document;  // as --json has it
};

class Exports {
 public:
  /// `options` must live as long.
  explicit Exports(const Options& options) : options_(options) {}

  /// True (and a sentence on stderr) where anything is asked for: runs of that kind can fill nothing.
  [[nodiscard]] bool refuse(std::string_view kind) const;

  /// False (and a sentence on stderr) where a run of `scenario` cannot fill what was asked for.
  [[nodiscard]] bool open(const Scenario& scenario);

  /// Has the run recorded as far as that is needed. This must live until it is over.
  void listen(RunOptions& run);

  /// Ends what was filled as the run went on. False (and a sentence) if it could not be written.
  [[nodiscard]] bool finish_recorded();

  /// Writes the rest. False as above.
  [[nodiscard]] bool write(const FinishedRun& finished);

 private:
  bool open_flows(const Scenario& scenario);
  bool open_pcap(const Scenario& scenario);
  bool write_trace(const FinishedRun& finished);
  bool write_metrics(const FinishedRun& finished);
  bool write_store(const FinishedRun& finished);

  const Options& options_;
  std::optional<FlowFile> flows_;
  TransferLog transfers_;
  PcapExport pcap_;
};

}  // namespace railyard
