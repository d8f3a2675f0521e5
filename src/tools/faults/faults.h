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
#include "search/crew.h"
#include "tools/faults/elements.h"
#include "tools/faults/outcome.h"

namespace railyard {

struct FaultsRequest {
  std::string scenario;  // a preset or a file
  std::vector<std::string> overrides;
  Crew crew = {};            // the result does not depend on it
  bool pairs = true;         // two at once, too
  double most_hops = 4e10;   // packets over links, all runs together: about an hour of one core
  std::string journal = {};  // a file that keeps what was played, to go on from
};

/// `sudden`: packet by packet, what fails while the job runs; all others have failed before it starts.
enum class FaultTable : std::uint8_t { one, slow, sudden, host, two, upgrade };
template<>
struct ChoiceNames<FaultTable> {
  static constexpr std::string_view names[] = {"one", "slow", "sudden", "host", "two", "upgrade"};
};

/// One draw of a case: which of those that are alike, and with which seed.
struct FaultDraw {
  std::string name;  // "spine 0"
  std::uint64_t seed = 0;
  double time_s = 0;
  bool stops = false;
};

/// A thing, or several, that fail; tried with some that are alike, and with some seeds where switches hash.
struct FaultCase {
  FaultTable table = FaultTable::one;
  std::string what;          // "a spine"
  std::string example = {};  // "spine 0", as [failures] names it; of the worst draw
  std::uint32_t count = 0;   // how many there are of it
  double lost = 0;           // share of capacity that goes with it, where that is known
  std::uint32_t gpus = 0;    // of a slow or lost host: that compute
  std::uint32_t batch = 0;   // and the sequences of a step; 0: it is no step
  double work = 1;           // of a step, over that of the whole job's
  double against_s = 0;      // what it is compared with: the job on the whole fabric
  double mean_s = 0;         // of all draws; 0 where the job does not end
  DrawnTimes draws = {};     // of it
  std::vector<FaultDraw> drawn = {};
  double p99_s = 0;                     // of collectives over the network or of messages, in the worst draw
  std::uint64_t lost_packets = 0;       // on failed links, in the worst draw
  std::uint64_t broken = 0;             // queue pairs that gave up, in the worst draw
  std::string cut_off = {};             // why the job stops, if it does
  std::uint32_t isolated = 0;           // ranks that it cuts off, in that draw
  std::optional<WorstRank> worst = {};  // who is hit most, in the worst draw
  std::string command = {};             // that repeats the worst draw
  double slowdown = 0;                  // mean_s for the same work over against_s, less one
  bool is_steady = true;                // it makes no difference which one of its kind fails
  bool is_proportionate = true;         // it costs no more than the capacity that is lost
};

struct Faults {
  std::string name, scenario;
  double whole_s = 0, whole_p99_s = 0;
  DrawnTimes whole_draws = {};
  std::vector<ElementClass> classes;
  std::vector<FaultCase> cases;
  std::vector<std::uint64_t> seeds;
  std::uint32_t ranks = 0, batch = 0;  // of the job; sequences of a step, 0: it is no step
  bool over_flows = false;             // the scenario is timed in closed form; failures are played over flows
  bool by_packets = false;             // they are played packet by packet
  double sudden_s = 0;                 // then: when what fails suddenly does
};

/// Runs all of it. Refuses what cannot be run whole, slices of a step, and packets that would take more than about an hour.
Result<Faults> find_faults(const FaultsRequest& request, const Catalog& catalog, Progress& progress);

Report faults_report(const Faults& faults);
Document faults_document(const Faults& faults);

/// What losing one thing does at worst, and whether that can be foreseen, in a sentence or two each.
std::string answer_text(const Faults& faults);
std::string manner_text(const Faults& faults);
bool degrades_predictably(const Faults& faults);

}  // namespace railyard
