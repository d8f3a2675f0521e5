#include "scenario/resolve/estate_policies.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <map>

namespace railyard {

namespace {

std::optional<DeviceTier> tier_by_name(std::string_view name) {
  static constexpr std::pair<std::string_view, DeviceTier> kBeginnings[] = {
      {"leaf", DeviceTier::leaf}, {"tor", DeviceTier::leaf}, {"spine", DeviceTier::spine}, {"core", DeviceTier::core}};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [beginning, tier] : kBeginnings)
    if (lower.starts_with(beginning)) return tier;
  return std::nullopt;
}

std::optional<DeviceTier> tier_of_device(const Device& device) {
  if (device.kind == DeviceKind::host) return DeviceTier::nic;
  if (device.kind != DeviceKind::network_switch) return std::nullopt;
  if (const std::optional<DeviceTier> named = tier_by_name(device.name)) return named;
  switch (device.role) {
    case Role::leaf:
      return DeviceTier::leaf;
    case Role::spine:
      return DeviceTier::spine;
    case Role::core:
      return DeviceTier::core;
    case Role::host:
    case Role::unknown:
      break;
  }
  return std::nullopt;
}

/// The number that a name ends with.
std::optional<std::uint32_t> number_in(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::string_view digits = name.substr(last == std::string_view::npos ? 0 : last + 1);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

const QosPolicy* policy_of_device(const Device& device) {
  std::vector<std::size_t> uses(device.policies.size());
  const auto use = [&](std::uint32_t policy) {
    if (policy < uses.size()) uses[policy]++;
  };
  for (const PortConfig& port : device.ports)
    if (port.enabled) use(port.policy);
  for (const NicConfig& nic : device.nics) use(nic.policy);
  if (uses.empty()) return nullptr;
  return &device.policies[static_cast<std::size_t>(std::max_element(uses.begin(), uses.end()) - uses.begin())];
}

constexpr std::uint8_t kUsualMark = 26;     // of data where nobody says another
constexpr std::uint32_t kLeastDscpBit = 2;  // of a ToS; ECN is below

/// NCCL_IB_TC, a ToS in any base that C has.
std::optional<std::uint8_t> mark_of_variables(const Device& device) {
  const auto found = device.environment.find("NCCL_IB_TC");
  if (found == device.environment.end()) return std::nullopt;
  const std::string& text = found->second.value;
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::uint32_t tos = 0;
  const char* const begin = text.data() + (hexadecimal ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), tos, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || tos > 255) return std::nullopt;
  return static_cast<std::uint8_t>(tos >> kLeastDscpBit);
}

/// What a host sends data with: the driver forces a traffic class over what the job asks for.
std::optional<std::uint8_t> mark_of_host(const Device& host, const std::optional<std::uint8_t>& job) {
  for (const NicConfig& nic : host.nics)
    if (nic.traffic_class) return static_cast<std::uint8_t>(*nic.traffic_class >> kLeastDscpBit);
  if (const std::optional<std::uint8_t> own = mark_of_variables(host)) return own;
  return job;
}

struct Placed {
  const Device* device;
  const QosPolicy* policy;           // may be none
  std::optional<Millimetres> cable;  // that its headroom is made for
  std::optional<std::uint32_t> number;
};

/// Whether some lossless group has no headroom of its own, so that the device computes it for the length of the cable.
bool computes_headroom(const QosPolicy& policy) {
  for (std::size_t group = 0; group < kPriorities; group++)
    if (policy.has_pfc(policy.priority_of_group[group]) && !policy.groups[group].headroom) return true;
  return false;
}

std::optional<Millimetres> cable_of(const PortConfig& port, const QosPolicy& policy) {
  return computes_headroom(policy) ? port.cable : std::nullopt;
}

/// The length that most ports with a policy have; the shortest of those that tie.
std::optional<Millimetres> cable_of_device(const Device& device, const QosPolicy* policy) {
  std::map<std::optional<Millimetres>, std::size_t> uses;
  for (const PortConfig& port : device.ports)
    if (policy && port.enabled && port.policy < device.policies.size() && &device.policies[port.policy] == policy)
      uses[cable_of(port, *policy)]++;
  const auto most =
      std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == uses.end() ? std::nullopt : most->first;
}

bool does_as(const Placed& a, const Placed& b) { return a.cable == b.cable && same_effect(*a.policy, *b.policy); }

/// What most have; the first of those that tie. None where no device has a policy.
const Placed* most_common(const std::vector<Placed>& all) {
  const Placed* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const Placed& one : all) {
    if (!one.policy) continue;
    const auto count =
        std::count_if(all.begin(), all.end(), [&](const Placed& other) { return other.policy && does_as(one, other); });
    if (count > most) best = &one, most = count;
  }
  return best;
}

