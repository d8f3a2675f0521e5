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

/// Devices that the plan names and the fabric does not have.
[[nodiscard]] Diagnostics missing_devices(const QosPlan& plan, const Fabric& fabric);

}  // namespace railyard
