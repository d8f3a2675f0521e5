#include "trace/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "trace/order.h"

namespace railyard {

namespace {

constexpr std::size_t kEnoughMistakes = 20;

/// What names a connection of messages, and a node that is one end of one of them.
struct MessageKey {
  std::uint32_t from, to, tag;
  TraceNodeId node;

  [[nodiscard]] auto line() const { return std::tuple(from, to, tag); }
  friend bool operator<(const MessageKey& a, const MessageKey& b) {
    return std::tuple(a.from, a.to, a.tag, a.node) < std::tuple(b.from, b.to, b.tag, b.node);
  }
};

class TraceFinisher {
 public:
  explicit TraceFinisher(TraceDraft draft) : draft_(std::move(draft)) {}

  Result<TraceGraph> run(std::uint32_t file_ranks) {
    check_nodes();
    if (!found_.empty()) return found_;
    graph_.partner = Table<TraceNodeId, std::uint32_t>(draft_.nodes.size(), TraceNode::kAny);
    match_messages();
    match_collectives();
    if (!found_.empty()) return found_;
    graph_.format = draft_.format;
    graph_.sizes = draft_.sizes;
    graph_.notes = draft_.notes;
    graph_.ranks = draft_.ranks;
    graph_.file_ranks = file_ranks;
    relate();
    if (const TraceNodeId stuck = first_in_circle(graph_); stuck.valid()) return circle(stuck);
    return std::move(graph_);
  }

 private:
  void mistake(TraceNodeId node, std::string_view code, std::string_view what, std::string hint) {
    if (found_.size() >= kEnoughMistakes) return;
    const TracePlace place = place_of(draft_, node);
    found_.push_back(
        {Severity::error, std::string(code), fmt::format("{}: {}", place.what, what), std::move(hint), place.where});
  }

  [[nodiscard]] std::string who_is_there() const {
    if (draft_.ranks == 1)
      return "the trace is of one rank; if all do the same, say how many they are: --ranks 8, or ranks = 8 in [trace]";
    return fmt::format("ranks are 0 to {}", draft_.ranks - 1);
  }

  void check_nodes() {
    for (const TraceNodeId id : ids(draft_.nodes)) {
      const TraceNode& node = draft_.nodes[id];
      RY_CHECK(node.rank < draft_.ranks, "a reader makes no ranks of its own");
      const bool any = node.op == TraceOp::receive && node.peer == TraceNode::kAny;
      const bool message = node.op == TraceOp::send || node.op == TraceOp::receive;
      if (message && !any && node.peer >= draft_.ranks) {
        mistake(id, "RY-TRC-003", fmt::format("there is no rank {}", node.peer), who_is_there());
        if (draft_.ranks == 1) return;  // all others are the same mistake
      }
      if (node.op == TraceOp::compute ? node.amount < 0 || node.amount > kLongestTraceNode.count()
                                      : node.amount < 0 || node.amount > kLargestTraceMessage)
        mistake(id, "RY-TRC-002", node.op == TraceOp::compute ? "it computes for longer than a day" : "it is larger than 1 PB",
                "correct it");
      if (node.op == TraceOp::collective) check_member(id);
    }
  }

  void check_member(TraceNodeId id) {
    const TraceNode& node = draft_.nodes[id];
    const std::vector<std::uint32_t>& members = draft_.groups[TraceGroupId(node.peer)];
    for (const std::uint32_t member : members)
      if (member >= draft_.ranks)
        return mistake(id, "RY-TRC-003", fmt::format("its group has rank {}, which does not exist", member),
                       fmt::format("ranks are 0 to {}: name the files of all ranks, or repeat the trace over more (ranks)",
                                   draft_.ranks - 1));
    if (!std::binary_search(members.begin(), members.end(), node.rank))
      mistake(id, "RY-TRC-003", "it is not in the group of its collective", "correct the group");
  }

