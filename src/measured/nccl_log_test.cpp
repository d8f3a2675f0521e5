#include <gtest/gtest.h>

#include "measured/fixtures.h"
#include "measured/nccl_log_lines.h"

namespace railyard {
namespace {

LibraryLog only_log(const std::string& text) {
  const Measurements all = measured_in(text);
  EXPECT_EQ(all.logs.size(), 1U);
  return all.logs.empty() ? LibraryLog() : all.logs.front();
}

constexpr const char* kLog = R"(gpu01:11:11 [0] NCCL INFO Bootstrap : Using ens9:10.1.0.1<0>
gpu01:11:11 [0] NCCL INFO NCCL version 2.26.5+cuda12.8
gpu01:11:21 [3] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_3:2/IB/SHARP [RO]; OOB ens9:10.1.0.1<0>
gpu01:11:22 [4] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_3:2/IB/SHARP [RO]; OOB ens9:10.1.0.1<0>
gpu01:11:21 [3] NCCL INFO Using network Vendor RDMA Plugin v7
gpu01:11:21 [3] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 1 'mlx5_3'
gpu01:11:22 [4] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 1 'mlx5_3'
gpu01:11:21 [3] NCCL INFO NCCL_IB_TC set by environment to 106.
gpu02:31:41 [3] NCCL INFO NCCL_IB_TC set by environment to 96.
gpu02:31:41 [3] NCCL INFO NCCL_IB_HCA set to mlx5_0,mlx5_3
gpu01:11:21 [0] NCCL INFO Setting affinity for GPU 0 to ffffffff,00000000
gpu01:11:21 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0
gpu01:11:21 [0] NCCL INFO comm 0x2 rank 0 nRanks 8 nNodes 1 localRanks 8 localRank 0 MNNVL 0
gpu01:11:21 [0] NCCL INFO Channel 00/16 : 0 1 2 3
gpu01:11:21 [0] NCCL INFO 16 coll channels, 12 collnet channels, 0 nvls channels, 32 p2p channels, 2 p2p channels per peer
gpu01:11:21 [0] NCCL INFO === System : maxBw 48.0 totalBw 480.0 ===
gpu01:11:23 [0] NCCL INFO Channel 03/0 : 7[3] -> 8[0] [receive] via NET/Vendor RDMA Plugin v7/1(2)/GDRDMA/Shared
gpu01:11:23 [0] NCCL INFO Channel 04/1 : 0[0] -> 1[1] via P2P/CUMEM/read
gpu01:11:23 [0] NCCL INFO Channel 05/0 : 0[0] -> 8[0] [send] via NET/IB/0
gpu01:11:23 [0] NCCL INFO Connected all rings, use ring PXN 1 GDR 0
gpu01:11:23 [0] NCCL INFO 8589934592 Bytes -> Algo 1 proto 2 time 86069.96
gpu01:11:23 [0] NCCL INFO AllReduce: 4096 Bytes -> Algo NVLS_TREE proto SIMPLE channel{Lo..Hi}={0..15}

gpu02:31:51 [5] transport/net_ib.cc:1999 NCCL WARN NET/IB : Got completion from peer 10.1.0.1<4791> with status=12 opcode=0 len=0 vendor err 129 (Recv)
gpu02:31:51 [5] transport/net_ib.cc:1999 NCCL WARN NET/IB : Got completion from peer 10.1.0.1<4791> with status=12 opcode=0 len=0 vendor err 129 (Recv)
gpu02:31:52 [6] misc/ibvwrap.cc:262 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out
)";

TEST(NcclLog, devices_settings_and_the_job) {
  const LibraryLog log = only_log(kLog);
  EXPECT_FALSE(log.rccl);
  EXPECT_EQ(log.version, "2.26.5");
  EXPECT_EQ(log.network, "Vendor RDMA Plugin v7");
  EXPECT_EQ(log.bootstrap, "ens9");
  ASSERT_EQ(log.hcas.size(), 2U) << "each host's once";
  EXPECT_EQ(log.hcas[1].device, "mlx5_3");
  EXPECT_EQ(log.hcas[1].port, 2U);
  EXPECT_TRUE(log.hcas[0].roce);
  EXPECT_FALSE(log.hcas[1].roce);
  EXPECT_TRUE(log.hcas[1].sharp);
  EXPECT_EQ(log.relaxed_ordering, true);
  ASSERT_EQ(log.gpu_direct_off.size(), 1U);
  EXPECT_EQ(log.gpu_direct_off[0].first, "gpu01");
  EXPECT_EQ(log.gpu_direct_off[0].second, "mlx5_3");
  ASSERT_EQ(log.settings.size(), 3U);
  EXPECT_EQ(log.settings[0].value, "106");
  EXPECT_EQ(log.settings[1].host, "gpu02");
  EXPECT_EQ(log.settings[2].name, "NCCL_IB_HCA");
  EXPECT_EQ(log.settings[2].where.line, 10U);
  EXPECT_EQ(log.ranks, 16U) << "of the largest communicator";
  EXPECT_EQ(log.nodes, 2U);
  EXPECT_EQ(log.local_ranks, 8U);
  EXPECT_EQ(log.channels, 16U);
  EXPECT_EQ(log.collnet_channels, 12U);
  EXPECT_EQ(log.nvls_channels, 0U);
  EXPECT_EQ(log.p2p_channels, 32U);
  EXPECT_DOUBLE_EQ(log.system_bandwidth.value_or(0), 48e9);
  ASSERT_EQ(log.affinities.size(), 1U);
  EXPECT_EQ(log.affinities[0].mask, "ffffffff,00000000");
}

TEST(NcclLog, connections) {
  const LibraryLog log = only_log(kLog);
  ASSERT_EQ(log.connections.size(), 3U);
  const LoggedConnection& proxied = log.connections[0];
  EXPECT_EQ(proxied.channel, 3U);
  EXPECT_EQ(proxied.from, 7U);
  EXPECT_EQ(proxied.from_device, 3U);
  EXPECT_EQ(proxied.to, 8U);
  EXPECT_EQ(proxied.via, "NET");
  EXPECT_EQ(proxied.network, "Vendor RDMA Plugin v7");
  EXPECT_EQ(proxied.nic, 1U);
  EXPECT_EQ(proxied.proxy_rank, 2U);
  EXPECT_TRUE(proxied.gpu_direct);
  EXPECT_TRUE(proxied.shared);
  EXPECT_TRUE(proxied.receives);
  EXPECT_EQ(log.connections[1].via, "P2P");
  EXPECT_FALSE(log.connections[1].nic);
  EXPECT_EQ(log.connections[2].network, "IB");
  EXPECT_FALSE(log.connections[2].gpu_direct);
  EXPECT_FALSE(log.connections[2].proxy_rank);
  EXPECT_EQ(log.ring_pxn, true);
  EXPECT_EQ(log.ring_gpu_direct, false);
}

TEST(NcclLog, choices_by_number_and_by_name) {
  const LibraryLog log = only_log(kLog);
  ASSERT_EQ(log.choices.size(), 2U);
  EXPECT_EQ(log.choices[0].algorithm, "Ring");
  EXPECT_EQ(log.choices[0].protocol, "Simple");
  EXPECT_EQ(log.choices[0].size, 8_GiB);
  EXPECT_EQ(log.choices[1].collective, "all_reduce");
  EXPECT_EQ(log.choices[1].algorithm, "NVLSTree");
}

TEST(NcclLog, warnings_are_counted) {
  const LibraryLog log = only_log(kLog);
  ASSERT_EQ(log.warnings.size(), 2U);
  EXPECT_EQ(log.warnings[0].host, "gpu02");
  EXPECT_EQ(log.warnings[0].times, 2U);
  EXPECT_NE(log.warnings[0].text.find("status=12"), std::string::npos);
  EXPECT_NE(log.warnings[1].text.find("ibv_modify_qp"), std::string::npos);
}

TEST(NcclLog, bus_addresses_of_old_logs_become_indices) {
  const LibraryLog log = only_log(
      "a:1:2 [0] NCCL INFO Channel 00 : 0[1a000] -> 1[3b000] via P2P/IPC\n"
      "a:1:2 [0] NCCL INFO Channel 00 : 1[3b000] -> 2[1a000] [send] via NET/IB/0\n");
  ASSERT_EQ(log.connections.size(), 2U);
  EXPECT_EQ(log.connections[0].to_device, 1U);
  EXPECT_EQ(log.connections[1].from_device, 1U);
  EXPECT_EQ(log.connections[1].to_device, 0U);
}

TEST(NcclLog, hosts_behind_tags_and_times) {
  const auto host = [](std::string_view line) {
    const auto parts = nccl_log::log_line(line);
    return parts ? std::string(parts->host) : "no line";
  };
  EXPECT_EQ(host("[1,0]<stdout>:gpu01:30:31 [0] NCCL INFO x"), "gpu01");
  EXPECT_EQ(host(" 3: gpu-2:30:31 [0] NCCL INFO x"), "gpu-2");
  EXPECT_EQ(host("[2026-01-02 03:04:05] gpu03:30:31 [7] net.cc:12 NCCL WARN x"), "gpu03");
  EXPECT_EQ(host("NCCL version 2.21.5+cuda12.4"), "no line");
}

TEST(NcclLog, cut_lines_are_said) {
  const Measurements all = measured_in("a:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1\n");
  ASSERT_EQ(all.skipped.size(), 1U);
  EXPECT_TRUE(all.logs.at(0).connections.empty());
  expect_prefixes_hold(kLog);
}

TEST(NcclLog, ras_reports) {
  const LibraryLog log = only_log(R"(NCCL version 2.28.9 compiled with CUDA 12.9
CUDA runtime version 12090, driver version 13000

Job summary
===========

  Nodes  Processes         GPUs  Processes     GPUs
(total)   per node  per process    (total)  (total)
      4        7-8            1         31       31

Communicators... (0.00s)
=============

Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
    0         1         4       7-8        32        31   RUNNING  INCOMPLETE

Errors
======

INCOMPLETE
  Missing communicator data from 1 job process
  Process 4711 on node 10.0.0.3 managing GPU 5

#0-0 (12ab) INCOMPLETE
  Missing communicator data from 1 rank
  Rank 21 -- GPU 5 managed by process 4711 on node 10.0.0.3

Warnings
========
)");
  EXPECT_EQ(log.version, "2.28.9");
  EXPECT_EQ(log.nodes, 4U);
  EXPECT_EQ(log.local_ranks, 8U);
  ASSERT_EQ(log.missing_ranks.size(), 1U);
  EXPECT_TRUE(log.missing_ranks[0].starts_with("Rank 21"));
  ASSERT_EQ(log.warnings.size(), 2U);
  EXPECT_EQ(log.warnings[0].text, "INCOMPLETE: Missing communicator data from 1 job process");
}

}  // namespace
}  // namespace railyard
