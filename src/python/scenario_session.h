// What Python asks for, without Python in it: load a scenario, run it so that it can be watched and given up, keep all of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/results.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/transfer_log.h"
#include "plan/scenario.h"
#include "sim/simulate.h"

namespace railyard {

struct LoadedScenario {
  Scenario scenario;
  std::string text;  // as it was read
};

/// A file, or a preset by its name.
Result<std::shared_ptr<LoadedScenario>> load_for_python(const std::string& name, const std::vector<std::string>& overrides);
/// The same from TOML. Files that it names are looked for from the current folder.
Result<std::shared_ptr<LoadedScenario>> parse_for_python(const std::string& toml, const std::vector<std::string>& overrides);

/// All that a run left. Rows and samples stay where they are as long as this lives.
struct FinishedSession {
  Run run;
  Results results;
  Document document;  // as --json has it, without the answer
  TransferLog transfers;

  /// What packets did, where there were any; of a sweep, with the last size.
  [[nodiscard]] const PacketRecord* packets() const;
};

/// Asked about ten times a second while a run goes on, on the thread that waits for it: how far it is, and what it is at. False
/// gives the run up.
using SessionWatch = std::function<bool(double share, const std::string& now)>;

/// Null where it was given up.
Result<std::shared_ptr<FinishedSession>> run_for_python(const Scenario& scenario, unsigned threads, bool keeps_flows,
                                                        const SessionWatch& watch);

}  // namespace railyard
