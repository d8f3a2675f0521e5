// Lossless profiles that SONiC ships (catalog/headroom/sonic.csv).
#pragma once

#include <vector>

#include "tools/headroom/headroom.h"

namespace railyard {

inline constexpr const char* kShippedSource = "sonic-buildimage, pg_profile_lookup.ini of the device";

/// In the order of the file.
const std::vector<ShippedProfile>& shipped_profiles();

}  // namespace railyard
