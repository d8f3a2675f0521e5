// Commands for NICs that files and repairs share.
#pragma once

#include <string>
#include <string_view>

#include "qos/policy.h"

namespace railyard {

/// Whether a policy says how queues are served.
[[nodiscard]] bool mlnx_has_scheduling(const QosPolicy& policy);

/// "--tsa ets,…,strict --tcbw 50,…,0"
[[nodiscard]] std::string mlnx_scheduling(const QosPolicy& policy);

/// "0,1,2,3,4,5,6,7": traffic classes of priorities.
[[nodiscard]] std::string mlnx_classes(const QosPolicy& policy);

[[nodiscard]] std::string mlnx_willing(std::string_view nic, bool willing);

/// A command that sets one value of DCQCN, as NicConfig::dcqcn has it.
[[nodiscard]] std::string mlnx_dcqcn(std::string_view netdev, std::string_view name, std::int64_t value);

/// The same of AMD's; empty where its NICs have no such setting.
[[nodiscard]] std::string nicctl_dcqcn(std::string_view nic, std::string_view name, std::int64_t value);

/// A whole command; empty where a policy says nothing of scheduling.
[[nodiscard]] std::string nicctl_scheduling(const QosPolicy& policy);

}  // namespace railyard
