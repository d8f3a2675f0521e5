#include "tools/settings/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "config/write/limits.h"
#include "plan/headroom.h"
#include "scenario/presets.h"

namespace railyard {
namespace {

Scenario scenario_of(const std::string& name, std::vector<std::string> overrides = {}) {
  overrides.emplace_back("engine.fidelity=packet");
  Result<Scenario> scenario = load_named_scenario(name, builtin_catalog(), overrides, {.workload = false});
  EXPECT_TRUE(scenario) << (scenario ? "" : to_text(scenario.error().front()));
  return scenario ? std::move(*scenario) : Scenario();
}

Estate estate_of(const Scenario& scenario, const SettingsDialects& dialects = {}) {
  Result<Estate> estate = recommended_estate(scenario, builtin_catalog(), dialects);
  EXPECT_TRUE(estate) << (estate ? "" : to_text(estate.error().front()));
  return estate ? std::move(*estate) : Estate();
}

Device device_called(const Estate& estate, const std::string& name) {
  const auto found =
      std::find_if(estate.devices.begin(), estate.devices.end(), [&](const Device& d) { return d.name == name; });
  EXPECT_NE(found, estate.devices.end()) << name;
  return found == estate.devices.end() ? Device() : *found;
}

std::vector<std::string> names_of(Dialect dialect, Cages cages, std::uint32_t links, std::vector<BitsPerSecond> rates) {
  PortNames names(dialect, cages, links);
  std::vector<std::string> out;
  for (const BitsPerSecond rate : rates) out.push_back(names.next(rate));
  return out;
}

TEST(PortNames, are_counted_by_lanes_where_cages_are_split) {
  using Names = std::vector<std::string>;
  const Cages tomahawk5{64, 800_Gbps};
  const auto three = [&](Dialect dialect, std::uint32_t links) {
    return names_of(dialect, tomahawk5, links, {400_Gbps, 400_Gbps, 400_Gbps});
  };
  EXPECT_EQ(three(Dialect::sonic, 64), (Names{"Ethernet0", "Ethernet8", "Ethernet16"}));
  EXPECT_EQ(three(Dialect::sonic, 128), (Names{"Ethernet0", "Ethernet4", "Ethernet8"}));
  EXPECT_EQ(three(Dialect::eos, 128), (Names{"Ethernet1/1", "Ethernet1/5", "Ethernet2/1"}));
  EXPECT_EQ(three(Dialect::nvue, 128), (Names{"swp1s0", "swp1s1", "swp2s0"}));
  EXPECT_EQ(three(Dialect::nvue, 64), (Names{"swp1", "swp2", "swp3"}));
  EXPECT_EQ(three(Dialect::nxos, 128), (Names{"Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/2/1"}));
  EXPECT_EQ(three(Dialect::junos, 128), (Names{"et-0/0/0:0", "et-0/0/0:1", "et-0/0/1:0"}));
}

TEST(PortNames, of_faster_links_begin_where_their_lanes_do) {
  EXPECT_EQ(names_of(Dialect::sonic, {64, 800_Gbps}, 100, {200_Gbps, 200_Gbps, 200_Gbps, 400_Gbps, 800_Gbps}),
            (std::vector<std::string>{"Ethernet0", "Ethernet2", "Ethernet4", "Ethernet8", "Ethernet16"}));
  EXPECT_EQ(names_of(Dialect::sonic, {64, 400_Gbps}, 100, {400_Gbps, 50_Gbps, 100_Gbps}),
            (std::vector<std::string>{"Ethernet0", "Ethernet8", "Ethernet10"}));
  EXPECT_EQ(names_of(Dialect::sonic, {}, 100, {400_Gbps, 100_Gbps}), (std::vector<std::string>{"Ethernet0", "Ethernet8"}));
}

TEST(Settings, a_switch_has_no_port_twice_and_none_beyond_its_cages) {
  const Scenario scenario = scenario_of("packets/incast", {"fabric.topology=star", "fabric.hosts_per_leaf="});
  const Device leaf = device_called(estate_of(scenario), "leaf");
  ASSERT_EQ(leaf.ports.size(), 128U);
  EXPECT_EQ(leaf.ports[1].name, "Ethernet4");
  EXPECT_EQ(leaf.ports.back().name, "Ethernet508");  // of 512 lanes
}

TEST(Settings, one_class_from_the_job_to_every_switch) {
  const Scenario scenario = scenario_of("packets/incast");
  const Estate estate = estate_of(scenario);
  EXPECT_EQ(device_called(estate, "job").environment.at("NCCL_IB_TC").value, "106");
  const Device host = device_called(estate, "host");
  EXPECT_EQ(host.nics.front().traffic_class, 106);
  EXPECT_EQ(host.policies[0].class_of_dscp[26], 3);
  EXPECT_EQ(host.policies[0].pfc, 1U << 3);
  for (const char* name : {"leaf", "spine"}) {
    const Device device = device_called(estate, name);
    ASSERT_FALSE(device.ports.empty());
    for (const PortConfig& port : device.ports) {
      const QosPolicy& policy = device.policies[port.policy];
      EXPECT_EQ(policy.class_of(26, 0), 3);
      EXPECT_EQ(policy.class_of(48, 0), 6);
      EXPECT_EQ(policy.class_of(0, 0), 0);
      EXPECT_EQ(policy.pausing_priority(3), 3);
      EXPECT_FALSE(policy.pausing_priority(0));
      EXPECT_TRUE(policy.queues[6].strict);
      EXPECT_TRUE(policy.groups[3].has_buffer);
      EXPECT_TRUE(policy.watchdog.enabled);
      EXPECT_EQ(port.mtu, scenario.packet.headroom.port_mtu);
    }
  }
}

TEST(Settings, are_what_the_scenario_simulates) {
  const Scenario scenario = scenario_of("packets/incast", {"fabric.uplink_rate=800 Gb/s"});
  const PacketPlan& plan = scenario.packet;
  const Device leaf = device_called(estate_of(scenario), "leaf");
  bool faster = false;
  for (const PortConfig& port : leaf.ports) {
    const QosPolicy& policy = leaf.policies[port.policy];
    ASSERT_TRUE(policy.queues[3].ecn);
    EXPECT_EQ(bytes_of(policy.queues[3].ecn->kmin, {}), plan.ecn.kmin);
    EXPECT_EQ(bytes_of(policy.queues[3].ecn->kmax, {}), plan.ecn.kmax);
    EXPECT_EQ(policy.queues[3].ecn->pmax, plan.ecn.pmax);
    EXPECT_EQ(policy.groups[3].headroom, headroom_of(plan, *port.speed, propagation_time(*port.cable)));
    EXPECT_EQ(policy.groups[3].alpha, plan.buffer.alpha);
    EXPECT_EQ(policy.groups[3].xon_offset, plan.buffer.xon_offset);
    EXPECT_EQ(policy.groups[3].reserve, plan.buffer.reserve);
    faster = faster || port.speed == 800_Gbps;
  }
  EXPECT_TRUE(faster);
  EXPECT_EQ(leaf.hash.seed, scenario.routing.seeds[0]);
}

TEST(Settings, hosts_get_what_the_scenario_gives_of_dcqcn) {
  const std::vector<std::string> tuned = {"transport.dcqcn.rpg_time_reset=55 us", "transport.dcqcn.rpg_ai_rate=200 Mb/s"};
  const Device host = device_called(estate_of(scenario_of("packets/incast", tuned)), "host");
  EXPECT_EQ(host.nics.front().dcqcn,
            (std::map<std::string, std::int64_t, std::less<>>{{"rpg_ai_rate", 200}, {"rpg_time_reset", 55}}));
  EXPECT_TRUE(device_called(estate_of(scenario_of("packets/incast")), "host").nics.front().dcqcn.empty());
  const Result<std::vector<SettingsFile>> files =
      settings_files(scenario_of("packets/incast", tuned), builtin_catalog(), {"mlnx"});
  ASSERT_TRUE(files);
  EXPECT_NE(files->front().file.text.find("echo 55 > /sys/class/net/eth0/ecn/roce_rp/rpg_time_reset"), std::string::npos);
}

TEST(Settings, marks_go_by_the_vendor_of_the_nic) {
  const auto marks = [](const char* nic) {
    return marks_of(scenario_of("packets/incast", {std::string("cluster.nic=") + nic}), builtin_catalog());
  };
  EXPECT_EQ(marks("ConnectX-7").cnp.priority, 6);
  EXPECT_EQ(marks("Thor-2").cnp.dscp, 48);
  EXPECT_EQ(marks("Thor-2").cnp.priority, 7);
  EXPECT_EQ(marks("Pollara-400").cnp.dscp, 46);
  EXPECT_EQ(marks("Pollara-400").data.dscp, 24);
  EXPECT_EQ(marks("Pollara-400").tos, 96);
}

TEST(Settings, tiers_have_seeds_of_their_own_and_rails_have_pxn) {
  const Estate estate = estate_of(scenario_of("fabrics/rail-optimized", {"transport.kind=roce", "fabric.switch=Tomahawk-5"}));
  EXPECT_NE(device_called(estate, "leaf").hash.seed, device_called(estate, "spine").hash.seed);
  EXPECT_EQ(device_called(estate, "job").environment.at("NCCL_PXN_DISABLE").value, "0");
  EXPECT_FALSE(device_called(estate_of(scenario_of("packets/incast")), "job").environment.contains("NCCL_PXN_DISABLE"));
}

TEST(Settings, jobs_follow_the_routing) {
  const Device job = device_called(
      estate_of(scenario_of("packets/incast", {"routing.policy=adaptive", "transport.qps_per_connection=4"})), "job");
  EXPECT_EQ(job.environment.at("NCCL_IB_QPS_PER_CONNECTION").value, "4");
  EXPECT_EQ(job.environment.at("NCCL_IB_ADAPTIVE_ROUTING").value, "1");
}

TEST(Settings, are_written_in_every_language) {
  for (const char* name : {"packets/incast", "packets/checkpoint", "fabrics/rail-optimized", "fabrics/fat-tree", "llama3"})
    for (const std::string& language : settings_languages()) {
      const std::string nic = language == "nicctl" ? "cluster.nic=Pollara-400" : "cluster.nic=ConnectX-7";
      const Scenario scenario =
          scenario_of(name, {"transport.kind=roce", "fabric.switch=Tomahawk-5", "fabric.link_rate=400 Gb/s", nic});
      const auto files = settings_files(scenario, builtin_catalog(), {language});
      ASSERT_TRUE(files) << name << ' ' << language << ": " << to_text(files.error().front());
      for (const SettingsFile& one : *files) EXPECT_GT(one.file.text.size(), 40U) << one.file.name;
    }
}

TEST(Settings, name_commands_for_nics_that_have_no_file) {
  const Result<SettingsSheet> sheet = settings_sheet(scenario_of("packets/incast", {"cluster.nic=Thor-2"}), builtin_catalog());
  ASSERT_TRUE(sheet);
  EXPECT_TRUE(std::any_of(sheet->sections.begin(), sheet->sections.end(), [](const SettingSection& section) {
    return section.note.find("niccli --dev eth0 qos --pfc --enable 3;") != std::string::npos;
  }));
}

TEST(Settings, refuse_the_tool_of_another_vendor) {
  const auto files = settings_files(scenario_of("packets/incast"), builtin_catalog(), {"nicctl"});
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().front().hint.find("mlnx"), std::string::npos);
}

TEST(Settings, say_what_a_language_leaves_to_the_device) {
  const auto files = settings_files(scenario_of("packets/incast"), builtin_catalog(), {"eos", "nccl"});
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 3U);
  EXPECT_EQ((*files)[0].file.name, "leaf.cfg");
  EXPECT_FALSE((*files)[0].left_out.empty());
  EXPECT_EQ((*files)[2].file.name, "job.env");
  EXPECT_TRUE((*files)[2].left_out.empty());
}

