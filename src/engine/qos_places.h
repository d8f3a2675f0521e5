// Which node of a fabric does what: profiles of a QosPlan found on it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.h"
#include "fabric/fabric.h"
#include "plan/device_qos.h"

namespace railyard {

/// The profile of every node. REQUIRES: there are profiles, and missing_devices() has found nothing.
[[nodiscard]] std::vector<std::uint32_t> profiles_by_node(const QosPlan& plan, const Fabric& fabric);

/// The profile of every port, by the node that sends on it. REQUIRES: as above.
[[nodiscard]] std::vector<std::uint32_t> profiles_by_port(const QosPlan& plan, const Fabric& fabric);

/// Devices, and ports of them, that the plan names and the fabric does not have.
[[nodiscard]] Diagnostics missing_devices(const QosPlan& plan, const Fabric& fabric);

}  // namespace railyard
