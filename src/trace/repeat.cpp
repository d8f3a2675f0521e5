#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "trace/graph.h"

namespace railyard {

namespace {

/// A copy's members of a group; of one that all ranks are in, all ranks of all copies.
std::vector<std::uint32_t> members_in_copy(const TraceDraft& draft, TraceGroupId group, std::uint32_t copy,
                                           std::uint32_t ranks) {
  std::vector<std::uint32_t> members = draft.groups[group];
  if (members.size() == draft.ranks) {
    members.resize(copy == 0 ? ranks : 0);  // all copies use the first
    std::iota(members.begin(), members.end(), 0U);
    return members;
  }
  for (std::uint32_t& member : members) member += copy * draft.ranks;
  return members;
}

TraceEdges repeated_edges(TraceEdges edges, std::uint32_t nodes, std::uint32_t copies) {
  TraceEdges out;
  for (std::uint32_t copy = 0; copy < copies; copy++)
    edges.in_order([&](TraceNodeId before, TraceNodeId after) {
      out.add(TraceNodeId(before.index() + copy * nodes), TraceNodeId(after.index() + copy * nodes));
    });
  return out;
}

/// Of a trace of one rank, peers lie as far from every copy as from this one.
TraceNode in_copy(TraceNode node, const TraceDraft& draft, std::uint32_t copy, std::uint32_t ranks) {
  node.rank += copy * draft.ranks;
  const bool message = node.op == TraceOp::send || node.op == TraceOp::receive;
  if (message && draft.ranks == 1) {
    if (node.peer < ranks) node.peer = (node.peer + copy) % ranks;
    return node;
  }
  if (node.op == TraceOp::collective) {
    const bool all = draft.groups[TraceGroupId(node.peer)].size() == draft.ranks;
    if (!all) node.peer += copy * static_cast<std::uint32_t>(draft.groups.size());
  } else if (message && node.peer < draft.ranks) {
    node.peer += copy * draft.ranks;
  }
  return node;
}

}  // namespace

Result<TraceDraft> repeat_trace(TraceDraft draft, std::uint32_t ranks) {
  if (ranks == draft.ranks) return draft;
  const auto refuse = [&](std::string what, std::string hint) {
    return Diagnostic{Severity::error, "RY-TRC-007", std::move(what), std::move(hint), {draft.files.front(), 0, 0}};
  };
  if (ranks < draft.ranks || ranks % draft.ranks != 0)
    return refuse(fmt::format("this trace has {} ranks, and {} are no multiple of that", draft.ranks, ranks),
                  fmt::format("use {} ranks, {} or another multiple", draft.ranks, 2 * draft.ranks));
  const std::uint32_t copies = ranks / draft.ranks;
  if (ranks > kMostTraceRanks || std::uint64_t{copies} * draft.nodes.size() > kMostTraceNodes)
    return refuse(fmt::format("{} times its {} nodes are more than can be played", copies, draft.nodes.size()),
                  "use fewer ranks");
  const auto nodes = static_cast<std::uint32_t>(draft.nodes.size());
  TraceDraft out;
  out.format = draft.format, out.sizes = draft.sizes, out.files = draft.files, out.notes = draft.notes;
  out.has_lines = draft.has_lines, out.gathers_parts = draft.gathers_parts, out.ranks = ranks;
  for (std::uint32_t copy = 0; copy < copies; copy++) {
    for (const TraceNode node : draft.nodes) out.nodes.push(in_copy(node, draft, copy, ranks));
    for (const TraceGroupId group : ids(draft.groups)) out.groups.push(members_in_copy(draft, group, copy, ranks));
  }
  out.after_end = repeated_edges(std::move(draft.after_end), nodes, copies);
  out.after_begin = repeated_edges(std::move(draft.after_begin), nodes, copies);
  return out;
}

}  // namespace railyard
