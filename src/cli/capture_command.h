// `railyard capture`: what a pcap or pcapng file of a RoCEv2 network says.
#pragma once

#include "cli/options.h"

namespace railyard {

int capture_command(const Options& options);

}  // namespace railyard