SourceSpan place_of_device(const Device& device) { return device.files.empty() ? SourceSpan{} : device.files.front(); }

std::uint32_t first_number(const std::vector<Placed>& placed) {
  const bool has_zero = std::any_of(placed.begin(), placed.end(), [](const Placed& one) { return one.number == 0U; });
  return has_zero ? 0 : 1;
}

void add_tier(DeviceTier tier, const std::vector<Placed>& placed, EstatePolicies& out) {
  const Placed* const common = most_common(placed);
  if (!common) return;
  out.tiers[static_cast<std::size_t>(tier)] = *common->policy;
  out.cables[static_cast<std::size_t>(tier)] = common->cable;
  const std::uint32_t first = first_number(placed);
  for (const Placed& one : placed)
    if (one.policy && one.number && !does_as(one, *common))
      out.singles.push_back(
          {tier, *one.number - first, *one.policy, one.cable, one.device->name, place_of_device(*one.device)});
}

using PlacedDevices = std::array<std::vector<Placed>, kDeviceTiers>;

/// Where the device of a name is: a device that was read, else by its name alone.
struct Neighbour {
  DeviceTier tier;
  std::uint32_t number;
};
std::optional<Neighbour> neighbour_called(std::string_view name, const std::map<std::string_view, const Device*>& known,
                                          const PlacedDevices& placed) {
  const auto found = known.find(name);
  const std::optional<DeviceTier> tier = found != known.end() ? tier_of_device(*found->second) : tier_by_name(name);
  const std::optional<std::uint32_t> number = number_in(name);
  if (!tier || !number) return std::nullopt;
  const std::uint32_t first = first_number(placed[static_cast<std::size_t>(*tier)]);
  return *number < first ? std::nullopt : std::optional(Neighbour{*tier, *number - first});
}

/// Who is at the ports of devices, as an inventory has it.
using Cabling = std::map<std::pair<std::string_view, std::string_view>, std::string_view>;
Cabling cabling_of(const Estate& estate) {
  Cabling cabling;
  for (const InventoryRow& row : estate.inventory) cabling.try_emplace({row.device, row.port}, row.neighbour);
  return cabling;
}

/// Ports of switches that do otherwise than most of their switch.
void add_ports(const Estate& estate, const PlacedDevices& placed, EstatePolicies& out) {
  const Cabling cabling = cabling_of(estate);
  const auto neighbour_at = [&](const Device& device, const PortConfig& port) -> std::string_view {
    if (!port.neighbour.empty()) return port.neighbour;
    const auto found = cabling.find({device.name, port.name});
    return found == cabling.end() ? std::string_view() : found->second;
  };
  std::map<std::string_view, const Device*> known;
  for (const Device& device : estate.devices) known.emplace(device.name, &device);
  for (std::size_t tier = static_cast<std::size_t>(DeviceTier::leaf); tier < kDeviceTiers; tier++) {
    const std::uint32_t first = first_number(placed[tier]);
    for (const Placed& one : placed[tier])
      for (const PortConfig& port : one.device->ports) {
        if (!one.policy || !one.number || !port.enabled || port.policy >= one.device->policies.size()) continue;
        const QosPolicy& policy = one.device->policies[port.policy];
        const Placed as_port{one.device, &policy, cable_of(port, policy), one.number};
        if (does_as(as_port, one)) continue;
        if (const auto to = neighbour_called(neighbour_at(*one.device, port), known, placed))
          out.ports.push_back({static_cast<DeviceTier>(tier), *one.number - first, to->tier, to->number, policy, as_port.cable,
                               port.where.line > 0 ? port.where : place_of_device(*one.device)});
      }
  }
}

