#include "sim/jobs/seats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace railyard {

namespace {

class Seating {
 public:
  Seating(const ClusterJobs& cluster, const Fabric& fabric)
      : cluster_(cluster), fabric_(fabric), servers_((fabric.endpoints() - 1) / fabric.per_node + 1) {}

  Result<std::vector<JobSeats>> run() {
    for (const bool named : {true, false})
      for (std::size_t i = 0; i < cluster_.jobs.size(); i++)
        if (plan(i).numbers.empty() != named && own(i) > 0) give(i);
    if (!found_.empty()) return found_;
    std::vector<JobSeats> seats;
    for (std::size_t i = 0; i < cluster_.jobs.size(); i++) seats.push_back({dealt_[i], own(i)});
    for (std::size_t i = 0; i < cluster_.jobs.size(); i++) {
      if (plan(i).of.empty()) continue;
      Placement all;
      for (const EndpointId seat : dealt_[index_of(plan(i).of)]) all.push(seat);
      if (!plan(i).to.empty())
        for (const EndpointId seat : dealt_[index_of(plan(i).to)]) all.push(seat);
      for (const EndpointId seat : dealt_[i]) all.push(seat);
      seats[i].ranks = std::move(all);
    }
    return seats;
  }

 private:
  [[nodiscard]] const JobPlan& plan(std::size_t job) const { return *cluster_.jobs[job].job; }
  [[nodiscard]] std::uint32_t own(std::size_t job) const {
    return plan(job).of.empty() ? cluster_.jobs[job].workload.gpus.value_or(0) : plan(job).gpus.value_or(0);
  }
  [[nodiscard]] std::size_t index_of(const std::string& name) const {
    const auto found = std::find_if(cluster_.jobs.begin(), cluster_.jobs.end(),
                                    [&](const Scenario& scenario) { return scenario.job->name == name; });
    RY_CHECK(found != cluster_.jobs.end(), "whose hosts a job has was checked as it was read");
    return static_cast<std::size_t>(found - cluster_.jobs.begin());
  }
  void refuse(std::size_t job, const char* code, const char* key, std::string what, std::string hint) {
    found_.push_back({Severity::error, code, std::move(what), std::move(hint), cluster_.jobs[job].keys.where(key)});
  }

  /// Servers that the job may not have.
  [[nodiscard]] std::vector<std::uint32_t> closed_to(std::size_t job) const {
    std::vector<std::uint32_t> closed;
    const std::vector<std::uint32_t>& numbers = plan(job).numbers;
    for (std::uint32_t server = 0; server < servers_; server++)
      if (numbers.empty() ? holder_.contains(server) : !std::binary_search(numbers.begin(), numbers.end(), server))
        closed.push_back(server);
    return closed;
  }

  [[nodiscard]] bool has_what_it_names(std::size_t job) {
    const std::size_t before = found_.size();
    for (const std::uint32_t server : plan(job).numbers) {
      if (server >= servers_) {
        refuse(job, "RY-JOB-007", "job.servers",
               fmt::format("job '{}' is given server {}, and the cluster has {}", plan(job).name, server, servers_),
               fmt::format("use numbers from 0 to {}", servers_ - 1));
        break;
      }
      if (const auto other = holder_.find(server); other != holder_.end()) {
        refuse(job, "RY-JOB-008", "job.servers",
               fmt::format("server {} is given to job '{}' and to job '{}'", server, plan(other->second).name, plan(job).name),
               "a GPU has ranks of one job: take it from one of them");
        break;
      }
    }
    return found_.size() == before;
  }

  void give(std::size_t job) {
    if (!has_what_it_names(job)) return;
    PlacementPlan placement = cluster_.jobs[job].placement;
    placement.taken_servers = closed_to(job);
    const std::uint32_t needed = (own(job) - 1) / fabric_.per_node + 1;
    const auto open = servers_ - static_cast<std::uint32_t>(placement.taken_servers.size());
    if (needed > open) {
      const bool named = !plan(job).numbers.empty();
      return refuse(job, "RY-JOB-009", named ? "job.servers" : "job.gpus",
                    fmt::format("job '{}' needs {} servers for its {} GPUs, and {} {}", plan(job).name, needed, own(job), open,
                                named ? "are named" : "are left"),
                    fmt::format("give it at most {} GPUs, or {}", open * fabric_.per_node,
                                named ? "name more servers" : "make the cluster larger"));
    }
    Result<Placement> dealt = place(placement, own(job), fabric_, cluster_.jobs[job].keys);
    if (!dealt) {
      found_.insert(found_.end(), dealt.error().begin(), dealt.error().end());
      return;
    }
    for (const EndpointId seat : *dealt) {
      const auto [holder, fresh] = holder_.try_emplace(fabric_.server_of(seat), job);
      if (!fresh && holder->second != job)
        return refuse(job, "RY-JOB-008", "placement.file",
                      fmt::format("server {} has ranks of job '{}' and of job '{}'", holder->first, plan(holder->second).name,
                                  plan(job).name),
                      "a GPU has ranks of one job: change the rank file");
    }
    dealt_[job] = std::move(*dealt);
  }

  const ClusterJobs& cluster_;
  const Fabric& fabric_;
  const std::uint32_t servers_;
  std::map<std::uint32_t, std::size_t> holder_;  // of a server
  std::map<std::size_t, Placement> dealt_;       // by job
  Diagnostics found_;
};

}  // namespace

Result<std::vector<JobSeats>> seat_jobs(const ClusterJobs& cluster, const Fabric& fabric) {
  return Seating(cluster, fabric).run();
}

}  // namespace railyard
