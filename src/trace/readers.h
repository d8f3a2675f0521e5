// One reader per format, from bytes to a draft. Internal to read.cpp, tests and fuzzers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/byte_source.h"
#include "trace/graph.h"

namespace railyard {

/// One file of a trace, and where its bytes come from.
struct TraceInput {
  std::string name;
  ByteSource& bytes;
};

/// GOAL, the text of LogGOPSim and ATLAHS: all ranks in one file.
Result<TraceDraft> read_goal(const TraceInput& input);

/// Chakra execution traces, protobuf or JSON: a file per rank, rank 0 first; `groups` is JSON with the ranks of process groups
/// by name, or empty.
Result<TraceDraft> read_chakra(std::span<const TraceInput> inputs, std::string_view groups);

/// SimAI's workload: layers that all ranks have. As many as asked for; else as the file says; else `otherwise`.
Result<TraceDraft> read_simai(const TraceInput& input, std::optional<std::uint32_t> asked, std::uint32_t otherwise);

/// CSV with a line per operation of a rank (csv.cpp says which columns): all ranks in one file.
Result<TraceDraft> read_csv_trace(const TraceInput& input);

/// What PyTorch's profiler (Kineto) wrote of one rank, for as many ranks as asked for, or `otherwise`.
Result<TraceDraft> read_kineto_trace(const TraceInput& input, std::uint32_t ranks);

/// Logs of NCCL's Inspector, one or several ranks in each. Where they are those of all ranks, that is the trace; else one
/// rank's stands for all, of which there are as many as asked for, else `otherwise`, else as many as its largest communicator
/// has.
Result<TraceDraft> read_inspector(std::span<const TraceInput> inputs, std::optional<std::uint32_t> asked,
                                  std::uint32_t otherwise);

/// An error about a line of a text.
inline Diagnostic trace_mistake(const TraceInput& input, std::uint32_t line, std::string what, std::string hint) {
  return {Severity::error, "RY-TRC-002", std::move(what), std::move(hint), {input.name, line, line == 0 ? 0U : 1U}};
}

}  // namespace railyard
