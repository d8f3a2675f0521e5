#include "scenario/resolve/resolve_host_dcqcn.h"

#include <algorithm>
#include <map>

#include "scenario/check/check_qos.h"
#include "scenario/resolve/dcqcn_settings.h"
#include "scenario/resolve/resolve_control.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMostServers = 1U << 20;

struct HostDcqcn {
  DcqcnPlan plan;
  SourceSpan where;
};
using DcqcnByHost = std::map<std::uint32_t, HostDcqcn>;

/// As configurations have it. GPUs of a server share its NICs evenly.
DcqcnByHost read_dcqcn(const EstatePolicies& read, const Scenario& out) {
  DcqcnByHost all;
  for (const EstatePolicies::Nics& server : read.nics) {
    const std::vector<std::uint32_t> hosts = hosts_of_server(server.server, out.fabric);
    for (std::size_t i = 0; i < hosts.size(); i++) {
      const std::size_t nic = i * server.nics.size() / hosts.size();
      all[hosts[i]] = {with_settings(out.packet.dcqcn, server.nics[nic], server.priorities[nic]), server.where};
    }
  }
  return all;
}

/// What most have; what the first of them has where two tie.
const HostDcqcn* most_common_dcqcn(const DcqcnByHost& all) {
  struct Use {
    const HostDcqcn* first;
    std::size_t times;
  };
  std::vector<Use> uses;
  for (const auto& host : all) {
    const HostDcqcn& own = host.second;
    const auto found = std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.first->plan == own.plan; });
    if (found == uses.end())
      uses.push_back({&own, 1});
    else
      found->times++;
  }
  const auto most = std::max_element(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.times < b.times; });
  return most == uses.end() ? nullptr : most->first;
}

void take_common(const DcqcnByHost& read, Scenario& out, Complaints& complaints) {
  const HostDcqcn* const common = most_common_dcqcn(read);
  if (common == nullptr || common->plan == out.packet.dcqcn) return;
  out.packet.dcqcn = common->plan;
  check_dcqcn(common->plan, out.fabric.link_rate, common->where, complaints);
  note_input(out, "transport.dcqcn", "as most NICs have it", {Status::given, "configurations of hosts (qos.from)"});
}

/// What the scenario says of hosts, over what was read of them.
void add_tables(const QosSpec& spec, const Scenario& out, DcqcnByHost& all) {
  for (const QosSpec::Single& device : spec.devices)
    for (std::uint32_t host = device.index; device.table.dcqcn.given && host <= device.last; host++) {
      const auto known = all.find(host);
      const DcqcnPlan base = known == all.end() ? out.packet.dcqcn : known->second.plan;
      all[host] = {with_settings(base, device.table.dcqcn, out.fabric.link_rate), device.table.where};
    }
}

}  // namespace

std::vector<std::uint32_t> hosts_of_server(std::uint32_t server, const FabricPlan& fabric) {
  const std::uint32_t each = std::max(1U, fabric.per_node);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < each && server <= kMostServers; i++) all.push_back(server * each + i);
  return all;
}

void resolve_host_dcqcn(const ScenarioSpec& spec, const EstatePolicies& read, Scenario& out, Complaints& complaints) {
  PacketPlan& plan = out.packet;
  if (plan.control.kind != CongestionControl::dcqcn) return;
  DcqcnByHost all = read_dcqcn(read, out);
  take_common(all, out, complaints);
  add_tables(spec.qos, out, all);
  for (const auto& [host, own] : all) {
    if (own.plan == plan.dcqcn) continue;
    const auto found = std::find(plan.dcqcn_sets.begin(), plan.dcqcn_sets.end(), own.plan);
    const auto set = static_cast<std::uint32_t>(found - plan.dcqcn_sets.begin());
    if (found == plan.dcqcn_sets.end()) {
      check_dcqcn(own.plan, out.fabric.link_rate, own.where, complaints);
      plan.dcqcn_sets.push_back(own.plan);
    }
    plan.qos.own_dcqcn.push_back({host, set, own.where});
  }
}

}  // namespace railyard
