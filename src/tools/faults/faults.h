// `railyard faults`: every kind of element fails once, then two, then tiers switch by switch; what that does to the job.
#pragma once

#include <string>
#include <vector>

#include "answer/trial.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "report/report.h"
#include "tools/faults/elements.h"

namespace railyard {

struct FaultsRequest {
  std::string scenario;  // a preset or a file
  std::vector<std::string> overrides;
  unsigned threads = 0;  // the result does not depend on it
  bool pairs = true;     // two at once, too
};

enum class FaultTable : std::uint8_t { one, slow, two, upgrade };

/// A thing, or several, that fail; tried with some that are alike, and with some seeds where switches hash.
struct FaultCase {
  FaultTable table = FaultTable::one;
  std::string what;              // "a spine"
  std::string example = {};      // "spine 0", as [failures] names it; of the worst draw
  std::uint32_t count = 0;       // how many there are of it
  double lost = 0;               // share of capacity that goes with it, where that is known
  double mean_s = 0;             // of all draws; 0 where the job does not end
  DrawnTimes draws = {};         // of it
  double p99_s = 0;              // of the collectives over the network, in the worst draw
  std::string cut_off = {};      // why the job stops, if it does
  std::string command = {};      // that repeats the worst draw
  double slowdown = 0;           // mean_s over the whole fabric's, less one
  bool is_steady = true;         // it makes no difference which one of its kind fails
  bool is_proportionate = true;  // it costs no more than the capacity that is lost
};

struct Faults {
  std::string name, scenario;
  double whole_s = 0, whole_p99_s = 0;
  DrawnTimes whole_draws = {};
  std::vector<ElementClass> classes;
  std::vector<FaultCase> cases;
  std::size_t seeds = 1;    // with which every failure was played
  bool over_flows = false;  // the scenario is timed in closed form; failures are played over flows
};

/// Runs all of it. Refuses what cannot be run whole, and packets.
Result<Faults> find_faults(const FaultsRequest& request, const Catalog& catalog, Progress& progress);

Report faults_report(const Faults& faults);
Document faults_document(const Faults& faults);

}  // namespace railyard