/// The number that comes most often; the lowest of those that tie.
std::optional<std::uint8_t> most_frequent(const std::map<std::uint8_t, std::size_t>& uses) {
  const auto most =
      std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == uses.end() ? std::nullopt : std::optional(most->first);
}

void add_marks(const std::vector<Placed>& hosts, const std::optional<std::uint8_t>& job, EstatePolicies& out) {
  std::map<std::uint8_t, std::size_t> data, cnp;
  for (const Placed& host : hosts) {
    if (const std::optional<std::uint8_t> mark = mark_of_host(*host.device, job)) data[*mark]++;
    for (const NicConfig& nic : host.device->nics)
      if (nic.cnp_dscp) cnp[*nic.cnp_dscp]++;
  }
  out.cnp_mark = most_frequent(cnp);
  out.data_mark = job ? job : most_frequent(data);
  const std::uint32_t first = first_number(hosts);
  for (const Placed& host : hosts)
    if (const std::optional<std::uint8_t> mark = mark_of_host(*host.device, job); mark && host.number && mark != out.data_mark)
      out.own_marks.push_back({*host.number - first, *mark, place_of_device(*host.device)});
}

/// The priority that a NIC's congestion control goes by: that of PFC where it is on for data.
std::uint8_t priority_of_data(const QosPolicy& policy, std::uint8_t mark) {
  const std::uint8_t traffic_class = policy.class_of(mark, 0);
  if (const std::optional<std::uint8_t> paused = policy.pausing_priority(traffic_class)) return *paused;
  return policy.pfc != 0 ? static_cast<std::uint8_t>(std::countr_zero(policy.pfc)) : traffic_class;
}

void add_nics(const std::vector<Placed>& hosts, EstatePolicies& out) {
  const std::uint32_t first = first_number(hosts);
  for (const Placed& host : hosts) {
    if (!host.number || host.device->nics.empty()) continue;
    EstatePolicies::Nics server{*host.number - first, host.device->nics, {}, place_of_device(*host.device)};
    for (const NicConfig& nic : host.device->nics)
      server.priorities.push_back(nic.policy < host.device->policies.size()
                                      ? priority_of_data(host.device->policies[nic.policy], out.data_mark.value_or(kUsualMark))
                                      : 0);
    out.nics.push_back(std::move(server));
  }
}

}  // namespace

std::vector<PlacedDevice> placed_devices(const Estate& estate) {
  std::array<bool, kDeviceTiers> has_zero = {};
  std::vector<PlacedDevice> all;
  for (const Device& device : estate.devices)
    if (const std::optional<DeviceTier> tier = tier_of_device(device)) {
      all.push_back({&device, *tier, number_in(device.name)});
      if (all.back().index == 0U) has_zero[static_cast<std::size_t>(*tier)] = true;
    }
  for (PlacedDevice& one : all)
    if (one.index && !has_zero[static_cast<std::size_t>(one.tier)]) one.index = *one.index - 1;
  return all;
}

EstatePolicies estate_policies(const Estate& estate) {
  PlacedDevices placed;
  std::optional<std::uint8_t> job;
  for (const Device& device : estate.devices) {
    if (device.kind == DeviceKind::job && !job) job = mark_of_variables(device);
    if (const std::optional<DeviceTier> tier = tier_of_device(device)) {
      const QosPolicy* const policy = policy_of_device(device);
      placed[static_cast<std::size_t>(*tier)].push_back(
          {&device, policy, cable_of_device(device, policy), number_in(device.name)});
    }
  }
  EstatePolicies out;
  for (std::size_t tier = 0; tier < kDeviceTiers; tier++) add_tier(static_cast<DeviceTier>(tier), placed[tier], out);
  add_ports(estate, placed, out);
  add_marks(placed[static_cast<std::size_t>(DeviceTier::nic)], job, out);
  add_nics(placed[static_cast<std::size_t>(DeviceTier::nic)], out);
  return out;
}

}  // namespace railyard
