// One NVIDIA GPU that plays the windows of the packet engine.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/packet/device/backend.h"

namespace railyard::packet::device {

/// Why no GPU can be used here, in a sentence without a full stop; empty: one can.
[[nodiscard]] std::string why_no_cuda();

/// The first GPU. REQUIRES: why_no_cuda() is empty. Throws GpuFailed where the driver refuses.
std::unique_ptr<Backend> make_cuda();

/// The programs as PTX; empty where they were not built.
[[nodiscard]] std::string_view embedded_ptx();

}  // namespace railyard::packet::device
