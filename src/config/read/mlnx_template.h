// NicConfigurationTemplate: how NVIDIA's operator sets NICs of all nodes that it selects.
#pragma once

#include "config/read/read.h"

namespace railyard::host_text {

[[nodiscard]] bool is_nic_template(const ConfigText& text);

/// Each template is a host of its name, with one NIC for each PCI address or type that it selects.
Diagnostics read_nic_template(const ConfigText& text, Estate& estate);

}  // namespace railyard::host_text
