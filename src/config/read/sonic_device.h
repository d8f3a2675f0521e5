// Tables of SONiC laid over a device: ports, policies, buffers, hash, names.
#pragma once

#include "base/document.h"
#include "config/read/read.h"

namespace railyard::sonic {

/// Adds what the tables in `root` say to the switch that `text` is about. What an earlier file said holds where this one is
/// silent.
void add_tables(const Document& root, const ConfigText& text, Estate& estate);

/// Gives groups that PFC is on for the lossless buffer that SONiC's buffer manager makes by itself: by the port's speed and
/// cable, from the device's table of lossless profiles where it is known.
void add_managed_buffers(Device& device);

}  // namespace railyard::sonic
