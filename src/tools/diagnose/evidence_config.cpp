// Evidence from configurations that were handed in beside measurements: hosts' PCIe, MTU and NUMA, switches' queues.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/diagnose/evidence.h"

namespace railyard {

namespace {

SourceSpan where_of(const NicConfig& nic, std::string_view member) {
  const auto said = nic.said.find(member);
  return said == nic.said.end() ? SourceSpan{} : said->second;
}

/// What one NIC of a host is set to.
class NicRules {
 public:
  NicRules(const Device& host, const NicConfig& nic, std::vector<Evidence>& out) : host_(host), nic_(nic), out_(out) {}

  void run() {
    if (nic_.acs)
      add("pcie-redirect", *nic_.acs ? kStrong : -kStrong, *nic_.acs ? "ACS is on above it" : "ACS is off above it", "acs");
    slot();
    if (nic_.relaxed_ordering)
      add("relaxed-ordering-off", *nic_.relaxed_ordering ? -kStrong : kSome,
          *nic_.relaxed_ordering ? "relaxed ordering is on" : "relaxed ordering is off", "relaxed_ordering");
    if (nic_.path_mtu)
      add("mtu", *nic_.path_mtu <= 1024_B ? kStrong : -kProof, fmt::format("its path MTU is {}", nic_.path_mtu->count()),
          "path_mtu");
    else if (nic_.mtu)
      add("mtu", *nic_.mtu < 2200_B ? kStrong : -kStrong, fmt::format("the MTU of its interface is {}", nic_.mtu->count()),
          "mtu");
  }

 private:
  void slot() {
    const bool narrow = nic_.pcie_width && nic_.pcie_width_max && *nic_.pcie_width < *nic_.pcie_width_max;
    const bool slow = nic_.pcie_speed && nic_.pcie_speed_max && *nic_.pcie_speed < *nic_.pcie_speed_max;
    if (narrow)
      add("pcie-width", kProof, fmt::format("its slot runs with x{} of x{}", *nic_.pcie_width, *nic_.pcie_width_max),
          "pcie_width");
    else if (slow)
      add("pcie-width", kProof, fmt::format("its slot runs at {} of {} GT/s", *nic_.pcie_speed, *nic_.pcie_speed_max),
          "pcie_speed");
    else if (nic_.pcie_width && nic_.pcie_width_max)
      add("pcie-width", -kStrong, "its slot has its full width", "pcie_width");
  }

  void add(std::string_view cause, double odds, std::string_view what, std::string_view member) {
    out_.push_back({cause, odds, fmt::format("{} {}: {}", host_.name, nic_.name, what), where_of(nic_, member), member});
  }

  const Device& host_;
  const NicConfig& nic_;
  std::vector<Evidence>& out_;
};

/// GPUs whose nearest NIC is behind another socket.
void distances(const Device& host, std::vector<Evidence>& out) {
  std::map<std::string, bool> has_near;
  for (const GpuNicDistance& distance : host.distances) {
    const bool near = distance.distance != "SYS" && distance.distance != "NODE" && distance.distance != "PHB";
    has_near[distance.gpu] = has_near[distance.gpu] || near;
  }
  if (has_near.empty()) return;
  const auto far = std::count_if(has_near.begin(), has_near.end(), [](const auto& gpu) { return !gpu.second; });
  out.push_back({"numa", far > 0 ? kSome : -kSome,
                 fmt::format("{}: {} of {} GPUs have no NIC under their own PCIe switch", host.name, far, has_near.size()),
                 host.distances.front().where});
}

/// Switches that pause for no priority at all.
void lossless(const Device& device, const Seen& seen, std::vector<Evidence>& out) {
  if (device.policies.empty() || !seen.facts.is_roce) return;
  const bool any =
      std::any_of(device.policies.begin(), device.policies.end(), [](const QosPolicy& policy) { return policy.pfc != 0; });
  const bool marks = std::any_of(device.policies.begin(), device.policies.end(), [](const QosPolicy& policy) {
    return std::any_of(policy.queues.begin(), policy.queues.end(),
                       [](const QueuePolicy& queue) { return queue.ecn.has_value(); });
  });
  const SourceSpan where = device.files.empty() ? SourceSpan{} : device.files.front();
  if (!any) out.push_back({"loss", kStrong, fmt::format("{} has PFC on no priority", device.name), where, "lossless"});
  if (!marks) out.push_back({"loss", kSome, fmt::format("{} marks in no queue", device.name), where, "lossless"});
  if (any && marks) out.push_back({"loss", -kHint, fmt::format("{} has PFC and ECN", device.name), where, "lossless"});
}

/// Leaves and spines that choose by the same seed.
void seeds(const Estate& estate, std::vector<Evidence>& out) {
  std::map<Role, std::set<std::uint64_t>> of_role;
  SourceSpan where;
  for (const Device& device : estate.devices)
    if (device.kind == DeviceKind::network_switch && device.hash.seed && device.role != Role::unknown)
      of_role[device.role].insert(*device.hash.seed), where = device.hash.where;
  const auto leaf = of_role.find(Role::leaf), spine = of_role.find(Role::spine);
  if (leaf == of_role.end() || spine == of_role.end()) return;
  const bool same =
      std::any_of(leaf->second.begin(), leaf->second.end(), [&](std::uint64_t seed) { return spine->second.contains(seed); });
  out.push_back({"hash-polarised", same ? kStrong : -kStrong,
                 same ? "leaves and spines hash with the same seed" : "leaves and spines hash with seeds of their own", where});
}

}  // namespace

void config_evidence(const Seen& seen, std::vector<Evidence>& out) {
  for (const Device& device : seen.estate.devices) {
    for (const NicConfig& nic : device.nics) NicRules(device, nic, out).run();
    distances(device, out);
    if (device.kind == DeviceKind::network_switch) lossless(device, seen, out);
  }
  seeds(seen.estate, out);
}

}  // namespace railyard
