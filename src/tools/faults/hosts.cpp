#include "tools/faults/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/quantity_text.h"

namespace railyard {

namespace {

class HostTrials {
 public:
  HostTrials(const Scenario& scenario, const Run& whole, const WhyRefused& why_refused)
      : scenario_(scenario),
        whole_(whole),
        why_refused_(why_refused),
        ranks_(static_cast<std::uint32_t>(whole.placement.size())) {}

  std::vector<HostTrial> find() {
    if (whole_.training) {
      for (const double longer : {0.1, 0.3}) straggler(longer);
      fewer_replicas();
    }
    spare();
    return std::move(out_);
  }

 private:
  /// The slowest GPU sets the pace: one that the scenario has already is not made faster.
  void straggler(double longer) {
    const double slowest = std::max(longer, scenario_.workload.training.straggler);
    out_.push_back({.what = fmt::format("a GPU that computes {:.0f} % longer", longer * 100),
                    .draws = {{"any GPU", {fmt::format("training.straggler={}", slowest)}}},
                    .gpus = ranks_,
                    .batch = batch()});
  }

  [[nodiscard]] std::uint32_t batch() const { return scenario_.workload.training.global_batch.value_or(0); }

  /// Fewer GPUs on the same fabric.
  [[nodiscard]] std::vector<std::string> smaller_job(std::uint32_t replicas, std::uint32_t sequences) const {
    const std::uint32_t of_one = ranks_ / whole_.training->step.layout.data;
    return {fmt::format("cluster.gpus={}", of_one * replicas), fmt::format("fabric.gpus={}", whole_.fabric.endpoints()),
            fmt::format("training.global_batch={}", sequences)};
  }

  /// The most replicas below all that the plan can be split over, each with the batch that it has.
  void fewer_replicas() {
    const std::uint32_t all = whole_.training->step.layout.data;
    if (all < 2 || batch() == 0 || batch() % all != 0 || whole_.fabric.drawn) return;
    const std::uint32_t each = batch() / all;
    constexpr std::uint32_t kMostTried = 64;
    std::string why;
    for (std::uint32_t left = all - 1; left > 0 && all - left <= kMostTried; left--) {
      if (why = why_refused_(smaller_job(left, each * left)); !why.empty()) continue;
      add_replicas(left, each * left, "a smaller batch");
      keep_batch(left);
      return;
    }
    out_.push_back({.what = "server lost: fewer replicas", .refused = why});
  }

  void add_replicas(std::uint32_t left, std::uint32_t sequences, const char* how) {
    const std::uint32_t all = whole_.training->step.layout.data;
    out_.push_back({.what = fmt::format("server lost: {} of {} replicas with {}", format_count(left), format_count(all), how),
                    .draws = {{"any server", smaller_job(left, sequences)}},
                    .gpus = ranks_ / all * left,
                    .batch = sequences,
                    .work = static_cast<double>(sequences) / batch()});
  }

  /// The whole batch, or the next larger one that the replicas can share: a quarter larger at most.
  void keep_batch(std::uint32_t left) {
    const std::uint32_t micro = std::max(1U, scenario_.workload.training.micro_batch_size);
    const std::uint32_t least = (batch() + left - 1) / left, first = (least + micro - 1) / micro * micro;
    for (std::uint32_t part = first; part <= first + std::max(micro, first / 4); part += micro) {
      if (!why_refused_(smaller_job(left, part * left)).empty()) continue;
      const bool is_same = part * left == batch();
      add_replicas(left, part * left, is_same ? "the same batch" : "the batch rounded up");
      return;
    }
  }

  /// Servers of the job to lose: the first and one in the middle.
  [[nodiscard]] std::vector<std::uint32_t> some_servers() const {
    std::set<std::uint32_t> some;
    for (const std::uint32_t rank : {0U, ranks_ / 2}) some.insert(whole_.fabric.server_of(whole_.placement[RankId(rank)]));
    return {some.begin(), some.end()};
  }

  /// On a server that the job leaves free, else on one more: a server, or as many as a leaf has.
  void spare() {
    if (whole_.fabric.drawn) return;
    const std::uint32_t per_node = whole_.fabric.per_node, all = whole_.fabric.endpoints();
    std::uint32_t under_leaf = 0;
    while (under_leaf < all && whole_.fabric.leaf_of(EndpointId(under_leaf)) == whole_.fabric.leaf_of(EndpointId(0)))
      under_leaf++;
    HostTrial trial{.what = "server lost: a spare in its place", .gpus = ranks_, .batch = whole_.training ? batch() : 0};
    for (const std::uint32_t more : {0U, per_node, (under_leaf + per_node - 1) / per_node * per_node}) {
      if (more > 0) trial.against = {fmt::format("fabric.gpus={}", all + more)};
      std::vector<HostTrial::Draw> draws;
      for (const std::uint32_t server : some_servers()) {
        draws.push_back({fmt::format("server {}", server), trial.against});
        draws.back().set.push_back(fmt::format("placement.lost_servers=[{}]", server));
      }
      trial.refused = why_refused_(draws.front().set);
      if (!trial.refused.empty()) continue;
      trial.draws = std::move(draws);
      break;
    }
    out_.push_back(std::move(trial));
  }

  const Scenario& scenario_;
  const Run& whole_;
  const WhyRefused& why_refused_;
  const std::uint32_t ranks_;
  std::vector<HostTrial> out_;
};

}  // namespace

std::vector<HostTrial> host_trials(const Scenario& scenario, const Run& whole, const WhyRefused& why_refused) {
  return HostTrials(scenario, whole, why_refused).find();
}

}  // namespace railyard
