// Rows of nodes that other processes play, brought to the first of them.
#pragma once

#include "base/team_post.h"
#include "engine/packet/network.h"

namespace railyard::packet {

class LookaheadScheduler;

/// The first process gets the rows that people see in the end (ports, switches, hosts, senders, what waits in queues), what was
/// seen of ports, and pauses; the others keep what they have. All processes call it; nothing runs.
void bring_to_first(Network& network, LookaheadScheduler& windows, TeamPost& team);

}  // namespace railyard::packet
