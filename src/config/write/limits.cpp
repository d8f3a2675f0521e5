#include "config/write/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/write/limit_values.h"
#include "config/write/limited_fields.h"
#include "config/write/unused.h"

namespace railyard {

Diagnostics unsayable(const Device& given) {
  const Device device = without_unused(given);
  Diagnostics wrong;
  for (const LimitedField& field : limited_fields())
    if (is_missing(field, device))
      wrong.push_back(
          {Severity::error, "RY-CFG-010",
           fmt::format("{} in the language '{}': {} {}", device.name, name_of(device.dialect), field.name, field.why),
           field.clear ? "leave it to the device" : "change it, or write another language", SourceSpan{device.name, 0, 0}});
  for (Diagnostic& one : wrong_values(device)) wrong.push_back(std::move(one));
  return wrong;
}

Device sayable(Device device, std::vector<std::string>& left_out) {
  device = without_unused(std::move(device));
  for (const LimitedField& field : limited_fields()) {
    if (!field.clear || !is_missing(field, device)) continue;
    field.clear(device);
    left_out.push_back(fmt::format("{} {}", field.name, field.why));
  }
  std::vector<QosPolicy> kept;
  std::vector<std::uint32_t> now(device.policies.size());
  for (std::size_t i = 0; i < device.policies.size(); i++) {
    const auto same =
        std::find_if(kept.begin(), kept.end(), [&](const QosPolicy& p) { return same_effect(p, device.policies[i]); });
    now[i] = static_cast<std::uint32_t>(same - kept.begin());
    if (same == kept.end()) kept.push_back(device.policies[i]);
  }
  device.policies = std::move(kept);
  for (PortConfig& port : device.ports)
    if (port.policy < now.size()) port.policy = now[port.policy];
  for (NicConfig& nic : device.nics)
    if (nic.policy < now.size()) nic.policy = now[nic.policy];
  return device;
}

}  // namespace railyard
