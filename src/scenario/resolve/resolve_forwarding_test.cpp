#include "scenario/resolve/resolve_forwarding.h"

#include <gtest/gtest.h>

#include "scenario/testing.h"

namespace railyard {
namespace {

Scenario plain() {
  return testing::scenario_of(
      "name = \"f\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\n[fabric]\ntopology = "
      "\"leaf-spine\"\nhosts_per_leaf = 4\nspines = 2\nlink_rate = \"400 Gb/s\"\nlink_delay = \"50 ns\"\nswitch_latency = "
      "\"500 ns\"\n[engine]\nfidelity = \"packet\"\n");
}

Device hashing(const std::string& name, std::uint64_t seed, std::vector<std::string> fields = {"src-ip", "dst-ip", "src-port"},
               const std::string& function = "") {
  Device device;
  device.name = name;
  device.hash.seed = seed;
  device.hash.fields = std::move(fields);
  device.hash.function = function;
  return device;
}

/// The routing of a scenario with devices that were read, and keys that it gives.
RoutingPlan routing_with(std::vector<Device> devices, std::initializer_list<const char*> given = {}) {
  Scenario s = plain();
  ScenarioSpec spec;
  for (const char* key : given) spec.keys.by_path[key] = {};
  spec.qos.estate.devices = std::move(devices);
  Complaints complaints(SchemaCodes{});
  resolve_forwarding(spec, s, complaints);
  EXPECT_TRUE(complaints.found().empty());
  return s.routing;
}

TEST(ResolveForwarding, seeds_of_tiers_and_of_one_switch) {
  const RoutingPlan plan = routing_with({hashing("leaf1", 7), hashing("leaf2", 9), hashing("leaf3", 7), hashing("spine1", 7)});
  EXPECT_EQ(plan.seeds, (std::vector<std::uint32_t>{7, 7, 25}));
  ASSERT_EQ(plan.own_hashes.size(), 1U);
  EXPECT_EQ(plan.own_hashes[0].tier, 0U);
  EXPECT_EQ(plan.own_hashes[0].index, 1U);
  EXPECT_EQ(plan.own_hashes[0].seed, 9U);
}

TEST(ResolveForwarding, functions_and_fields_of_tiers_that_differ) {
  const RoutingPlan plan = routing_with({hashing("leaf1", 1, {"src-ip", "dst-ip", "qpn"}, "CRC_CCITT"),
                                         hashing("spine1", 2, {"src-ip", "dst-ip"}, "XOR"), hashing("core1", 3, {}, "RANDOM")});
  EXPECT_EQ(plan.hash, HashFunction::crc16_ccitt);
  EXPECT_EQ(plan.hash_fields, HashFields::qpn);
  ASSERT_EQ(plan.own_hashes.size(), 1U) << "a function that is not known is that of the rest";
  EXPECT_EQ(plan.own_hashes[0].tier, 1U);
  EXPECT_FALSE(plan.own_hashes[0].index);
  EXPECT_EQ(plan.own_hashes[0].hash, HashFunction::exclusive_or);
  EXPECT_EQ(plan.own_hashes[0].hash_fields, HashFields::addresses);
  EXPECT_EQ(plan.own_hashes[0].seed, 2U);
}

TEST(ResolveForwarding, keys_of_the_scenario_come_before_files) {
  const RoutingPlan plan = routing_with({hashing("leaf1", 7, {"src-ip", "dst-ip"}, "XOR")},
                                        {"routing.seeds", "routing.hash", "routing.hash_fields"});
  EXPECT_EQ(plan.seeds, (std::vector<std::uint32_t>{0, 10, 25}));
  EXPECT_EQ(plan.hash, HashFunction::crc32);
  EXPECT_EQ(plan.hash_fields, HashFields::five_tuple);
}

TEST(ResolveForwarding, rdma_takes_what_fits_into_a_frame) {
  EXPECT_EQ(rdma_mtu_of(9000_B), 4096_B);
  EXPECT_EQ(rdma_mtu_of(4200_B), 4096_B);
  EXPECT_EQ(rdma_mtu_of(4191_B), 2048_B);
  EXPECT_EQ(rdma_mtu_of(1500_B), 1024_B);
  EXPECT_EQ(rdma_mtu_of(300_B), std::nullopt);
}

Device host_of(const std::string& name, Bytes mtu) {
  Device device;
  device.name = name;
  device.kind = DeviceKind::host;
  device.nics.emplace_back().mtu = mtu;
  return device;
}

TEST(ResolveForwarding, packets_keep_the_largest_mtu_and_flows_the_smallest) {
  for (const Fidelity fidelity : {Fidelity::packet, Fidelity::flow}) {
    Scenario s = plain();
    ScenarioSpec spec;
    spec.engine.fidelity = fidelity;
    spec.qos.estate.devices = {host_of("gpu0", 2200_B), host_of("gpu1", 1500_B)};
    Complaints complaints(SchemaCodes{});
    resolve_forwarding(spec, s, complaints);
    EXPECT_EQ(s.transport.mtu, fidelity == Fidelity::packet ? 2048_B : 1024_B);
    EXPECT_EQ(host_mtus(spec, s).at(1).mtu, 1024_B);
  }
}

TEST(ResolveForwarding, a_port_that_takes_no_full_packet_is_refused) {
  Device leaf;
  leaf.name = "leaf1";
  leaf.policies.emplace_back().pfc = 8;
  leaf.ports.emplace_back().name = "Ethernet0";
  for (const auto& [mtu, errors] : {std::pair{4156_B, 0U}, {4155_B, 1U}, {1500_B, 1U}}) {
    leaf.ports[0].mtu = mtu;
    Scenario s = plain();
    ScenarioSpec spec;
    spec.qos.estate.devices = {leaf};
    Complaints complaints(SchemaCodes{});
    resolve_forwarding(spec, s, complaints);
    ASSERT_EQ(complaints.found().size(), errors) << mtu.count();
    if (errors > 0) {
      EXPECT_EQ(complaints.found()[0].code, "RY-SCN-144");
    }
  }
  leaf.policies[0].pfc = 0;  // a port for other things
  Scenario s = plain();
  ScenarioSpec spec;
  spec.qos.estate.devices = {leaf};
  Complaints complaints(SchemaCodes{});
  resolve_forwarding(spec, s, complaints);
  EXPECT_TRUE(complaints.found().empty());
}

}  // namespace
}  // namespace railyard
