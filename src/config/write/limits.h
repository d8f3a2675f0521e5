// What a dialect has words for, and what it leaves to the device.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "qos/device.h"

namespace railyard {

/// RY-CFG-010 for every setting of the device that its dialect cannot say, by the name of the field. RY-CFG-011 where it has
/// words for the field and not for this value.
[[nodiscard]] Diagnostics unsayable(const Device& device);

/// The device with those fields left to it that its dialect has no words for, so that it can be written; what was left out is
/// told, one sentence each; what decides nothing (unused.h) goes without a word. Policies that do the same from then on are
/// one. Values that cannot be said stay, and are refused.
[[nodiscard]] Device sayable(Device device, std::vector<std::string>& left_out);

}  // namespace railyard
