// What serving a model takes on a cluster: the time to the first token, the time of each further one, how many tokens come out
// of it, and what of all that is the network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/interference.h"
#include "sim/serving/serving_run.h"

namespace railyard {

struct ServingAnswer {
  std::string name;
  Fidelity fidelity = Fidelity::analytic;
  ServingSpec serving;
  std::uint32_t per_node = 1;         // GPUs of a server
  ServingRun run;                     // on an idle network
  std::optional<ServedLoad> load;     // over flows: prefill, decode and caches at a time
  std::optional<Interference> parts;  // the same, part by part
  std::vector<Input> inputs;
  Diagnostics findings;
  std::string fingerprint;
};

/// In closed form, and over flows where the scenario asks for them. REQUIRES: scenario.workload.serving. Refuses what
/// run_serving() and find_interference() do.
Result<ServingAnswer> find_serving(const Scenario& scenario, unsigned threads, Progress& progress);

/// What would be refused, or warned about.
JobRemarks remarks_on_serving(const Scenario& scenario);

/// First token, further tokens, what limits requests, and what this could not tell.
std::vector<JobSentence> answer_of(const ServingAnswer& found);

Report serving_report(const ServingAnswer& found);
Document serving_document(const ServingAnswer& found);

}  // namespace railyard
