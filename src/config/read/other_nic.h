// NICs' tools that print JSON, and nicctl's commands.
#pragma once

#include "base/document.h"
#include "config/read/host_nic.h"

namespace railyard::host_text {

/// `nicctl show port -j`.
void read_nicctl_json(HostScope& scope, const Document& root);

/// `nicctl update port|qos|dcqcn`.
void read_nicctl_update(HostScope& scope);

/// A setting of DCQCN by the label that `nicctl show dcqcn` has, or by the option of `nicctl update dcqcn`; false where it is
/// none that is known, or has no such value.
bool set_nicctl_dcqcn(HostScope& scope, std::size_t nic, std::string_view name, std::string_view value, std::uint32_t line);
[[nodiscard]] bool is_nicctl_dcqcn(std::string_view name);

/// `dcb -j pfc|ets|app|buffer show`, one object, and `ip -j link`, an array of objects with ifname.
void read_dcb_json(HostScope& scope, const Document& root);

}  // namespace railyard::host_text
