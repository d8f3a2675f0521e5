// Neighbours of a switch from lldpctl -f json (or json0), which SONiC and Cumulus Linux both have.
#pragma once

#include "config/read/read.h"

namespace railyard::sonic {

/// Of a switch, by the names of its ports; what a host's lldpctl prints is left to others.
bool is_lldp_json(const ConfigText& text);
Diagnostics read_lldp_json(const ConfigText& text, Estate& estate);

}  // namespace railyard::sonic
