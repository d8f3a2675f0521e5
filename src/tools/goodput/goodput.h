// What weeks of training really yield: in closed form, drawn, what costs most, and what to change.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "report/report.h"
#include "tools/goodput/levers.h"
#include "tools/goodput/make_job.h"
#include "tools/goodput/monte_carlo.h"
#include "tools/goodput/request.h"

namespace railyard {

struct Goodput {
  std::string name;
  GoodputRequest asked;
  std::uint64_t seed = 1;
  TrainingWeeks weeks;
  double expected = 0;          // the share in closed form, with spares always there
  std::uint32_t spares_99 = 0;  // that suffice for 99 % of the time
  DrawnWeeks drawn = {};
  std::vector<Interruption> one = {};     // the run of number 0
  double one_s = 0;                       // how long it takes
  std::vector<GoodputLever> levers = {};  // those that were drawn, the best first
  Diagnostics diagnostics = {};           // of the run of the step
  std::vector<Input> inputs = {};         // of [reliability], with their origins

  [[nodiscard]] double days() const { return drawn.time.mean / 86'400; }
  [[nodiscard]] double ideal_days() const;
  [[nodiscard]] double tokens() const;  // that a run yields on average
  [[nodiscard]] std::string cause_name(std::size_t cause) const;
};

/// A scenario as it was named, to be read again with changes; without a name no changes are tried.
struct GoodputQuestion {
  std::string name;
  std::vector<std::string> overrides = {};
  bool advice = true;
};

Result<Goodput> goodput_of(const Scenario& scenario, const GoodputRequest& request, const GoodputQuestion& question,
                           const Catalog& catalog, const Crew& crew, Progress& progress);

Report goodput_report(const Goodput& goodput);
Document goodput_document(const Goodput& goodput);  // docs/results.md
/// The answer in a few sentences.
std::vector<std::string> goodput_answer(const Goodput& goodput);

}  // namespace railyard
