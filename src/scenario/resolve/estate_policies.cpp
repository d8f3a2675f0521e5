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

/// What most have, of some policies; the first of those that tie.
const QosPolicy* most_common(const std::vector<const QosPolicy*>& all) {
  const QosPolicy* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const QosPolicy* one : all) {
    const auto count = std::count_if(all.begin(), all.end(), [&](const QosPolicy* other) { return same_effect(*one, *other); });
    if (count > most) best = one, most = count;
  }
  return best;
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
  const QosPolicy* policy;  // may be none
  std::optional<std::uint32_t> number;
};

SourceSpan place_of_device(const Device& device) { return device.files.empty() ? SourceSpan{} : device.files.front(); }

std::uint32_t first_number(const std::vector<Placed>& placed) {
  const bool has_zero = std::any_of(placed.begin(), placed.end(), [](const Placed& one) { return one.number == 0U; });
  return has_zero ? 0 : 1;
}

void add_tier(DeviceTier tier, const std::vector<Placed>& placed, EstatePolicies& out) {
  std::vector<const QosPolicy*> policies;
  for (const Placed& one : placed)
    if (one.policy) policies.push_back(one.policy);
  const QosPolicy* common = most_common(policies);
  if (!common) return;
  out.tiers[static_cast<std::size_t>(tier)] = *common;
  const std::uint32_t first = first_number(placed);
  for (const Placed& one : placed)
    if (one.policy && one.number && !same_effect(*one.policy, *common))
      out.singles.push_back({tier, *one.number - first, *one.policy, one.device->name, place_of_device(*one.device)});
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

EstatePolicies estate_policies(const Estate& estate) {
  std::array<std::vector<Placed>, kDeviceTiers> placed;
  std::optional<std::uint8_t> job;
  for (const Device& device : estate.devices) {
    if (device.kind == DeviceKind::job && !job) job = mark_of_variables(device);
    if (const std::optional<DeviceTier> tier = tier_of_device(device))
      placed[static_cast<std::size_t>(*tier)].push_back({&device, policy_of_device(device), number_in(device.name)});
  }
  EstatePolicies out;
  for (std::size_t tier = 0; tier < kDeviceTiers; tier++) add_tier(static_cast<DeviceTier>(tier), placed[tier], out);
  add_marks(placed[static_cast<std::size_t>(DeviceTier::nic)], job, out);
  add_nics(placed[static_cast<std::size_t>(DeviceTier::nic)], out);
  return out;
}

}  // namespace railyard
