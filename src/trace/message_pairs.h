// Which receive takes what which send sends. Internal to this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/node.h"

namespace railyard {

/// Ends of messages, by node.
struct MessagePairs {
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  std::vector<std::uint32_t> other_end;    // node; kNone of what is no message; empty if there are no messages
  std::vector<TraceNodeId> lone_sends;     // never received
  std::vector<TraceNodeId> lone_receives;  // never sent
};

/// The k-th send of one rank to another with a tag meets the k-th receive there, in the order of nodes; receives from anybody,
/// or of any tag, take what no other has: each the first in the order of senders, tags and nodes.
MessagePairs pair_messages(const TraceNodes& nodes);

}  // namespace railyard
