#include "qos/device.h"

#include <algorithm>

namespace railyard {

bool HashConfig::has(std::string_view field) const { return std::find(fields.begin(), fields.end(), field) != fields.end(); }

}  // namespace railyard
