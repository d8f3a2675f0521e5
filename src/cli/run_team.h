// `railyard run` on several processes that mpirun started: they play the packets of one run together.
#pragma once

#include <memory>

#include "base/result.h"
#include "base/team_post.h"
#include "cli/options.h"
#include "scenario/jobs.h"
#include "sim/run.h"

namespace railyard {

/// The processes of one run. The first goes on alone when packets are over; of the others nothing is to be seen or heard.
class RunTeam {
 public:
  /// Joins the others where mpirun started more than one; else there is no team. RY-SWP-011 where that fails.
  static Result<std::unique_ptr<RunTeam>> join();

  [[nodiscard]] bool is_first() const { return post_.rank() == 0; }
  [[nodiscard]] TeamPost& post() { return post_; }

  /// What several processes do not play, or read differently: RY-RUN-089 and RY-RUN-090. All call it, with the scenario as each
  /// has read it.
  Diagnostics refuse(const Loaded& loaded, const std::string& text, const Options& options);

  /// For all but the first: plays its part.
  int assist(const Scenario& scenario, const RunOptions& options);

  /// Nobody is waited for any more. All call it once; the team is over.
  void leave();

 private:
  explicit RunTeam(const RailyardTeamLink& link) : link_(link), post_(link) {}

  const RailyardTeamLink& link_;
  TeamPost post_;
};

}  // namespace railyard
