// `railyard run` on several processes that mpirun started: they play the packets of one run together.
#pragma once

#include <memory>

#include "base/result.h"
#include "base/team_post.h"
#include "cli/options.h"
#include "scenario/jobs.h"
#include "scenario/scenario_text.h"
#include "sim/run.h"

namespace railyard {

/// The processes of one run. The first goes on alone when packets are over; of the others nothing is to be seen or heard.
class RunTeam {
 public:
  /// Joins the others where mpirun started more than one; else there is no team. RY-SWP-011 where that fails.
  static Result<std::unique_ptr<RunTeam>> join();

  [[nodiscard]] bool is_first() const { return post_.rank() == 0; }
  [[nodiscard]] TeamPost& post() { return post_; }

  /// What several processes do not play, or read differently: RY-RUN-089 and RY-RUN-090; what one of them could not read, all
  /// hear of. Every process calls it, with what it has read. Where there is something, nobody goes on: the first complains, and
  /// all leave.
  Diagnostics refuse(const Result<Loaded>& loaded, const ScenarioText& text, const Options& options);

  /// For all but the first: plays its part. What only this process finds wrong it says itself, and ends without leaving: mpirun
  /// ends the others.
  int assist(const Scenario& scenario, const RunOptions& options);

  /// Nobody is waited for any more. All call it once; the team is over.
  void leave();

 private:
  explicit RunTeam(const RailyardTeamLink& link) : link_(link), post_(link) {}

  [[nodiscard]] Diagnostics compare(const std::string& own) const;

  const RailyardTeamLink& link_;
  TeamPost post_;
};

}  // namespace railyard
