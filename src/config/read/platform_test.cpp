#include <gtest/gtest.h>

#include "config/read/readers.h"

namespace railyard {
namespace {

Estate read_platform(const std::string& text) {
  Estate estate;
  int readers = 0;
  for (const FileReader& reader : file_readers()) readers += reader.recognises({"gpu01/dump.txt", "gpu01", text}) ? 1 : 0;
  EXPECT_EQ(readers, 1) << text;
  EXPECT_TRUE(read_config({"gpu01/dump.txt", "gpu01", text}, estate).empty());
  return estate;
}

constexpr const char* kLspci =
    R"(16:01.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])
    Bus: primary=16, secondary=17, subordinate=18, sec-latency=0
    Capabilities: [170 v1] Access Control Services
        ACSCap:    SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+
        ACSCtl:    SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-
17:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
    NUMA node: 1
    Capabilities: [60] Express (v2) Endpoint, MSI 00
        DevCtl:    CorrErr+ NonFatalErr+ FatalErr+ UnsupReq-
            RlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+ FLReset-
        LnkCap:    Port #0, Speed 32GT/s, Width x16, ASPM not supported
        LnkSta:    Speed 16GT/s (downgraded), Width x8 (downgraded)
17:00.2 Ethernet controller: Mellanox Technologies ConnectX Family mlx5Gen Virtual Function
0000:31:00.0 Ethernet controller: Intel Corporation I350 Gigabit Network Connection (rev 01)
    LnkSta:    Speed 5GT/s, Width x4
)";

TEST(ReadPlatform, lspci_has_the_link_and_what_is_above_it) {
  const Estate estate = read_platform(kLspci);
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.dialect, Dialect::mlnx);
  ASSERT_EQ(host.nics.size(), 1U) << "no virtual function, no NIC for management";
  const NicConfig& nic = host.nics[0];
  EXPECT_EQ(nic.name, "0000:17:00.0");
  EXPECT_EQ(nic.model, "ConnectX-7");
  EXPECT_EQ(nic.pcie_width, 8U);
  EXPECT_EQ(nic.pcie_width_max, 16U);
  EXPECT_EQ(nic.pcie_speed, 16);
  EXPECT_EQ(nic.pcie_speed_max, 32);
  EXPECT_EQ(nic.acs, true) << "of the bridge above";
  EXPECT_EQ(nic.said.at("acs").line, 5U);
  EXPECT_EQ(nic.relaxed_ordering, true);
  EXPECT_EQ(nic.numa, 1);
  EXPECT_TRUE(host.unread.empty());
}

TEST(ReadPlatform, an_address_joins_a_device_and_its_function) {
  Estate estate;
  for (const char* text : {kLspci, "0000:17:00.0 mlx5_0 (MT4129 - X) CX7 fw 28.1 port 1 (ACTIVE) ==> eth4 (Up)\n"})
    EXPECT_TRUE(read_config({"gpu01/x.txt", "gpu01", text}, estate).empty());
  ASSERT_EQ(estate.devices.at(0).nics.size(), 1U);
  EXPECT_EQ(estate.devices[0].nics[0].name, "mlx5_0");
  EXPECT_EQ(estate.devices[0].nics[0].pcie_width, 8U);
}

TEST(ReadPlatform, distances_of_nvidia_smi) {
  const Estate estate = read_platform(
      "\t\x1b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\x1b[0m\n"
      "GPU0\t X \tNV18\tPIX\tSYS\t0-55\t0\nGPU1\tNV18\t X \tSYS\tPXB\t56-111\t1\nNIC0\tPIX\tSYS\t X "
      "\tSYS\nNIC1\tSYS\tPXB\tSYS\t X \n"
      "\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe\n\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_3\n");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.distances.size(), 4U);
  EXPECT_EQ(host.distances[0].gpu, "GPU0");
  EXPECT_EQ(host.distances[0].nic, "mlx5_0");
  EXPECT_EQ(host.distances[0].distance, "PIX");
  EXPECT_EQ(host.distances[3].nic, "mlx5_3");
  EXPECT_EQ(host.distances[3].distance, "PXB");
  EXPECT_TRUE(host.nics.empty());
  EXPECT_TRUE(host.unread.empty());
}

