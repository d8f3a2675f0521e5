#include "tools/lint/lint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tools/lint/clean_estate.h"
#include "tools/lint/seeds.h"

namespace railyard {
namespace {

std::vector<LintSeed> all_seeds() {
  std::vector<LintSeed> all = switch_seeds();
  const std::vector<LintSeed> hosts = host_seeds();
  all.insert(all.end(), hosts.begin(), hosts.end());
  return all;
}

Estate seeded(std::string_view code) {
  Estate estate = clean_estate();
  for (const LintSeed& seed : all_seeds())
    if (seed.code == code) seed.make(estate);
  return estate;
}

std::vector<const LintFinding*> found_by(const LintResult& result, std::string_view code) {
  std::vector<const LintFinding*> found;
  for (const LintFinding& finding : result.findings)
    if (finding.rule->code == code) found.push_back(&finding);
  return found;
}

std::string all_texts(const LintResult& result) {
  std::string text;
  for (const LintFinding& finding : result.findings)
    text += fmt::format("{} {}: {}\n", finding.rule->code, finding.device, finding.message);
  return text;
}

std::string shown(const Report& report) {
  std::ostringstream out;
  write_terminal(report, 100, out);
  return out.str();
}

TEST(Lint, a_clean_estate_yields_nothing) {
  const LintResult result = lint(clean_estate());
  EXPECT_EQ(all_texts(result), "");
  EXPECT_EQ(result.switches, 6U);
  EXPECT_EQ(result.hosts, 3U);
  EXPECT_EQ(result.jobs, 1U);
}

TEST(Lint, an_empty_estate_yields_nothing) { EXPECT_EQ(all_texts(lint(Estate{})), ""); }

TEST(Lint, devices_that_say_nothing_yield_nothing) {
  for (std::size_t kind = 0; kind < 3; kind++) {
    Estate estate;
    Device& device = estate.devices.emplace_back();
    device.name = "alone";
    device.kind = static_cast<DeviceKind>(kind);
    device.ports.resize(4);
    device.nics.resize(2);
    EXPECT_EQ(all_texts(lint(estate)), "");
  }
}

/// Parts of a clean estate, alone: what others would say is not known.
TEST(Lint, parts_of_a_clean_estate_yield_nothing) {
  const Estate whole = clean_estate();
  for (std::size_t i = 0; i < whole.devices.size(); i++) {
    Estate part;
    part.devices.push_back(whole.devices[i]);
    EXPECT_EQ(all_texts(lint(part)), "") << whole.devices[i].name;
  }
}

TEST(Lint, a_clean_estate_is_clean_in_every_language) {
  for (std::size_t dialect = 0; dialect < std::size(ChoiceNames<Dialect>::names); dialect++) {
    Estate estate = clean_estate();
    for (Device& device : estate.devices) device.dialect = static_cast<Dialect>(dialect);
    EXPECT_EQ(all_texts(lint(estate)), "") << ChoiceNames<Dialect>::names[dialect];
  }
}

/// What vendors ship or advise, and some would take for a mistake.
TEST(Lint, usual_settings_yield_no_warnings) {
  const auto expect_clean = [](const char* what, const auto& change) {
    Estate estate = clean_estate();
    estate.allowed = {};
    for (Device& device : estate.devices) change(device);
    for (const LintFinding& finding : lint(estate).findings)
      EXPECT_EQ(finding.rule->severity, Severity::note) << what << ": " << finding.rule->code << " " << finding.message;
  };
  const auto at_switches = [](auto change) {
    return [change](Device& device) {
      if (device.kind == DeviceKind::network_switch) change(device.policies[0]);
    };
  };
  expect_clean("flat thresholds", at_switches([](QosPolicy& p) { p.queues[3].ecn->kmin = p.queues[3].ecn->kmax; }));
  expect_clean("SONiC's thresholds", at_switches([](QosPolicy& p) {
                 p.queues[3].ecn = EcnPolicy{{ThresholdUnit::bytes, 1'048'576}, {ThresholdUnit::bytes, 2'097'152}, 0.05, true};
               }));
  expect_clean("shares of the queue", at_switches([](QosPolicy& p) {
                 p.queues[3].ecn = EcnPolicy{{ThresholdUnit::percent, 55}, {ThresholdUnit::percent, 90}, 1, true};
               }));
  expect_clean("maps by eights", at_switches([](QosPolicy& p) { p.class_of_dscp = classes_by_eight(); }));
  expect_clean("a second lossless priority", at_switches([](QosPolicy& p) {
                 p.pfc |= 1U << 4, p.class_of_dscp[34] = p.group_of_class[4] = 4, p.groups[4] = p.groups[3];
                 p.queues[4] = p.queues[3];
               }));
  expect_clean("management ports", [](Device& device) {
    if (device.kind != DeviceKind::network_switch) return;
    device.policies.emplace_back();
    for (const char* name : {"Management0", "Ethernet99"}) {
      PortConfig port = clean_port(name, "", "");
      port.policy = 1, port.speed = 10_Gbps, port.mtu = 1500_B;
      device.ports.push_back(port);
    }
  });
}

TEST(Lint, every_rule_has_a_mistake_that_it_finds) {
  std::map<std::string_view, const LintSeed*> seeds;
  const std::vector<LintSeed> all = all_seeds();
  for (const LintSeed& seed : all) EXPECT_TRUE(seeds.emplace(seed.code, &seed).second) << seed.code << " is seeded twice";
  std::size_t rules = 0;
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) {
      rules++;
      ASSERT_TRUE(seeds.contains(rule.code)) << rule.code << " has no seeded mistake";
      Estate estate = clean_estate();
      seeds.at(rule.code)->make(estate);
      const LintResult result = lint(estate);
      EXPECT_FALSE(found_by(result, rule.code).empty()) << rule.code << ": " << rule.title << "\nfound instead:\n"
                                                        << all_texts(result);
    }
  EXPECT_EQ(rules, all.size());
  EXPECT_GE(rules, 60U);
}

TEST(Lint, a_nic_without_a_name_is_told_by_its_host) {
  Estate estate = clean_estate();
  for (Device& device : estate.devices)
    for (NicConfig& nic : device.nics) {
      nic.name.clear();
      device.policies[nic.policy].trust = Trust::pcp;
      device.policies[nic.policy].said["trust"] = {"mlnx_qos.txt", 2, 1};
    }
  const LintResult result = lint(estate);
  EXPECT_FALSE(result.findings.empty());
  for (const LintFinding& finding : result.findings)
    for (const std::string& port : finding.ports) EXPECT_NE(port, "") << finding.rule->code;
}

TEST(Lint, rules_are_told_completely_and_in_order) {
  std::string_view last;
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) {
      EXPECT_LT(last, rule.code);
      last = rule.code;
      EXPECT_TRUE(rule.code.starts_with("RY-LNT-") && rule.code.size() == 10) << rule.code;
      for (const std::string_view text : {rule.title, rule.why, rule.source, rule.fix}) EXPECT_FALSE(text.empty()) << rule.code;
      EXPECT_TRUE(rule.fix.ends_with('.')) << rule.code << ": " << rule.fix;
      EXPECT_GT(rule.harm, 0);
      EXPECT_LE(rule.harm, 100);
    }
}

