#include "tools/diagnose/evidence.h"

#include <algorithm>
#include <map>

namespace railyard {

namespace {

/// Several hosts or files that say the same count once: the strongest of each cause and rule stays, and of one cause at most
/// three pieces that point the same way.
std::vector<Evidence> without_repeats(std::vector<Evidence> all) {
  std::erase_if(all, [](const Evidence& one) { return one.log_odds == 0; });
  std::stable_sort(all.begin(), all.end(),
                   [](const Evidence& a, const Evidence& b) { return std::abs(a.log_odds) > std::abs(b.log_odds); });
  constexpr std::size_t kMost = 3;
  std::map<std::pair<std::string_view, bool>, std::size_t> counted;
  std::vector<Evidence> kept;
  for (Evidence& one : all) {
    const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const Evidence& other) {
      const bool is_one_rule = !one.rule.empty() && other.rule == one.rule && (other.log_odds > 0) == (one.log_odds > 0);
      return other.cause == one.cause && (other.text == one.text || is_one_rule);
    });
    if (is_known || ++counted[{one.cause, one.log_odds > 0}] > kMost) continue;
    kept.push_back(std::move(one));
  }
  return kept;
}

}  // namespace

void odd_evidence(const Seen& seen, std::vector<Evidence>& out) {
  for (const Outlier& one : seen.odd) {
    const std::string text = one.what + " " + one.name + " " + one.how;
    if (one.what == "host") {
      out.push_back({"straggler", kStrong, text, one.where});
      out.push_back({"slow-nic", kSome, text, one.where});
    }
    if (one.what == "rank") out.push_back({"straggler", kProof, text, one.where});
    if (one.what == "NIC") out.push_back({"slow-nic", kProof, text, one.where});
    if (one.what == "port") out.push_back({"pfc-storm", kStrong, text, one.where});
  }
}

std::vector<Evidence> evidence_of(const Seen& seen) {
  std::vector<Evidence> all;
  log_evidence(seen, all);
  setting_evidence(seen, all);
  perftest_evidence(seen, all);
  counter_evidence(seen, all);
  config_evidence(seen, all);
  odd_evidence(seen, all);
  return without_repeats(std::move(all));
}

}  // namespace railyard
