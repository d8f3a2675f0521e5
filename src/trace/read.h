// A trace from disk, whichever tool wrote it, as a graph that can be played.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "trace/graph.h"

namespace railyard {

struct TraceRequest {
  std::filesystem::path file;  // or the folder, or the common beginning, of one file per rank
  TraceFormat format = TraceFormat::automatic;
  std::filesystem::path groups = {};        // JSON with the ranks of process groups by name; none if empty
  std::optional<std::uint32_t> ranks = {};  // to repeat it over; its own if not given
  std::uint32_t alone = 1;                  // the same for a trace of one rank with collectives of everybody
};

/// Reads part by part: what stays in memory are nodes and edges. Refuses what no reader knows (RY-TRC-001), what breaks its
/// format (RY-TRC-002), what readers know and nobody plays (RY-TRC-008), and what repeat_trace() and finish_trace() do.
Result<TraceGraph> load_trace(const TraceRequest& request);

/// The files of a trace that is called so, in the order of its ranks. RY-TRC-001 where there are none.
Result<std::vector<std::filesystem::path>> files_of_trace(const std::filesystem::path& named);

/// What a text is, by how it begins; automatic if no reader knows it.
TraceFormat format_of_trace(std::string_view beginning);

}  // namespace railyard