TEST(Settings, infiniband_has_jobs_alone) {
  const Scenario scenario = scenario_of("packets/incast", {"transport.kind=infiniband", "fabric.switch=Quantum-2"});
  const Estate estate = estate_of(scenario);
  ASSERT_EQ(estate.devices.size(), 1U);
  EXPECT_EQ(estate.devices[0].environment.at("NCCL_IB_SL").value, "0");
  const Result<SettingsSheet> sheet = settings_sheet(scenario, builtin_catalog());
  ASSERT_TRUE(sheet);
  EXPECT_NE(sheet->answer.front().find("credits"), std::string::npos);
  const auto files = settings_files(scenario, builtin_catalog(), {"sonic"});
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().front().code, "RY-SET-002");
}

TEST(Settings, lossy_transports_pause_nobody) {
  for (const char* kind : {"tcp", "uec"}) {
    const Estate estate =
        estate_of(scenario_of("packets/incast", {std::string("transport.kind=") + kind, "cluster.nic=Pollara-400",
                                                 "fabric.switch=", "fabric.switch_latency=900 ns"}));
    const Device leaf = device_called(estate, "leaf");
    EXPECT_EQ(leaf.policies[0].pfc, 0) << kind;
    EXPECT_FALSE(leaf.policies[0].watchdog.enabled) << kind;
  }
}

