#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/lint/lint.h"

namespace railyard {

namespace {

/// What of a device a change is about.
struct TargetOf {
  std::string operator()(const MapDscp& c) const { return std::to_string(c.dscp); }
  std::string operator()(const MapClass& c) const { return std::to_string(c.traffic_class); }
  std::string operator()(const SetPfc& c) const { return std::to_string(c.priority); }
  std::string operator()(const SetEcn& c) const { return std::to_string(c.queue); }
  std::string operator()(const SetScheduling& c) const { return std::to_string(c.queue); }
  std::string operator()(const SetGroup& c) const { return std::to_string(c.group); }
  std::string operator()(const SetEnvironment& c) const { return c.name; }
  std::string operator()(const SetNicClass& c) const { return c.nic; }
  std::string operator()(const SetCnp& c) const { return c.nic; }
  std::string operator()(const SetNicEcn& c) const { return fmt::format("{} {}", c.nic, c.priority); }
  std::string operator()(const SetDcqcn& c) const { return fmt::format("{} {}", c.nic, c.name); }
  std::string operator()(const SetDcbx& c) const { return c.nic; }
  template<class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

std::string target_of(const Repair& repair) {
  return fmt::format("{} {} {}", repair.change.index(), std::visit(TargetOf{}, repair.change), fmt::join(repair.ports, ","));
}

/// What was decided on PFC of a device: a priority is not turned on by one finding and off by another.
using Decided = std::map<std::pair<std::string, std::uint8_t>, bool>;
bool contradicts(const std::string& device, const Repair& repair, Decided& decided) {
  const SetPfc* const set = std::get_if<SetPfc>(&repair.change);
  return set && decided.try_emplace({device, set->priority}, set->on).first->second != set->on;
}

/// Makes the repairs of one look, each target once. Says what was done, by device; nothing if nothing was.
using Done = std::map<std::string, std::vector<Repair>>;
Done repair_once(Estate& estate, Decided& decided) {
  Done done;
  std::set<std::pair<std::string, std::string>> touched;
  for (const LintFinding& finding : lint(estate).findings)
    for (const Repair& repair : finding.repairs)
      if (!contradicts(finding.device, repair, decided) && touched.emplace(finding.device, target_of(repair)).second)
        done[finding.device].push_back(repair);
  for (Device& device : estate.devices)
    if (const auto repairs = done.find(device.name); repairs != done.end())
      for (const Repair& repair : repairs->second) device = repaired(std::move(device), repair);
  return done;
}

/// Adds repairs; one that changes again what an earlier one changed takes its place.
void add_repairs(std::vector<Repair>& all, const std::vector<Repair>& more) {
  for (const Repair& repair : more) {
    const std::string target = target_of(repair);
    std::erase_if(all, [&](const Repair& earlier) { return target_of(earlier) == target; });
    all.push_back(repair);
  }
}

}  // namespace

RepairPlan plan_repairs(const Estate& estate) {
  constexpr int kLooks = 4;  // a repair may show what it hid
  RepairPlan plan{estate, {}};
  Done all;
  Decided decided;
  for (int look = 0; look < kLooks; look++) {
    const Done done = repair_once(plan.after, decided);
    if (done.empty()) break;
    for (const auto& [device, repairs] : done) add_repairs(all[device], repairs);
  }
  std::set<std::string> listed;
  for (const Device& device : estate.devices)
    if (const auto repairs = all.find(device.name); repairs != all.end() && listed.insert(device.name).second)
      plan.devices.push_back({device.name, repairs->second});
  return plan;
}

}  // namespace railyard
