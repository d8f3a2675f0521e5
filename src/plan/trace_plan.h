// An execution trace that is replayed, and how.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plan/choices.h"
#include "trace/format.h"

namespace railyard {

struct TraceGraph;

struct TraceSpec {
  std::string file;  // or the folder or the common beginning of one file per rank
  TraceFormat format = TraceFormat::automatic;
  std::string groups;                  // JSON: ranks of process groups by name
  std::optional<std::uint32_t> ranks;  // that the trace is repeated over; its own if not given
  double compute_scale = 1;            // every duration times this
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::automatic;
  std::shared_ptr<const TraceGraph> graph = {};  // what the file says, repeated; matched and without circles
};

}  // namespace railyard
