// What a policy says that no packet ever meets.
#pragma once

#include "qos/device.h"

namespace railyard {

/// The device with that set to what its dialect reads where nothing is said: maps of marks that a port does not trust, times of
/// a watchdog that is off, and on EOS the scheduling of queues that nothing is sent to.
[[nodiscard]] Device without_unused(Device device);

/// Whether a mark that the port trusts leads to this queue.
[[nodiscard]] bool leads_to_queue(const QosPolicy& policy, std::uint8_t queue);

}  // namespace railyard
