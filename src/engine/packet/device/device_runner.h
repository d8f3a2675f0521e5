// Windows of a LookaheadScheduler that a GPU plays: what the processor does between them.
#pragma once

#include <memory>

#include "engine/packet/device/backend.h"
#include "engine/packet/network.h"
#include "engine/packet/window_runner.h"

namespace railyard::packet::device {

/// Whether a GPU plays networks like this one. What people are told is in engine/gpu.h.
[[nodiscard]] bool can_play(const Parameters& p);

/// Network, backend and owner must outlive it. What was seen goes to the owner's lists.
std::unique_ptr<WindowRunner> make_runner(Network& network, Time span, Backend& backend, LookaheadScheduler& owner);

}  // namespace railyard::packet::device
