// NICs' tools that print JSON, and nicctl's commands.
#pragma once

#include "base/document.h"
#include "config/read/host_nic.h"

namespace railyard::host_text {

/// `nicctl show port -j`.
void read_nicctl_json(HostScope& scope, const Document& root);

/// `nicctl update port|qos|dcqcn`.
void read_nicctl_update(HostScope& scope);

/// `dcb -j pfc|ets|app|buffer show`, one object, and `ip -j link`, an array of objects with ifname.
void read_dcb_json(HostScope& scope, const Document& root);

}  // namespace railyard::host_text
