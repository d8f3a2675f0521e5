// Who plays packets: a GPU, or the processor.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "engine/packet/device/backend.h"
#include "engine/packet/net.h"

namespace railyard::packet::device {

/// The GPU that plays a network of so many hosts; none: the processor does. Where nothing was asked for, a GPU has to be worth
/// it. REQUIRES: what is asked for by name can be had (engine/gpu.h).
[[nodiscard]] std::unique_ptr<Backend> find_gpu(const Parameters& p, EngineDevice asked, const PacketOptions& options,
                                                std::uint32_t hosts);

}  // namespace railyard::packet::device
