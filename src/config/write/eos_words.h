// Statements of EOS that files and commands share.
#pragma once

#include <string>
#include <vector>

#include "qos/policy.h"

namespace railyard {

[[nodiscard]] std::string eos_trust(Trust trust);
[[nodiscard]] std::string eos_ecn(const EcnPolicy& ecn);
[[nodiscard]] std::vector<std::string> eos_watchdog(const WatchdogPolicy& dog);

}  // namespace railyard
