#include "trace/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/large_array.h"
#include "trace/message_pairs.h"
#include "trace/order.h"

namespace railyard {

namespace {

constexpr std::size_t kEnoughMistakes = 20;

class TraceFinisher {
 public:
  explicit TraceFinisher(TraceDraft draft) : draft_(std::move(draft)) {}

  Result<TraceGraph> run(std::uint32_t file_ranks) {
    check_nodes();
    if (!found_.empty()) return found_;
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
    TraceNodeReader reader(draft_.nodes);
    for (const TraceNodeId id : ids(draft_.nodes)) {
      const TraceNode node = reader[id];
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
      if (node.op == TraceOp::collective) check_member(id, node);
    }
  }

  void check_member(TraceNodeId id, const TraceNode& node) {
    const std::vector<std::uint32_t>& members = draft_.groups[TraceGroupId(node.peer)];
    if (const auto outside = std::lower_bound(members.begin(), members.end(), draft_.ranks); outside != members.end())
      return mistake(id, "RY-TRC-003", fmt::format("its group has rank {}, which does not exist", *outside),
                     fmt::format("ranks are 0 to {}: name the files of all ranks, or repeat the trace over more (ranks)",
                                 draft_.ranks - 1));
    if (!std::binary_search(members.begin(), members.end(), node.rank))
      mistake(id, "RY-TRC-003", "it is not in the group of its collective", "correct the group");
  }

  void match_messages() {
    messages_ = pair_messages(draft_.nodes);
    for (const TraceNodeId id : messages_.lone_receives) lone_receive(id);
    for (const TraceNodeId id : messages_.lone_sends) {
      const TraceNode node = draft_.nodes[id];
      mistake(id, "RY-TRC-004", fmt::format("what it sends to rank {} with tag {} is never received", node.peer, node.tag),
              "add the receive, or correct its tag");
    }
  }

  void lone_receive(TraceNodeId id) {
    const TraceNode node = draft_.nodes[id];
    const std::string from = node.peer == TraceNode::kAny ? "anybody" : fmt::format("rank {}", node.peer);
    const std::string tag = node.tag == TraceNode::kAny ? "any tag" : fmt::format("tag {}", node.tag);
    mistake(id, "RY-TRC-004", fmt::format("what it receives from {} with {} is never sent", from, tag),
            "add the send, or correct its tag");
  }

  void check_sizes(TraceNodeId receive, TraceNodeId send) {
    const std::int64_t sent = draft_.nodes.amount(send), received = draft_.nodes.amount(receive);
    if (sent > received && received > 0)
      mistake(receive, "RY-TRC-004",
              fmt::format("it receives {} bytes and rank {} sends {}", received, draft_.nodes.rank(send), sent),
              "give both ends one size");
  }

  /// Collectives of each member of a group.
  struct GroupCounts {
    std::vector<std::uint32_t> of_member = {};
    std::uint32_t first_call = 0, calls = 0;
    std::size_t first_caller = 0;
  };

