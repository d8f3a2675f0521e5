// What a run means for whoever asked: what the network costs, what limits the job, what would help, how sure that is, and what
// the run cannot tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results.h"
#include "answer/advice.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// What takes most, beside what the job is for.
struct Limit {
  std::string kind;   // "none", "compute", "bubble", "scale-up", "network", "host", "latency", "receivers", "pauses",
                      // "losses", "failure", "standstill"
  double share = 0;   // of the step; of a run that is none, of its time
  std::string where;  // "leaf to spine": the links it shows at; may be empty
  std::string cause;  // "hashing", "oversubscription", "placement", "failure", "rate": what a rerun showed; may be empty
};

/// A part of a training step; all of them sum to it.
struct StepPart {
  std::string name;  // "compute", "host", "optimizer", "bubble", "scale-up", "network"
  double seconds = 0;
};

/// How far predictions of this kind were off.
struct Confidence {
  std::string kind;  // "dense steps"; empty where nothing is recorded
  std::int64_t rows = 0;
  double median = 0, p90 = 0;
  std::vector<std::string> assumed, estimated;  // keys of inputs
};

/// One of the answer's sentences.
struct Sentence {
  std::string about;  // "cost", "limit", "change", "confidence", "unknown"
  std::string text;
};

struct RunVerdict {
  std::vector<Sentence> sentences;
  std::optional<StepCost> cost;  // of a training step
  std::vector<StepPart> parts;   // of it
  double total_s = 0;            // the step, or what outcome_s() says
  Limit limit;
  std::optional<Advice> change;  // the best of those tried
  Confidence confidence;
  std::vector<std::string> unknown;

  [[nodiscard]] double network_share() const { return cost ? (total_s - cost->without_network) / total_s : 0; }
  [[nodiscard]] double scale_up_share() const { return cost ? (cost->without_network - cost->without_links) / total_s : 0; }
};

/// What was tried, or why nothing was.
struct Tried {
  std::vector<Advice> advice = {};  // ranked
  bool tried = false;
  std::size_t draws = 0;                         // of hashes, with which everything was run; 0: one
  DrawnTimes spread = {};                        // of the run itself over these
  std::vector<std::string> without_effect = {};  // changes in words, that are no advice
};

/// REQUIRES: `results` are those of `scenario`.
RunVerdict verdict_on(const Scenario& scenario, const Results& results, const Tried& tried);

/// What an advice is measured against: the run itself.
Baseline baseline_of(const Scenario& scenario, const Results& results, std::string run, std::string label);

/// First on the terminal.
Report::Section verdict_section(const RunVerdict& verdict);

/// What was tried with one run, as a table, and what did nothing. REQUIRES: something was.
Report::Section advice_section(const Tried& tried);

/// `verdict` in JSON (docs/results.md).
Document verdict_document(const RunVerdict& verdict);

/// {"sentences": […]}: the answer alone.
Document sentences_document(const std::vector<Sentence>& sentences);

/// `advice` in JSON: one entry.
Document advice_document(const Advice& advice);

}  // namespace railyard