constexpr const char* kTopology = R"(<system version="1">
  <cpu numaid="1" affinity="ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:10:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
      <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="4" sm="90" rank="4"/></pci>
      <pci busid="0000:12:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="8">
        <nic><net name="mlx5_2" dev="0" speed="400000" port="1" guid="0x1"/></nic>
      </pci>
      <pci busid="0000:13:00.0" class="0x060400"><pci busid="0000:14:00.0" class="0x020000"/></pci>
    </pci>
    <pci busid="0000:20:00.0" class="0x020000"/>
  </cpu>
  <cpu numaid="0"><pci busid="0000:30:00.0" class="0x030200"/></cpu>
</system>
)";

TEST(ReadPlatform, a_topology_of_nccl_has_distances_and_links) {
  const Estate estate = read_platform(kTopology);
  const Device& host = estate.devices.at(0);
  std::vector<std::string> found;
  for (const GpuNicDistance& one : host.distances) found.push_back(one.gpu + " " + one.nic + " " + one.distance);
  EXPECT_EQ(found, (std::vector<std::string>{"GPU4 mlx5_2 PIX", "GPU4 0000:14:00.0 PXB", "GPU4 0000:20:00.0 PHB",
                                             "GPU1 mlx5_2 SYS", "GPU1 0000:14:00.0 SYS", "GPU1 0000:20:00.0 SYS"}));
  EXPECT_EQ(host.distances[0].where.line, 4U);
  ASSERT_EQ(host.nics.size(), 3U);
  EXPECT_EQ(host.nics[0].name, "mlx5_2");
  EXPECT_EQ(host.nics[0].pcie_width, 8U);
  EXPECT_EQ(host.nics[0].pcie_speed, 16);
  EXPECT_EQ(host.nics[0].numa, 1);
  EXPECT_EQ(host.nics[0].speed, BitsPerSecond(400'000'000'000));
}

TEST(ReadPlatform, a_broken_topology_says_where) {
  Estate estate;
  const Diagnostics found = read_config({"gpu01/topo.xml", "gpu01", "<system>\n<cpu>\n<pci>\n</cpu></system>\n"}, estate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CFG-003");
  EXPECT_EQ(found[0].where.line, 4U);
}

TEST(ReadPlatform, rocm_smi_has_nodes_of_gpus) {
  Estate estate;
  for (const char* text : {kLspci,
                           "============ ROCm System Management Interface ============\n====== Numa Nodes ======\n"
                           "GPU[0]\t\t: (Topology) Numa Node: 0\nGPU[0]\t\t: (Topology) Numa Affinity: 0\n"
                           "GPU[1]\t\t: (Topology) Numa Node: 1\n"})
    EXPECT_TRUE(read_config({"gpu01/x.txt", "gpu01", text}, estate).empty());
  ASSERT_EQ(estate.devices.at(0).distances.size(), 2U);
  EXPECT_EQ(estate.devices[0].distances[0].distance, "SYS");
  EXPECT_EQ(estate.devices[0].distances[1].gpu, "GPU1");
  EXPECT_EQ(estate.devices[0].distances[1].distance, "NODE");
}

TEST(ReadPlatform, ethtool_has_the_firmware_and_links_their_mtu) {
  const Estate estate = read_platform(
      "[root@gpu09 ~]# ethtool -i eth4\ndriver: mlx5_core\nfirmware-version: 28.39.1002 (MT_0000000838)\nbus-info: "
      "0000:17:00.0\n"
      "[root@gpu09 ~]# ip link show eth4\n4: eth4: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc mq state UP\n");
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.name, "gpu09");
  ASSERT_EQ(host.nics.size(), 1U);
  EXPECT_EQ(host.nics[0].netdev, "eth4");
  EXPECT_EQ(host.nics[0].firmware, "28.39.1002");
  EXPECT_EQ(host.nics[0].mtu, 1500_B);
  EXPECT_EQ(host.link_mtus.at("eth4").where.line, 6U);
}

}  // namespace
}  // namespace railyard
