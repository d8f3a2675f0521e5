// An execution trace as one kind of graph, whichever tool wrote it: what ranks compute, send, receive and do together, and what
// waits for what.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/units.h"
#include "trace/calls.h"
#include "trace/edges.h"
#include "trace/format.h"
#include "trace/node.h"

namespace railyard {

/// What a reader makes of a file: nothing is checked yet but that edges and groups name what is there.
struct TraceDraft {
  TraceFormat format = TraceFormat::goal;
  std::string sizes;               // what the format's sizes are, in a sentence
  std::vector<std::string> files;  // one for all ranks, or one each
  bool has_lines = true;           // places are lines, not numbers of nodes
  bool gathers_parts = false;      // sizes of all_gather are what one rank has before; else what all have in the end
  Diagnostics notes;               // of what the reader had to take otherwise than it is written
  std::uint32_t ranks = 0;
  TraceNodes nodes;
  TraceEdges after_end;                                    // the second waits until the first has ended
  TraceEdges after_begin;                                  // … has begun
  Table<TraceGroupId, std::vector<std::uint32_t>> groups;  // members; those of all ranks grow with the trace

  [[nodiscard]] const std::string& file_of(std::uint32_t rank) const { return files[files.size() == 1 ? 0 : rank]; }
};

/// A trace that can be played to its end: every receive has its send, every collective all of its ranks, and nothing waits for
/// itself, over however many ranks.
struct TraceGraph {
  TraceFormat format = TraceFormat::goal;
  std::string sizes;
  Diagnostics notes;
  std::uint32_t ranks = 0, file_ranks = 0;  // the latter: before it was repeated
  TraceNodes nodes;
  TraceSuccessors after_end, after_begin;
  /// By node: of a send its receive, of a receive its send, of a collective its call.
  PackedNumbers partner;
  Table<TraceGroupId, std::vector<std::uint32_t>> groups;
  TraceCalls calls;

  [[nodiscard]] TraceNodeId message_end(TraceNodeId node) const {
    return TraceNodeId(static_cast<std::uint32_t>(partner[node.index()]));
  }
  [[nodiscard]] TraceCallId call_of(TraceNodeId node) const {
    return TraceCallId(static_cast<std::uint32_t>(partner[node.index()]));
  }
};

inline constexpr std::uint32_t kMostTraceRanks = 1U << 20;
inline constexpr std::uint32_t kMostTraceNodes = 1U << 30;
inline constexpr std::int64_t kLargestTraceMessage = 1'000'000'000'000'000;                    // bytes
inline constexpr Picoseconds kLongestTraceNode = Picoseconds(86'400 * kPicosecondsPerSecond);  // a day

/// "rank 3, node 17" or "rank 3", with the file and maybe the line as the place: what a message about a node begins with.
struct TracePlace {
  std::string what;
  SourceSpan where;
};
TracePlace place_of(const TraceDraft& draft, TraceNodeId node);

/// The draft `ranks` / draft.ranks times over. Copies follow each other; messages and groups stay inside a copy, but groups of
/// all ranks become one of all ranks of all copies, and where the draft has one rank, peers of its messages lie as far from
/// every copy as from it. RY-TRC-007 unless `ranks` is a multiple of the draft's.
Result<TraceDraft> repeat_trace(TraceDraft draft, std::uint32_t ranks);

/// Matches sends with receives, and ranks of collectives with each other. The k-th send of one rank to another with a tag meets
/// the k-th receive there, in the order of the file; a receive from anybody takes what no other has. Refuses ranks and groups
/// that are not there (RY-TRC-003), messages without their other end (RY-TRC-004), ranks of a group that do not do the same
/// (RY-TRC-005) and nodes that wait for each other (RY-TRC-006).
Result<TraceGraph> finish_trace(TraceDraft draft, std::uint32_t file_ranks);

}  // namespace railyard