TEST(Lint, every_finding_names_a_device_and_says_the_same_twice) {
  for (const LintSeed& seed : all_seeds()) {
    Estate estate = clean_estate();
    seed.make(estate);
    const LintResult result = lint(estate);
    for (const LintFinding& finding : result.findings) {
      EXPECT_FALSE(finding.device.empty());
      EXPECT_FALSE(finding.message.empty());
    }
    EXPECT_EQ(all_texts(result), all_texts(lint(estate)));
  }
}

/// What repairs propose must help: after them the rule finds less.
TEST(Lint, repairs_remove_what_they_repair) {
  for (const LintSeed& seed : all_seeds()) {
    Estate estate = clean_estate();
    seed.make(estate);
    const LintResult before = lint(estate);
    const auto findings = found_by(before, seed.code);
    if (findings.empty() || findings.front()->repairs.empty()) continue;
    const RepairPlan plan = plan_repairs(estate);
    EXPECT_FALSE(plan.devices.empty());
    const LintResult after = lint(plan.after);
    EXPECT_LT(found_by(after, seed.code).size(), findings.size()) << seed.code << "\nleft:\n" << all_texts(after);
  }
}

TEST(Lint, the_chain_names_the_first_device_where_it_breaks) {
  const LintResult result = lint(seeded("RY-LNT-140"));
  const auto found = found_by(result, "RY-LNT-140");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]->device, "leaf1");
  EXPECT_EQ(found[0]->message, "DSCP 26 (NCCL_IB_TC=106) gets class 1, queue 1, group 0, no PFC; lossless here is priority 3");
  EXPECT_NE(
      found[0]->detail.find("NCCL_IB_TC=106 of train → DSCP 26 → host0 (class 3, queue 3, group 3, PFC priority 3) → leaf0"),
      std::string::npos)
      << found[0]->detail;
  EXPECT_NE(found[0]->detail.find("leaf1 (class 1, queue 1, group 0, no PFC): it breaks here first"), std::string::npos);
}

