#include "scenario/check/check_experts.h"

#include <fmt/format.h>

#include <numeric>

namespace railyard {

namespace {

class ExpertChecker {
 public:
  ExpertChecker(const ExpertCheck& of, Complaints& complaints)
      : s_(of.scenario), m_(of.model), p_(of.parallel), known_(of.known), complaints_(complaints) {}

  void run() {
    choice();
    popularity();
    overlap();
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  std::uint32_t all() const { return m_.experts.value_or(0); }

  void choice() {
    if (m_.experts && m_.experts_per_token && *m_.experts_per_token > *m_.experts)
      error("RY-SCN-027", "model.experts_per_token",
            fmt::format("experts_per_token = {} is more than experts = {}", *m_.experts_per_token, *m_.experts),
            "route each token to at most all experts");
    const std::uint32_t groups = m_.expert_groups.value_or(1), limit = m_.expert_group_limit.value_or(groups);
    if (all() >= m_.experts_per_token.value_or(1) &&
        (all() % groups != 0 || limit > groups || all() / groups * limit < m_.experts_per_token.value_or(1)))
      error("RY-SCN-063", s_.first_given({"model.expert_groups", "model.expert_group_limit", "model.preset"}),
            fmt::format("{} experts in {} groups with expert_group_limit = {} do not allow experts_per_token = {}", all(),
                        groups, limit, m_.experts_per_token.value_or(1)),
            "make expert_groups divide experts, and expert_group_limit large enough but at most expert_groups");
  }

  void popularity() {
    const TrainingSpec& t = s_.training;
    for (const auto& [key, there] : {std::pair{"training.capacity_factor", t.capacity_factor.has_value()},
                                     {"training.routing_skew", t.routing_skew > 0},
                                     {"training.expert_load", !t.expert_load.empty()}})
      if (there && known_ && all() == 0)
        error("RY-SCN-065", key, fmt::format("{} does not apply: the model has no experts", key), "remove it");
    if (!t.expert_shares.empty()) load(t.expert_shares);
    if (!t.expert_load.empty() && t.routing_skew > 0)
      error("RY-SCN-069", "training.routing_skew", "both routing_skew and expert_load are given", "keep one");
  }

  /// One number per expert, or as many for every rank of an expert group.
  void load(const std::vector<double>& shares) {
    const std::size_t of_ranks = std::size_t{p_.expert} * all();
    if (all() > 0 && shares.size() != all() && shares.size() != of_ranks)
      return error("RY-SCN-054", "training.expert_load",
                   fmt::format("the expert load has {} numbers and the model {} experts", shares.size(), all()),
                   p_.expert > 1 ? fmt::format("write one number per expert, or {} rows of them, one per rank of "
                                               "parallel.expert: {} numbers",
                                               p_.expert, of_ranks)
                                 : "write one number per expert");
    const std::size_t width = all() > 0 ? all() : shares.size(), rows = shares.size() / width;
    for (std::size_t row = 0; row < rows; row++) {
      const auto first = shares.begin() + static_cast<std::ptrdiff_t>(row * width);
      if (std::accumulate(first, first + static_cast<std::ptrdiff_t>(width), 0.0) > 0) continue;
      return error("RY-SCN-054", "training.expert_load",
                   rows == 1 ? "the expert load sums to zero" : fmt::format("the expert load of rank {} sums to zero", row),
                   "give at least one expert a positive share");
    }
  }

  /// Exchanges hide behind one thing only.
  void overlap() {
    if (!p_.shared_expert_overlap) return;
    const bool dual = p_.schedule == PipelineSchedule::dualpipe && p_.pipeline > 1;
    if (!dual && !p_.expert_overlap) return;
    error(
        "RY-SCN-152", "parallel.shared_expert_overlap",
        fmt::format("with {} dispatch and combine run beside the compute of another micro-batch already",
                    dual ? "schedule = \"dualpipe\"" : "expert_overlap"),
        dual ? "leave shared_expert_overlap out" : "keep one of the two (expert_overlap = false, where the software sets it)");
  }

  const ScenarioSpec& s_;
  const ModelFact& m_;
  const ParallelPlan& p_;
  const bool known_;
  Complaints& complaints_;
};

}  // namespace

void check_experts(const ExpertCheck& of, Complaints& complaints) { ExpertChecker(of, complaints).run(); }

}  // namespace railyard