TEST(Settings, refuse_a_language_that_nobody_speaks) {
  const auto files = settings_files(scenario_of("packets/incast"), builtin_catalog(), {"sonik"});
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().front().code, "RY-SET-001");
  EXPECT_NE(files.error().front().hint.find("sonic"), std::string::npos);
}

TEST(Settings, every_row_has_a_reason_and_a_source) {
  for (const char* name : {"packets/incast", "packets/checkpoint", "fabrics/rail-optimized", "transports/incast", "llama3"}) {
    const Result<SettingsSheet> sheet = settings_sheet(scenario_of(name), builtin_catalog());
    ASSERT_TRUE(sheet) << name;
    EXPECT_FALSE(sheet->answer.empty());
    for (const SettingSection& section : sheet->sections)
      for (const SettingRow& row : section.rows) {
        EXPECT_FALSE(row.value.empty()) << name << ' ' << section.title << ' ' << row.setting;
        EXPECT_FALSE(row.reason.empty()) << name << ' ' << section.title << ' ' << row.setting;
        EXPECT_FALSE(row.origin.source.empty()) << name << ' ' << section.title << ' ' << row.setting;
      }
    EXPECT_TRUE(parse_json(write_json(settings_document(*sheet)), "sheet", "RY-SET-001"));
  }
}

TEST(Settings, remark_on_pauses_that_come_before_marks) {
  const Result<SettingsSheet> sheet = settings_sheet(
      scenario_of("packets/incast", {"transport.ecn.kmin=40 MB", "transport.ecn.kmax=50 MB"}), builtin_catalog());
  ASSERT_TRUE(sheet);
  EXPECT_TRUE(std::any_of(sheet->remarks.begin(), sheet->remarks.end(),
                          [](const std::string& r) { return r.find("pauses before it marks") != std::string::npos; }));
}

}  // namespace
}  // namespace railyard
