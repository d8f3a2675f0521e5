#include <fmt/format.h>

#include "base/quantity_text.h"
#include "tools/settings/sections.h"

namespace railyard {

namespace {

const Origin kNvidiaGuide{Status::published, "NVIDIA's guides for RoCE: mlnx_qos, cma_roce_tos, sysfs"};

std::string megabits(BitsPerSecond rate) { return fmt::format("{} Mb/s", rate.count() / 1'000'000); }
std::string in_microseconds(Picoseconds span) { return fmt::format("{} us", microseconds(span)); }

Origin environment_origin(const Scenario& scenario, const std::string& name) {
  if (name == "NCCL_IB_QPS_PER_CONNECTION")
    return origin_of(scenario, "transport.qps_per_connection", {Status::published, "NCCL's default"});
  if (name == "NCCL_IB_SPLIT_DATA_ON_QPS")
    return origin_of(scenario, "transport.qp_use", {Status::published, "NCCL's default since 2.20"});
  if (name == "NCCL_IB_ADAPTIVE_ROUTING")
    return origin_of(scenario, "routing.policy", {Status::published, "NCCL: off over RoCE"});
  if (name == "NCCL_IB_GID_INDEX") return {Status::estimated, "RoCE v2 over IPv4 on most hosts; check with show_gids"};
  if (name == "NCCL_PXN_DISABLE") return {Status::published, "NCCL's default; RCCL's is 1"};
  return {Status::published, "NCCL's documentation"};
}

std::string environment_reason(const std::string& name) {
  if (name == "NCCL_IB_TC") return "ToS of data: DSCP × 4 and ECN bits; NCCL's default is 0, the lossy class";
  if (name == "NCCL_IB_GID_INDEX") return "the GID of RoCE v2";
  if (name == "NCCL_IB_QPS_PER_CONNECTION") return "each queue pair is hashed to a path of its own";
  if (name == "NCCL_IB_SPLIT_DATA_ON_QPS") return "1: every message is cut over all queue pairs; 0: they take turns";
  if (name == "NCCL_IB_ADAPTIVE_ROUTING") return "1 where switches choose paths packet by packet";
  if (name == "NCCL_PXN_DISABLE") return "on rails, messages go through the GPU whose NIC is on the right rail";
  if (name == "NCCL_IB_SL") return "the virtual lane of data";
  return {};
}

/// Broadcom's NICs have no file here: the commands of the first, to be repeated for the others.
std::string broadcom_commands(const Device& host, const Marks& marks) {
  const NicConfig& nic = host.nics.front();
  std::vector<Change> changes{MapDscp{marks.data.dscp, marks.data.priority}, SetPfc{marks.data.priority, marks.lossless != 0},
                              SetNicClass{nic.name, marks.tos}};
  if (marks.has_cnp) {
    changes.emplace_back(MapDscp{marks.cnp.dscp, marks.cnp.priority});
    changes.emplace_back(SetCnp{nic.name, marks.cnp.dscp, marks.cnp.priority});
    changes.emplace_back(SetNicEcn{nic.name, marks.data.priority, true});
  }
  std::string text = "Commands for each:";
  for (const Change& change : changes)
    for (const std::string& line : commands_for(host, {{nic.netdev}, change})) text += " " + line + ";";
  text.back() = '.';
  return text;
}

}  // namespace

SettingSection control_section(const Scenario& scenario) {
  const DcqcnPlan& d = scenario.packet.dcqcn;
  SettingSection section{"DCQCN", {}};
  const Origin preset = origin_of(scenario, "transport.dcqcn.preset", {Status::published, "NVIDIA DOCA, DCQCN CC parameters"});
  const auto row = [&](const char* name, std::string value, const char* reason) {
    section.rows.push_back(
        {name, std::move(value), reason,
         scenario.keys.given(std::string("transport.dcqcn.") + name) ? Origin{Status::given, "scenario"} : preset});
  };
  row("rpg_time_reset", in_microseconds(d.rpg_time_reset), "time between two increases");
  row("rpg_byte_reset", format_exact(d.rpg_byte_reset), "bytes between two increases");
  row("rpg_threshold", std::to_string(d.rpg_threshold), "steps of fast recovery");
  row("rpg_ai_rate", megabits(d.rpg_ai_rate), "additive increase");
  row("rpg_hai_rate", megabits(d.rpg_hai_rate), "hyper increase");
  row("rpg_gd", std::to_string(d.rpg_gd), "a cut is alpha / 2^(rpg_gd − 10)");
  row("rpg_min_dec_fac", fmt::format("{} %", d.rpg_min_dec_fac), "no cut leaves less of the rate");
  row("rpg_min_rate", megabits(d.rpg_min_rate), "no sender is slower");
  row("rpg_max_rate", d.rpg_max_rate == BitsPerSecond::zero() ? "0 (the port's)" : megabits(d.rpg_max_rate),
      "no sender is faster");
  row("dce_tcp_g", std::to_string(d.dce_tcp_g), "weight of the old alpha, in 1/1024");
  row("dce_tcp_rtt", in_microseconds(d.dce_tcp_rtt), "time between two updates of alpha");
  row("rate_reduce_monitor_period", in_microseconds(d.rate_reduce_monitor_period), "time between two cuts");
  row("initial_alpha_value", std::to_string(d.initial_alpha_value), "in 1/1024");
  row("clamp_tgt_rate", d.clamp_tgt_rate ? "1" : "0", "whether a cut lowers the target, too");
  row("clamp_tgt_rate_after_time_inc", d.clamp_tgt_rate_after_time_inc ? "1" : "0", "the same after an increase by the timer");
  row("min_time_between_cnps", in_microseconds(d.min_time_between_cnps), "CNPs of one flow");
  section.note =
      "NVIDIA's names: /sys/class/net/INTERFACE/ecn/roce_rp/NAME, the last under roce_np. Nothing has to be set where a "
      "value is the NIC's default.";
  return section;
}

SettingSection nic_section(const Scenario& scenario, const SettingsBase& base, const Device& host) {
  SettingSection section{"NICs", {}};
  const Marks& marks = base.marks;
  const auto row = [&](const char* name, std::string value, const char* reason, Origin origin) {
    section.rows.push_back({name, std::move(value), reason, std::move(origin)});
  };
  row("trust", "dscp", "NICs start with PCP, which switches do not see",
      {Status::published, "mlxconfig: QOS_TRUST_STATE is PCP"});
  if (marks.lossless != 0)
    row("PFC", fmt::format("priority {}", marks.data.priority),
        "the NIC must obey what its switch sends, and pause it when slow", kNvidiaGuide);
  row("traffic class", fmt::format("{} (DSCP {})", marks.tos, marks.data.dscp),
      "cma_roce_tos, traffic_class and NCCL_IB_TC alike", kNvidiaGuide);
  if (marks.has_cnp)
    row("CNPs", fmt::format("DSCP {}, priority {}", marks.cnp.dscp, marks.cnp.priority), "as switches serve strictly first",
        {marks.vendor_known ? Status::published : Status::assumed, fmt::format("default of {}'s NICs", name_of(marks.vendor))});
  row("DCBX", "off, not willing", "a neighbour could set PFC off again",
      {Status::published, "Azure's guide: force PFC, one LLDP agent at most"});
  if (!host.nics.empty() && host.nics.front().mtu)
    row("MTU", fmt::format("{} (RDMA MTU {})", host.nics.front().mtu->count(), scenario.transport.mtu.count()),
        "a packet and its headers fit into one frame",
        origin_of(scenario, "transport.mtu", {Status::published, "NVIDIA: 4200 for an RDMA MTU of 4096"}));
  row("PCIe relaxed ordering", "on", "writes to memory may pass each other",
      marks.vendor == NicVendor::broadcom
          ? Origin{Status::published, "AMD's guide for Broadcom's NICs: pcie_relaxed_ordering on"}
          : Origin{Status::assumed, "as AMD's guide has it for Broadcom's NICs"});
  if (host.dialect == Dialect::niccli && !host.nics.empty()) section.note = broadcom_commands(host, marks);
  return section;
}

SettingSection job_section(const Scenario& scenario, const SettingsBase& base, const Device& job) {
  SettingSection section{"Jobs", {}};
  for (const auto& [name, setting] : job.environment) {
    Origin origin = name == "NCCL_IB_TC"
                        ? Origin{Status::published, fmt::format("marks of {}'s NICs", name_of(base.marks.vendor))}
                        : environment_origin(scenario, name);
    section.rows.push_back({name, setting.value, environment_reason(name), std::move(origin)});
  }
  return section;
}

}  // namespace railyard
