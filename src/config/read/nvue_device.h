// Statements of NVUE as a device.
#pragma once

#include "config/read/nvue_statements.h"
#include "config/read/read.h"

namespace railyard::nvue {

/// Adds everything that the statements say to the switch that `text` is about; its policies are made anew.
void add_statements(const std::vector<Statement>& statements, const ConfigText& text, Estate& estate);

}  // namespace railyard::nvue