  void match_messages() {
    std::vector<MessageKey> sends, receives, anybody;
    for (const TraceNodeId id : ids(draft_.nodes)) {
      const TraceNode& node = draft_.nodes[id];
      if (node.op == TraceOp::send) sends.push_back({node.rank, node.peer, node.tag, id});
      if (node.op != TraceOp::receive) continue;
      const bool any = node.peer == TraceNode::kAny || node.tag == TraceNode::kAny;
      (any ? anybody : receives).push_back({node.peer, node.rank, node.tag, id});
    }
    std::sort(sends.begin(), sends.end());
    std::sort(receives.begin(), receives.end());
    std::vector<MessageKey> left;
    std::size_t send = 0;
    for (const MessageKey& receive : receives) {
      for (; send < sends.size() && sends[send].line() < receive.line(); send++) left.push_back(sends[send]);
      if (send < sends.size() && sends[send].line() == receive.line())
        pair(sends[send++].node, receive.node);
      else
        lone_receive(receive.node);
    }
    left.insert(left.end(), sends.begin() + static_cast<std::ptrdiff_t>(send), sends.end());
    match_anybody(std::move(left), anybody);
  }

  /// Receives from anybody, in the order of the file, each take the first that is left for them.
  void match_anybody(std::vector<MessageKey> left, const std::vector<MessageKey>& anybody) {
    std::stable_sort(left.begin(), left.end(), [](const MessageKey& a, const MessageKey& b) { return a.to < b.to; });
    std::vector<bool> taken(left.size(), false);
    for (const MessageKey& receive : anybody) {
      const auto first = std::lower_bound(left.begin(), left.end(), receive.to,
                                          [](const MessageKey& send, std::uint32_t to) { return send.to < to; });
      auto found = static_cast<std::size_t>(first - left.begin());
      const auto fits = [&](const MessageKey& send) {
        return (receive.from == TraceNode::kAny || send.from == receive.from) &&
               (receive.tag == TraceNode::kAny || send.tag == receive.tag);
      };
      while (found < left.size() && left[found].to == receive.to && (taken[found] || !fits(left[found]))) found++;
      if (found == left.size() || left[found].to != receive.to) {
        lone_receive(receive.node);
        continue;
      }
      taken[found] = true;
      pair(left[found].node, receive.node);
    }
    for (std::size_t i = 0; i < left.size(); i++)
      if (!taken[i])
        mistake(left[i].node, "RY-TRC-004",
                fmt::format("what it sends to rank {} with tag {} is never received", left[i].to, left[i].tag),
                "add the receive, or correct its tag");
  }

  void lone_receive(TraceNodeId id) {
    const TraceNode& node = draft_.nodes[id];
    const std::string from = node.peer == TraceNode::kAny ? "anybody" : fmt::format("rank {}", node.peer);
    const std::string tag = node.tag == TraceNode::kAny ? "any tag" : fmt::format("tag {}", node.tag);
    mistake(id, "RY-TRC-004", fmt::format("what it receives from {} with {} is never sent", from, tag),
            "add the send, or correct its tag");
  }

  void pair(TraceNodeId send, TraceNodeId receive) {
    graph_.partner[send] = receive.index();
    graph_.partner[receive] = send.index();
    const std::int64_t sent = draft_.nodes[send].amount, received = draft_.nodes[receive].amount;
    if (sent > received && received > 0)
      mistake(receive, "RY-TRC-004",
              fmt::format("it receives {} bytes and rank {} sends {}", received, draft_.nodes[send].rank, sent),
              "give both ends one size");
  }

  /// The k-th collective of a group in the file of one rank is the k-th of every other.
  void match_collectives() {
    std::vector<std::pair<TraceCallId, TraceNodeId>> callers;
    std::vector<std::vector<std::pair<std::uint32_t, TraceNodeId>>> of_group(draft_.groups.size());
    for (const TraceNodeId id : ids(draft_.nodes))
      if (draft_.nodes[id].op == TraceOp::collective) of_group[draft_.nodes[id].peer].emplace_back(draft_.nodes[id].rank, id);
    for (const TraceGroupId group : ids(draft_.groups)) add_calls(group, of_group[group.index()], callers);
    if (found_.empty()) graph_.callers = Csr<TraceCallId, TraceNodeId>(graph_.calls.size(), callers);
  }

