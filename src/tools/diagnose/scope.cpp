#include "tools/diagnose/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace railyard {

namespace {

constexpr std::string_view kWithHosts = "where ", kBeyond = "in groups of more than ";

class Scopes {
 public:
  Scopes(const std::vector<Curve>& curves, const PredictedTimes& expected) : curves_(curves) {
    for (std::size_t i = 0; i < curves.size() && i < expected.size(); i++) {
      const JudgedCurve judged = judged_curve(curves[i], expected[i]);
      is_slow_.push_back(judged.is_slow);
      is_known_.push_back(judged.ratio > 0);
      any_slow_ |= judged.is_slow;
      any_fast_ |= judged.ratio > 0 && !judged.is_slow;
    }
  }

  std::vector<CauseScope> run() {
    std::vector<CauseScope> scopes = {{.shows = std::vector<bool>(curves_.size(), true), .where = {}}};
    if (!any_slow_ || !any_fast_) return scopes;
    with_hosts(scopes);
    beyond(scopes);
    return scopes;
  }

 private:
  [[nodiscard]] bool is_fast(std::size_t i) const { return is_known_[i] && !is_slow_[i]; }

  /// Hosts that are in no fast curve; where every slow curve has one.
  void with_hosts(std::vector<CauseScope>& scopes) const {
    std::set<std::string> suspects, all;
    for (std::size_t i = 0; i < curves_.size(); i++) {
      all.insert(curves_[i].hosts.begin(), curves_[i].hosts.end());
      if (is_slow_[i]) suspects.insert(curves_[i].hosts.begin(), curves_[i].hosts.end());
    }
    for (std::size_t i = 0; i < curves_.size(); i++)
      if (is_fast(i))
        for (const std::string& host : curves_[i].hosts) suspects.erase(host);
    if (suspects.empty()) return;
    CauseScope scope{.shows = std::vector<bool>(curves_.size(), false), .where = {}};
    for (std::size_t i = 0; i < curves_.size(); i++) {
      const auto& hosts = curves_[i].hosts;
      scope.shows[i] = std::any_of(hosts.begin(), hosts.end(), [&](const auto& host) { return suspects.contains(host); });
      if (is_slow_[i] && !scope.shows[i]) return;
    }
    constexpr std::size_t kNamed = 4;
    const auto last = static_cast<std::ptrdiff_t>(std::min(kNamed, suspects.size()));
    const std::vector<std::string> named(suspects.begin(), std::next(suspects.begin(), last));
    scope.where = fmt::format("{}{}{} {} part", kWithHosts, fmt::join(named, ", "),
                              suspects.size() > kNamed ? fmt::format(" and {} more", suspects.size() - kNamed) : "",
                              suspects.size() == 1 ? "takes" : "take");
    scope.log_weight = -std::log(static_cast<double>(all.size())) * static_cast<double>(suspects.size());
    scopes.push_back(std::move(scope));
  }

  /// Groups that are larger than every fast one.
  void beyond(std::vector<CauseScope>& scopes) const {
    std::uint32_t fast = 0;
    std::set<std::uint32_t> sizes;
    for (std::size_t i = 0; i < curves_.size(); i++) {
      sizes.insert(curves_[i].nodes);
      if (is_fast(i)) fast = std::max(fast, curves_[i].nodes);
    }
    CauseScope scope{.shows = std::vector<bool>(curves_.size(), false), .where = {}};
    for (std::size_t i = 0; i < curves_.size(); i++) {
      scope.shows[i] = curves_[i].nodes > fast;
      if (is_slow_[i] && !scope.shows[i]) return;
    }
    scope.where = fmt::format("{}{} {}", kBeyond, fast, fast == 1 ? "node" : "nodes");
    scope.log_weight = -std::log(static_cast<double>(sizes.size()));
    scopes.push_back(std::move(scope));
  }

  const std::vector<Curve>& curves_;
  std::vector<bool> is_slow_, is_known_;
  bool any_slow_ = false, any_fast_ = false;
};

}  // namespace

std::vector<CauseScope> scopes_of(const std::vector<Curve>& curves, const PredictedTimes& expected) {
  return Scopes(curves, expected).run();
}

bool fits(const CauseScope& scope, const SlowCause& cause) {
  if (scope.where.empty()) return true;
  if (cause.in == CauseIn::nothing || cause.in == CauseIn::unknown) return false;
  if (scope.where.starts_with(kBeyond)) return cause.in == CauseIn::network || cause.id == "algorithm";
  return cause.in == CauseIn::server || cause.id == "bad-cable" || cause.id == "pfc-storm" || cause.id == "loss";
}

}  // namespace railyard
