// Statements of NX-OS that files and commands share.
#pragma once

#include <string>
#include <vector>

#include "qos/device.h"

namespace railyard {

[[nodiscard]] std::string nxos_ecn(const EcnPolicy& ecn);
[[nodiscard]] std::string nxos_hash(const HashConfig& hash);
[[nodiscard]] std::vector<std::string> nxos_watchdog(const WatchdogPolicy& dog);  // of the switch
[[nodiscard]] std::string nxos_port_watchdog(const WatchdogPolicy& dog);

}  // namespace railyard
