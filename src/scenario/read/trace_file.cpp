#include "scenario/read/trace_file.h"

#include "scenario/read/named_files.h"
#include "trace/read.h"

namespace railyard {

namespace {

/// GPUs that a trace of one rank is repeated over, if nobody says more.
std::uint32_t gpus_of_cluster(const ScenarioSpec& spec) {
  if (spec.fabric.topology == Topology::file) return std::max(1U, spec.fabric.drawing.gpus());
  return spec.cluster.gpus.value_or(spec.fabric.gpus.value_or(1));
}

}  // namespace

void read_trace_file(ScenarioSpec& spec, bool from_disk, const FindOnDisk& find, Complaints& complaints) {
  TraceSpec& trace = *spec.trace;
  if (trace.file.empty()) return;
  if (!from_disk)
    return complaints.error("RY-TRC-001", spec.where("trace.file"), "traces are read from disk alone", "use a file on disk");
  const auto place = [&](const char* key, const std::string& file) {
    const std::filesystem::path named = named_path(spec, key, file);
    return find ? find(named, OnDisk::trace) : named;
  };
  TraceRequest request{.file = place("trace.file", trace.file), .format = trace.format, .alone = gpus_of_cluster(spec)};
  if (!trace.groups.empty()) request.groups = place("trace.groups", trace.groups);
  request.ranks = trace.ranks;
  Result<TraceGraph> graph = load_trace(request);
  if (!graph) {
    for (const Diagnostic& mistake : graph.error())
      complaints.error(mistake.code, mistake.where, mistake.message, mistake.hint);
    return;
  }
  const bool counted = spec.cluster.gpus || spec.fabric.gpus || spec.fabric.topology == Topology::file;
  if (!counted) spec.cluster.gpus = graph->ranks;
  trace.graph = std::make_shared<const TraceGraph>(std::move(*graph));
}

}  // namespace railyard
