// What `nv show qos roce` and `nv show interface … qos roce status` print, as text or JSON.
#pragma once

#include "config/read/read.h"

namespace railyard::nvue {

/// Counters of the same command are no configuration.
bool is_roce_text(const ConfigText& text);
Diagnostics read_roce_text(const ConfigText& text, Estate& estate);

bool is_roce_json(const ConfigText& text);
Diagnostics read_roce_json(const ConfigText& text, Estate& estate);

}  // namespace railyard::nvue