  [[nodiscard]] std::size_t position_of(const TraceNode& node) const {
    const std::vector<std::uint32_t>& members = draft_.groups[TraceGroupId(node.peer)];
    return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), node.rank) - members.begin());
  }

  /// The k-th collective of a group in the file of one rank is the k-th of every other.
  void match_collectives() {
    TraceNodeReader reader(draft_.nodes);
    for (const TraceNodeId id : ids(draft_.nodes)) {
      if (reader.op(id) != TraceOp::collective) continue;
      const TraceNode node = reader[id];
      if (counts_.empty()) counts_ = Table<TraceGroupId, GroupCounts>(draft_.groups.size());
      std::vector<std::uint32_t>& of_member = counts_[TraceGroupId(node.peer)].of_member;
      if (of_member.empty()) of_member.assign(draft_.groups[TraceGroupId(node.peer)].size(), 0);
      of_member[position_of(node)]++;
    }
    std::size_t calls = 0, callers = 0;
    for (const TraceGroupId group : ids(counts_)) count_calls(group, calls, callers);
    if (!found_.empty()) return;
    join_all(callers);
    if (!found_.empty()) return;
    for (const TraceGroupId group : ids(counts_)) add_calls(group);
  }

  void count_calls(TraceGroupId id, std::size_t& calls, std::size_t& callers) {
    GroupCounts& group = counts_[id];
    const auto first = std::find_if(group.of_member.begin(), group.of_member.end(), [](std::uint32_t n) { return n > 0; });
    if (first == group.of_member.end()) return;
    group.calls = *first;
    group.first_call = static_cast<std::uint32_t>(calls);
    group.first_caller = callers;
    for (std::size_t member = 0; member < group.of_member.size(); member++)
      if (group.of_member[member] != group.calls)
        return other_count(id, member, static_cast<std::size_t>(first - group.of_member.begin()));
    calls += group.calls;
    callers += group.calls * group.of_member.size();
    std::fill(group.of_member.begin(), group.of_member.end(), 0U);  // of those that joined
  }

  /// Placed at the first collective of the member, or else of the next that has one, or else at the last of all.
  void other_count(TraceGroupId group, std::size_t member, std::size_t first) {
    const std::vector<std::uint32_t>&counts = counts_[group].of_member, &members = draft_.groups[group];
    std::size_t at = member;
    while (at < counts.size() && counts[at] == 0) at++;
    const bool last_of_all = at == counts.size();
    while (last_of_all && counts[--at] == 0) continue;
    TraceNodeId node;
    for (const TraceNodeId id : ids(draft_.nodes)) {
      const TraceNode one = draft_.nodes[id];
      const bool fits = one.op == TraceOp::collective && one.peer == group.index() && one.rank == members[at];
      if (fits && (last_of_all || !node.valid())) node = id;
    }
    mistake(node, "RY-TRC-005",
            fmt::format("rank {} does {} collectives of this group, and rank {} does {}", members[member], counts[member],
                        members[first], counts_[group].calls),
            "every rank of a group does the same ones: trace all of them, or give the group's ranks");
  }

  /// Who makes which call, and the other end of every node.
  void join_all(std::size_t callers) {
    callers_.assign(callers, 0);
    std::uint64_t last = 0;
    TraceNodeReader reader(draft_.nodes);
    for (const TraceNodeId id : ids(draft_.nodes)) {
      const TraceOp op = reader.op(id);
      if (op == TraceOp::collective) {
        const TraceNode node = reader[id];
        GroupCounts& group = counts_[TraceGroupId(node.peer)];
        const std::size_t position = position_of(node);
        const std::uint32_t k = group.of_member[position]++;
        callers_[group.first_caller + position * group.calls + k] = id.index();
        last = group.first_call + k;
      } else if (op != TraceOp::compute) {
        last = messages_.other_end[id.index()];
        if (op == TraceOp::receive) check_sizes(id, TraceNodeId(static_cast<std::uint32_t>(last)));
      }
      graph_.partner.push(last);  // of a compute it says nothing, and takes no room
    }
    give_back(messages_.other_end);
  }

  void add_calls(TraceGroupId id) {
    const GroupCounts& group = counts_[id];
    const auto members = static_cast<std::uint32_t>(group.of_member.size());
    graph_.calls.begin_group(group.calls > 0 ? members : 0);
    for (std::uint32_t call = 0; call < group.calls; call++) {
      const TraceNodeId first(callers_[group.first_caller + call]);
      const TraceNode node = draft_.nodes[first];
      const std::int64_t parts = draft_.gathers_parts && node.kind == TraceCollective::all_gather ? members : 1;
      if (node.amount > kLargestTraceMessage / parts)
        return mistake(first, "RY-TRC-002", "it gathers more than 1 PB", "correct its size");
      graph_.calls.add(node.kind, Bytes(node.amount * parts));
    }
    for (std::size_t i = 0; i < std::size_t{group.calls} * members; i++) {
      const TraceNodeId caller(callers_[group.first_caller + i]);
      if (i >= group.calls) check_same(caller, TraceNodeId(callers_[group.first_caller + i % group.calls]));
      graph_.calls.add_caller(caller);
    }
  }

  /// `first`: what the first rank of the group does there.
  void check_same(TraceNodeId id, TraceNodeId first) {
    const TraceNodes& nodes = draft_.nodes;
    const TraceCollective kind = nodes.kind(id), other = nodes.kind(first);
    if (kind != other || nodes.amount(id) != nodes.amount(first))
      mistake(id, "RY-TRC-005",
              fmt::format("it does {} of {} bytes where rank {} does {} of {}", name_of(kind), nodes.amount(id),
                          nodes.rank(first), name_of(other), nodes.amount(first)),
              "ranks of a group do the same collectives in one order");
  }

  void relate() {
    give_back(callers_);
    graph_.after_end = TraceSuccessors(std::move(draft_.after_end), draft_.nodes.size());
    graph_.after_begin = TraceSuccessors(std::move(draft_.after_begin), draft_.nodes.size());
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
  MessagePairs messages_;
  Table<TraceGroupId, GroupCounts> counts_;  // empty without collectives
  std::vector<std::uint32_t> callers_;       // nodes: for each group, and each of its members, that of each call
};

}  // namespace

TracePlace place_of(const TraceDraft& draft, TraceNodeId id) {
  const TraceNode node = draft.nodes[id];
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
