// What tests of traces share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "trace/readers.h"

namespace railyard {

inline Result<TraceDraft> goal_of(std::string_view text) {
  const auto bytes = bytes_of_text(text);
  return read_goal({"case.goal", *bytes});
}

/// A graph of GOAL text, over `ranks` ranks if that is not zero.
inline Result<TraceGraph> graph_of(std::string_view text, std::uint32_t ranks = 0) {
  Result<TraceDraft> draft = goal_of(text);
  if (!draft) return draft.error();
  const std::uint32_t own = draft->ranks;
  Result<TraceDraft> repeated = repeat_trace(std::move(*draft), ranks == 0 ? own : ranks);
  if (!repeated) return repeated.error();
  return finish_trace(std::move(*repeated), own);
}

/// All of them, by the node that is waited for.
inline std::vector<TraceEdges::Edge> edges_of(TraceEdges edges) {
  std::vector<TraceEdges::Edge> out;
  edges.in_order([&](TraceNodeId before, TraceNodeId after) { out.emplace_back(before, after); });
  return out;
}

/// "RY-TRC-004 case.goal:3" of the first error, or nothing.
template<class T>
std::string error_of(const Result<T>& result) {
  if (result) return {};
  const Diagnostic& first = result.error().front();
  return first.code + " " + first.where.file + (first.where.line > 0 ? ":" + std::to_string(first.where.line) : "");
}

}  // namespace railyard