  void add_calls(TraceGroupId group, std::vector<std::pair<std::uint32_t, TraceNodeId>>& nodes,
                 std::vector<std::pair<TraceCallId, TraceNodeId>>& callers) {
    if (nodes.empty()) return;
    std::stable_sort(nodes.begin(), nodes.end());
    const std::vector<std::uint32_t>& members = draft_.groups[group];
    std::size_t calls = 0;
    while (calls < nodes.size() && nodes[calls].first == nodes.front().first) calls++;
    for (std::size_t first = 0, member = 0; first < nodes.size() || member < members.size(); member++) {
      std::size_t last = first;
      while (last < nodes.size() && member < members.size() && nodes[last].first == members[member]) last++;
      if (last - first != calls)
        return mistake(nodes[std::min(first, nodes.size() - 1)].second, "RY-TRC-005",
                       fmt::format("rank {} does {} collectives of this group, and rank {} does {}", members[member],
                                   last - first, nodes.front().first, calls),
                       "every rank of a group does the same ones: trace all of them, or give the group's ranks");
      first = last;
    }
    const auto begin = static_cast<std::uint32_t>(graph_.calls.size());
    for (std::size_t call = 0; call < calls; call++) {
      const TraceNode& node = draft_.nodes[nodes[call].second];
      const TraceCallId next = call + 1 < calls ? TraceCallId(static_cast<std::uint32_t>(begin + call + 1)) : TraceCallId();
      const std::int64_t parts =
          draft_.gathers_parts && node.kind == TraceCollective::all_gather ? static_cast<std::int64_t>(members.size()) : 1;
      if (node.amount > kLargestTraceMessage / parts)
        return mistake(nodes[call].second, "RY-TRC-002", "it gathers more than 1 PB", "correct its size");
      graph_.calls.push({group, node.kind, Bytes(node.amount * parts), next});
    }
    for (std::size_t i = 0; i < nodes.size(); i++)
      join(TraceCallId(static_cast<std::uint32_t>(begin + i % calls)), nodes[i].second, nodes[i % calls].second, callers);
  }

  /// `first`: what the first rank of the group does there.
  void join(TraceCallId call, TraceNodeId id, TraceNodeId first, std::vector<std::pair<TraceCallId, TraceNodeId>>& callers) {
    const TraceNode &node = draft_.nodes[id], &same = draft_.nodes[first];
    if (node.kind != same.kind || node.amount != same.amount)
      mistake(id, "RY-TRC-005",
              fmt::format("it does {} of {} bytes where rank {} does {} of {}", name_of(node.kind), node.amount, same.rank,
                          name_of(same.kind), same.amount),
              "ranks of a group do the same collectives in one order");
    graph_.partner[id] = call.index();
    callers.emplace_back(call, id);
  }

  void relate() {
    graph_.waits = Table<TraceNodeId, std::uint32_t>(draft_.nodes.size(), 0);
    for (const auto* const edges : {&draft_.after_end, &draft_.after_begin})
      for (const auto& [before, after] : *edges) graph_.waits[after]++;
    graph_.after_end = Csr<TraceNodeId, TraceNodeId>(draft_.nodes.size(), draft_.after_end);
    graph_.after_begin = Csr<TraceNodeId, TraceNodeId>(draft_.nodes.size(), draft_.after_begin);
    std::vector<std::pair<TraceNodeId, TraceNodeId>>().swap(draft_.after_end);
    graph_.nodes = std::move(draft_.nodes);
    graph_.groups = std::move(draft_.groups);
  }

  Diagnostics circle(TraceNodeId stuck) {
    draft_.nodes = std::move(graph_.nodes);
    mistake(stuck, "RY-TRC-006",
            "it never begins: here or before it, nodes, messages or collectives wait for each other in a circle",
            "break the circle; ranks that send before they receive, and collectives in one order, have none");
    return found_;
  }

  TraceDraft draft_;
  TraceGraph graph_;
  Diagnostics found_;
};

}  // namespace

TracePlace place_of(const TraceDraft& draft, TraceNodeId id) {
  const TraceNode& node = draft.nodes[id];
  const std::uint32_t rank = draft.files.size() > 1 && node.rank >= draft.files.size()
                                 ? node.rank % static_cast<std::uint32_t>(draft.files.size())  // of a copy
                                 : node.rank;
  if (draft.has_lines) return {fmt::format("rank {}", node.rank), {draft.file_of(rank), node.place, 1}};
  return {fmt::format("rank {}, node {}", node.rank, node.place), {draft.file_of(rank), 0, 0}};
}

Result<TraceGraph> finish_trace(TraceDraft draft, std::uint32_t file_ranks) {
  return TraceFinisher(std::move(draft)).run(file_ranks);
}

}  // namespace railyard
