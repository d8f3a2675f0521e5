#include "collective/host_limits.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace railyard {
namespace {

/// Sixteen H100 in two servers with eight 400 Gb/s NICs each.
Communicator two_servers() {
  const Catalog& catalog = builtin_catalog();
  Communicator group;
  group.gpu = catalog.communication.find("H100-SXM-80")->fact;
  group.constants = catalog.libraries.find("NCCL")->fact;
  group.link = 450e9;
  group.ranks = 16;
  group.nodes = 2;
  group.per_node = group.nics_per_node = 8;
  group.nvls = true;
  group.net = {392e9, 392e9, 392e9, 392e9};
  group.net_latency = 4_us;
  return group;
}

Communicator limited(const HostSpec& host) {
  Communicator group = two_servers();
  limit_by_host(host, {.nics = 8}, group);
  return group;
}

double busbw(const Communicator& group, Bytes size = 1_GiB, CollectiveKind kind = CollectiveKind::all_reduce) {
  return choose(kind, size, group).bus_bandwidth;
}

TEST(HostLimits, a_host_that_is_set_up_well_changes_nothing) {
  EXPECT_EQ(busbw(limited({})), busbw(two_servers()));
  EXPECT_EQ(limited({}).net_latency, 4_us);
}

TEST(HostLimits, fewer_nics_carry_their_share) {
  const Communicator two = limited({.nics = 2});
  EXPECT_DOUBLE_EQ(two.net.ring, 392e9 / 4);
  EXPECT_DOUBLE_EQ(two.net.point / two.nics_per_node, 392e9 / 8);                  // a connection has its NIC for itself
  EXPECT_NEAR(busbw(two, 1_GiB, CollectiveKind::all_gather) / 1e9, 98 * 0.96, 3);  // net_share of two NICs
  EXPECT_DOUBLE_EQ(limited({.nics = 16}).net.ring, 392e9);
}

TEST(HostLimits, nodes_of_several_servers_have_the_nics_of_all) {
  Communicator rack = two_servers();
  rack.per_node = rack.nics_per_node = 72;
  rack.ranks = 144;
  rack.net = {3600e9, 3600e9, 3600e9, 3600e9};
  limit_by_host({.nics = 2, .server_rate = 400_Gbps}, {.nics = 4, .per_node = 18}, rack);
  EXPECT_EQ(rack.nics_per_node, 36U);
  EXPECT_DOUBLE_EQ(rack.net.ring, 18 * 50e9);  // half of the NICs would carry 1,800 GB/s, 18 servers pass on 900
}

TEST(HostLimits, a_narrow_way_to_a_nic_limits_every_pattern) {
  const Communicator half = limited({.nic_rate = BitsPerSecond(200'000'000'000)});
  for (const double rate : {half.net.ring, half.net.tree, half.net.all_to_all, half.net.point}) EXPECT_DOUBLE_EQ(rate, 200e9);
}

TEST(HostLimits, a_server_that_copies_limits_the_sum_of_its_nics) {
  const Communicator copies = limited({.server_rate = BitsPerSecond(160'000'000'000)});
  EXPECT_DOUBLE_EQ(copies.net.ring, 20e9);
  EXPECT_DOUBLE_EQ(copies.net.point / copies.nics_per_node, 20e9);
  EXPECT_LT(busbw(copies), 45e9);
}

TEST(HostLimits, latency_shows_in_small_buffers_only) {
  const Communicator late = limited({.latency = 20_us});
  EXPECT_LT(busbw(late, 64_KiB), 0.7 * busbw(two_servers(), 64_KiB));
  EXPECT_GT(busbw(late, 4_GiB), 0.98 * busbw(two_servers(), 4_GiB));
}

TEST(HostLimits, switches_that_do_not_reduce_leave_rings_and_trees) {
  EXPECT_LT(busbw(limited({.nvls = false})), busbw(two_servers()));
  EXPECT_NE(choose(CollectiveKind::all_reduce, 1_GiB, limited({.nvls = false})).algorithm, CollectiveAlgorithm::nvls);
}

TEST(HostLimits, without_p2p_host_memory_sets_the_pace) {
  Communicator one = two_servers();
  one.nodes = 1;
  one.ranks = 8;
  one.net = {};
  limit_by_host({.p2p = false}, {.nics = 8}, one);
  EXPECT_NEAR(busbw(one) / 1e9, 10, 1);
}

TEST(HostLimits, few_channels_drive_few_links) {
  const Communicator two = limited({.channels = 2});
  EXPECT_EQ(two.gpu.channels, 2U);
  EXPECT_DOUBLE_EQ(two.net.ring, 392e9 / 4);
  EXPECT_LT(busbw(two), 0.3 * busbw(two_servers()));
}

TEST(HostLimits, nothing_gets_faster) {
  const HostSpec hosts[] = {{.nics = 3},
                            {.nic_rate = BitsPerSecond(1'000'000'000)},
                            {.server_rate = 80_Gbps},
                            {.latency = 1_us},
                            {.nvls = false},
                            {.p2p = false},
                            {.channels = 4}};
  for (const HostSpec& host : hosts)
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::all_to_all})
      for (const Bytes size : {1_KiB, 1_MiB, 1_GiB})
        EXPECT_LE(busbw(limited(host), size, kind), busbw(two_servers(), size, kind) * (1 + 1e-9));
}

}  // namespace
}  // namespace railyard
