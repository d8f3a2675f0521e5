// Mistakes of hosts, NICs and jobs, one for each rule.
#include "tools/lint/clean_estate.h"
#include "tools/lint/seeds.h"

namespace railyard {

namespace {

/// A change of the second NIC of host 1.
std::function<void(Estate&)> in_nic(std::function<void(NicConfig&)> change) {
  return [change](Estate& estate) { change(estate.devices[7].nics[1]); };
}
std::function<void(Estate&)> in_nic_policy(std::function<void(QosPolicy&)> change) {
  return [change](Estate& estate) { change(estate.devices[7].policies[0]); };
}
std::function<void(Estate&)> with(std::string name, std::string value) {
  return [name, value](Estate& estate) {
    if (value.empty())
      estate.devices[9].environment.erase(name);
    else
      estate.devices[9].environment[name].value = value;
  };
}

std::vector<LintSeed> nic_seeds() {
  return {
      {"RY-LNT-081", in_nic([](NicConfig& n) { n.dcbx_willing = n.dcbx_firmware = true; })},
      {"RY-LNT-082", in_nic([](NicConfig& n) { n.dcbx_firmware = true; })},
      {"RY-LNT-090", in_nic_policy([](QosPolicy& p) {
         p.trust = Trust::pcp, p.said["trust"] = {"mlnx_qos.txt", 2, 1};
       })},
      {"RY-LNT-091", in_nic_policy([](QosPolicy& p) { p.pfc = 0; })},
      {"RY-LNT-092", in_nic_policy([](QosPolicy& p) { p.pfc = 1U << 5; })},
      {"RY-LNT-093", in_nic([](NicConfig& n) { n.ecn_np = 0; })},
      {"RY-LNT-094", in_nic([](NicConfig& n) { n.cnp_dscp = 4; })},
      {"RY-LNT-095", in_nic([](NicConfig& n) { n.cnp_dscp = 27; })},
      {"RY-LNT-096", in_nic([](NicConfig& n) { n.cma_tos = 0; })},
      {"RY-LNT-097", in_nic([](NicConfig& n) { n.traffic_class = 107; })},
      {"RY-LNT-098", with("NCCL_IB_TC", "105")},
      {"RY-LNT-099", in_nic([](NicConfig& n) { n.dcqcn["rpg_ai_rate"] = 50, n.dcqcn["min_time_between_cnps"] = 50; })},
      {"RY-LNT-100", in_nic([](NicConfig& n) { n.pcie_width = 8; })},
      {"RY-LNT-101", in_nic([](NicConfig& n) { n.pcie_speed = 16; })},
      {"RY-LNT-102", in_nic([](NicConfig& n) { n.acs = true; })},
      {"RY-LNT-103", in_nic([](NicConfig& n) { n.relaxed_ordering = false; })},
      {"RY-LNT-104", in_nic([](NicConfig& n) { n.mtu = 1500_B; })},
      {"RY-LNT-105", in_nic([](NicConfig& n) { n.path_mtu = 1024_B; })},
      {"RY-LNT-106", in_nic([](NicConfig& n) { n.gids.resize(1); })},
      {"RY-LNT-107", [](Estate& estate) { estate.devices[7].distances[0].distance = "SYS"; }},
      {"RY-LNT-108", in_nic([](NicConfig& n) { n.traffic_class = 106; })},
      {"RY-LNT-109", in_nic([](NicConfig& n) { n.speed = 200_Gbps; })},
      {"RY-LNT-203", in_nic([](NicConfig& n) { n.pcie_width = n.pcie_width_max = 4; })},
      {"RY-LNT-180", in_nic([](NicConfig& n) { n.firmware = "28.39.1002"; })},
      {"RY-LNT-181",
       [](Estate& estate) {
         for (NicConfig& nic : estate.devices[7].nics) nic.firmware = "28.39.1002";
       }},
      {"RY-LNT-183", in_nic([](NicConfig& n) { n.firmware = "28.39.1002"; })},
  };
}

std::vector<LintSeed> job_seeds() {
  return {
      {"RY-LNT-110", with("NCCL_IB_TC", "")},
      {"RY-LNT-111", with("NCCL_IB_TC", "lossless")},
      {"RY-LNT-112", with("NCCL_IB_GID_INDEX", "1")},
      {"RY-LNT-113", with("NCCL_IB_GID_INDEX", "")},
      {"RY-LNT-114",
       [](Estate& estate) {
         estate.devices[9].environment["NCCL_IB_HCA"].value = "mlx5_0,mlx5_1,mlx5_2";
         estate.devices[7].nics[2].name = "mlx5_10";
       }},
      {"RY-LNT-115", with("NCCL_IB_HCA", "=mlx5_7")},
      {"RY-LNT-120", with("NCCL_IB_TIMEOUT", "14")},
      {"RY-LNT-121", with("NCCL_IB_RETRY_CNT", "3")},
      {"RY-LNT-122", with("NCCL_P2P_DISABLE", "1")},
      {"RY-LNT-123", with("NCCL_P2P_LEVEL", "LOC")},
      {"RY-LNT-124", with("NCCL_NET_GDR_LEVEL", "LOC")},
      {"RY-LNT-125", with("NCCL_NVLS_ENABLE", "0")},
      {"RY-LNT-126", with("NCCL_ALGO", "Ring")},
      {"RY-LNT-127", with("NCCL_SHM_DISABLE", "1")},
      {"RY-LNT-128", with("RCCL_MSCCL_ENABLE", "0")},
      {"RY-LNT-129", with("NCCL_CROSS_NIC", "1")},
      {"RY-LNT-130", with("NCCL_IB_SPLIT_DATA_ON_QPS", "1")},
      {"RY-LNT-131", with("NCCL_IB_DISABLE", "1")},
      {"RY-LNT-132", with("NCCL_NET", "Socket")},
      {"RY-LNT-133", with("NCCL_IB_ADAPTIVE_ROUTING", "1")},
      {"RY-LNT-134", with("NCCL_DEBUG", "TRACE")},
      {"RY-LNT-135", with("NCCL_IB_QPS_PER_CONNECTION", "")},
      {"RY-LNT-136", [](Estate& estate) { estate.devices[6].environment["NCCL_IB_TC"].value = "96"; }},
  };
}

}  // namespace

std::vector<LintSeed> host_seeds() {
  std::vector<LintSeed> all = nic_seeds();
  const std::vector<LintSeed> jobs = job_seeds();
  all.insert(all.end(), jobs.begin(), jobs.end());
  return all;
}

}  // namespace railyard