TEST(Lint, each_break_of_a_chain_is_told_with_its_own_way) {
  Estate estate = clean_estate();
  estate.devices[1].policies[0].class_of_dscp[26] = 1;
  estate.devices[4].policies[0].pfc = 1U << 5;
  std::string at_leaf, at_spine;
  for (const LintFinding& one : lint(estate).findings)
    if (one.rule->code == "RY-LNT-140") (one.device == "leaf1" ? at_leaf : at_spine) = one.detail;
  EXPECT_NE(at_leaf.find("leaf1 (class 1, queue 1, group 0, no PFC): it breaks here first"), std::string::npos) << at_leaf;
  EXPECT_NE(at_spine.find("spine0 (class 3, queue 3, group 3, PFC priority 3) → spine1 (class 3, queue 3, group 3, no PFC): it "
                          "breaks here first"),
            std::string::npos)
      << at_spine;
}

TEST(Lint, cnps_with_the_mark_of_data_are_the_mistake_of_their_nic) {
  Estate estate = clean_estate();
  estate.devices[7].nics[1].cnp_dscp = 26;
  const LintResult result = lint(estate);
  EXPECT_EQ(found_by(result, "RY-LNT-095").size(), 1U);
  for (const LintFinding& one : result.findings) EXPECT_EQ(one.device, "host1") << one.rule->code;
}

TEST(Lint, nics_of_another_maker_or_speed_may_have_other_settings) {
  Estate estate = clean_estate();
  for (NicConfig& nic : estate.devices[7].nics) nic.dcqcn["rpg_ai_rate"] = 50, nic.speed = 200_Gbps;
  const auto is_odd = [](const LintFinding& one) { return one.rule->code == "RY-LNT-099"; };
  std::vector<LintFinding> found = lint(estate).findings;
  EXPECT_TRUE(std::none_of(found.begin(), found.end(), is_odd));
  for (NicConfig& nic : estate.devices[7].nics) nic.speed = 400_Gbps;
  found = lint(estate).findings;
  EXPECT_EQ(std::count_if(found.begin(), found.end(), is_odd), 3);
}

TEST(Lint, surplus_priorities_cost_headroom) {
  const auto result = lint(seeded("RY-LNT-002"));
  const auto found = found_by(result, "RY-LNT-002");
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0]->message,
            "PFC is on for priority 4, which no job or NIC that was read sends on, which keeps 780 kB of headroom on 6 ports");
}

TEST(Lint, the_same_mistake_at_many_devices_is_one_entry) {
  const LintResult result = lint(seeded("RY-LNT-060"));
  EXPECT_EQ(result.findings.size(), 6U);
  const std::vector<LintEntry> entries = lint_entries(result);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].at.size(), 6U);
  const std::string text = shown(lint_report(result));
  EXPECT_NE(text.find("The worst, RY-LNT-060, at leaf0, leaf1,"), std::string::npos) << text;
}

TEST(Lint, suppressions_need_a_reason_and_are_counted) {
  Estate estate = seeded("RY-LNT-060");
  estate.allowed.suppressions = {{"RY-LNT-060", "leaf1", "lab switch", {"policy.toml", 2, 1}}};
  LintResult result = lint(estate);
  EXPECT_EQ(result.findings.size(), 5U);
  ASSERT_EQ(result.suppressed.size(), 1U);
  EXPECT_EQ(result.suppressed[0].reason, "lab switch");
  EXPECT_NE(shown(lint_report(result)).find("1 × RY-LNT-060 (lab switch)"), std::string::npos);
  estate.allowed.suppressions[0].reason = "";
  result = lint(estate);
  EXPECT_TRUE(result.suppressed.empty());
  EXPECT_EQ(found_by(result, "RY-LNT-201").size(), 1U);
}

TEST(Lint, unread_statements_are_told_once) {
  Estate estate = clean_estate();
  for (std::size_t i = 0; i < 3; i++) estate.devices[i].unread.push_back({"AAA", 2, {"leaf.json", 9, 1}});
  const LintResult result = lint(estate);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unread.size(), 1U);
  EXPECT_EQ(result.unread[0].times, 6U);
}

}  // namespace
}  // namespace railyard
