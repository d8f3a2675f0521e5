// Values that a dialect has the words for and does not take.
#pragma once

#include "base/diagnostic.h"
#include "qos/device.h"

namespace railyard {

/// RY-CFG-011 for each, by the name of the field.
[[nodiscard]] Diagnostics wrong_values(const Device& device);

}  // namespace railyard
