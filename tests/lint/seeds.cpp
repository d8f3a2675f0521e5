#include <algorithm>
#include <iterator>

#include "lint/mistakes.h"

namespace railyard {

namespace {

bool is_one_of(std::string_view code, std::initializer_list<std::string_view> numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [&](std::string_view number) { return code.ends_with(number); });
}

/// Rules that look at switches and NICs alike.
std::vector<LintSeed> shared_host_seeds() {
  const auto in_policy = [](std::function<void(QosPolicy&)> change) {
    return [change](Estate& estate) { change(estate.devices[7].policies[0]); };
  };
  return {
      {"RY-LNT-008", in_policy([](QosPolicy& p) { p.link_pause = true; })},
      {"RY-LNT-051", in_policy([](QosPolicy& p) { p.queues[0].weight = 50, p.queues[3].weight = 60; })},
      {"RY-LNT-140", in_policy([](QosPolicy& p) { p.class_of_dscp[26] = 1; })},
      {"RY-LNT-143", in_policy([](QosPolicy& p) { p.pfc |= 1U << 5; })},
      {"RY-LNT-200", in_policy([](QosPolicy& p) { p.pfc |= 1U << 5; })},
  };
}

std::vector<LintSeed> inventory_seeds() {
  return {
      {"RY-LNT-170", [](Estate& estate) { estate.inventory[7].neighbour = "spine2"; }},
      {"RY-LNT-173", [](Estate& estate) { estate.inventory[7].cable = 50_m; }},
      {"RY-LNT-184", [](Estate& estate) { estate.inventory[7].nos = "SONiC 202311"; }},
  };
}

std::vector<LintSeed> policy_seeds() {
  return {
      {"RY-LNT-183", [](Estate& estate) { estate.allowed.versions["ConnectX-7"] = {"28.45.1020"}; }},
      {"RY-LNT-200", [](Estate& estate) { estate.allowed.lossless_priorities = 1U << 4; }},
      {"RY-LNT-201",
       [](Estate& estate) {
         estate.allowed.suppressions.push_back({"RY-LNT-060", "leaf1", " ", {}});
       }},
      {"RY-LNT-202",
       [](Estate& estate) {
         estate.allowed.suppressions.push_back({"RY-LNT-999", "", "old", {}});
       }},
  };
}

}  // namespace

std::vector<LintSeed> seeds_of(const Language& language) {
  const auto is_of_jobs = [](std::string_view code) {
    return code == "RY-LNT-098" || (code >= "RY-LNT-110" && code < "RY-LNT-140");
  };
  std::vector<LintSeed> out;
  if (language.speaker == Speaker::inventory) return inventory_seeds();
  if (language.speaker == Speaker::policy) return policy_seeds();
  if (language.speaker == Speaker::switches)
    for (const LintSeed& seed : switch_seeds())
      if (!is_one_of(seed.code, {"200", "201", "202"})) out.push_back(seed);
  if (language.speaker == Speaker::hosts) out = shared_host_seeds();
  if (language.speaker == Speaker::hosts || language.speaker == Speaker::jobs)
    for (const LintSeed& seed : host_seeds())
      if (is_of_jobs(seed.code) == (language.speaker == Speaker::jobs)) out.push_back(seed);
  std::sort(out.begin(), out.end(), [](const LintSeed& a, const LintSeed& b) { return a.code < b.code; });
  return out;
}

}  // namespace railyard
