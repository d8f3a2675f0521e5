// `railyard tune`: settings of ECN, PFC, DCQCN and queue pairs that serve a set of workloads best, found by playing packets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "report/report.h"
#include "report/report_page.h"
#include "search/crew.h"
#include "search/search_result.h"
#include "tools/tune/figures.h"
#include "tools/tune/request.h"
#include "tools/tune/tune_front.h"
#include "tools/tune/workloads.h"

namespace railyard {

struct TuneQuestion {
  std::string scenario;  // a preset or a file
  std::vector<std::string> overrides;
  TuneRequest request;
  std::vector<std::string> vary = {};  // axes, as read_axis() takes them
  bool only = false;                   // these axes and no other
  std::uint32_t keep = 3;              // settings to list
  std::string journal = {};
  Crew crew = {};  // the result does not depend on it
};

/// One setting of all axes.
struct TunedRow {
  std::vector<std::string> values;         // by axis
  double score = 1;                        // less is better; 1 is the default
  double least_score = 1, most_score = 1;  // of single seeds
  std::vector<WorkloadFigures> figures;    // by workload, on seeds that were not searched with
  std::vector<std::string> set;            // as overrides
};

/// What the seeds of the search would have chosen. Who is best of many with some seeds has their luck, too: that is why others
/// choose.
struct SearchersChoice {
  double score = 1, checked = 1;  // of their choice, with them and with the others
  double best = 1;                // of what the others chose, with them
  bool is_best = true;            // both are one
};

struct Tuned {
  std::string name, scenario;
  std::vector<std::string> overrides;  // of the question, and what makes the network small enough to play
  std::string by = "all";              // what settings were judged by
  std::uint32_t hosts = 0;
  std::vector<TuneWorkload> workloads;
  Space space;
  SearchResult search;
  std::vector<std::string> defaults;  // by axis: what the scenario has
  TunedRow today;
  std::optional<SearchersChoice> searched = {};
  std::vector<TunedRow> best;  // the first is the best, and may be what there is
  std::vector<SettingRatios> front;
  std::vector<std::uint64_t> searched_seeds, checked_seeds;

  [[nodiscard]] bool is_better() const {
    return !best.empty() && best.front().score < 0.995 && best.front().values != today.values;
  }
  /// Geometric mean of the tails of incasts of the best, over the default's.
  [[nodiscard]] double incast_tail() const;
  /// The same of what links of hosts leave: no setting does better.
  [[nodiscard]] double least_incast_tail() const;
};

/// RY-TUN-001: the network is not one that can be tuned. RY-TUN-002: it is too large to play. RY-TUN-003: nothing to choose.
Result<Tuned> find_settings(const TuneQuestion& question, const Catalog& catalog, Progress& progress);

std::string tune_answer(const Tuned& tuned);
Report tune_report(const Tuned& tuned);
/// Tails of the best over today's, by workload.
std::vector<PageBars> tune_bars(const Tuned& tuned);
Document tune_document(const Tuned& tuned);

}  // namespace railyard
