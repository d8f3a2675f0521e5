#include "trace/message_pairs.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railyard {

namespace {

/// What names a connection of messages, and a node that is one end of one of them.
struct MessageKey {
  std::uint32_t from, to, tag;
  TraceNodeId node;

  friend bool operator<(const MessageKey& a, const MessageKey& b) {  // receivers first
    return std::tuple(a.to, a.from, a.tag, a.node) < std::tuple(b.to, b.from, b.tag, b.node);
  }
};

struct MessageLine {
  std::uint32_t from, to, tag;
  friend bool operator==(const MessageLine&, const MessageLine&) = default;
};

struct HashOfLine {
  std::size_t operator()(const MessageLine& line) const {
    const std::uint64_t ends = std::uint64_t{line.from} << 32U | line.to;
    const std::uint64_t mixed = (ends ^ std::uint64_t{line.tag} << 40U ^ line.tag) * 0x9e37'79b9'7f4a'7c15U;
    return mixed ^ mixed >> 29U;
  }
};

class MessagePairing {
 public:
  explicit MessagePairing(const TraceNodes& nodes) : nodes_(nodes) {}

  MessagePairs run() {
    TraceNodeReader reader(nodes_);
    for (const TraceNodeId id : ids(nodes_)) {
      const TraceOp op = reader.op(id);
      if (op != TraceOp::send && op != TraceOp::receive) continue;
      if (pairs_.other_end.empty()) pairs_.other_end.assign(nodes_.size(), MessagePairs::kNone);
      const TraceNode node = reader[id];
      if (op == TraceOp::send)
        meet({node.rank, node.peer, node.tag}, id, true);
      else if (node.peer == TraceNode::kAny || node.tag == TraceNode::kAny)
        anybody_.push_back({node.peer, node.rank, node.tag, id});
      else
        meet({node.peer, node.rank, node.tag}, id, false);
    }
    take_what_waits();
    match_anybody();
    std::sort(pairs_.lone_sends.begin(), pairs_.lone_sends.end());
    std::sort(pairs_.lone_receives.begin(), pairs_.lone_receives.end());
    return std::move(pairs_);
  }

 private:
  /// Ends of one line that wait for their other ends: a list through other_end.
  struct Waiting {
    std::uint32_t first = MessagePairs::kNone, last = MessagePairs::kNone;
    bool are_sends = false;
  };

  void meet(const MessageLine& line, TraceNodeId id, bool sends) {
    constexpr std::size_t kManyLines = std::size_t{1} << 16;
    const auto at = lines_.try_emplace(line).first;
    Waiting& waiting = at->second;
    if (waiting.first != MessagePairs::kNone && waiting.are_sends != sends) {
      const TraceNodeId other(waiting.first);
      waiting.first = pairs_.other_end[other.index()];
      pair(other, id);
      if (waiting.first == MessagePairs::kNone && lines_.size() > kManyLines) lines_.erase(at);
      return;
    }
    (waiting.first == MessagePairs::kNone ? waiting.first : pairs_.other_end[waiting.last]) = id.index();
    waiting.last = id.index();
    waiting.are_sends = sends;
  }

  void pair(TraceNodeId one, TraceNodeId other) {
    pairs_.other_end[one.index()] = other.index();
    pairs_.other_end[other.index()] = one.index();
  }

  void take_what_waits() {
    for (const auto& [line, waiting] : lines_)  // in any order: what is taken is sorted
      for (std::uint32_t at = waiting.first; at != MessagePairs::kNone;) {
        const std::uint32_t next = std::exchange(pairs_.other_end[at], MessagePairs::kNone);
        if (waiting.are_sends)
          left_.push_back({line.from, line.to, line.tag, TraceNodeId(at)});
        else
          pairs_.lone_receives.push_back(TraceNodeId(at));
        at = next;
      }
    lines_ = {};
    std::sort(left_.begin(), left_.end());
  }

  /// Receives from anybody, in the order of the file, each take the first that is left for them.
  void match_anybody() {
    std::vector<bool> taken(left_.size(), false);
    for (const MessageKey& receive : anybody_) {
      const auto first = std::lower_bound(left_.begin(), left_.end(), receive.to,
                                          [](const MessageKey& send, std::uint32_t to) { return send.to < to; });
      auto found = static_cast<std::size_t>(first - left_.begin());
      const auto fits = [&](const MessageKey& send) {
        return (receive.from == TraceNode::kAny || send.from == receive.from) &&
               (receive.tag == TraceNode::kAny || send.tag == receive.tag);
      };
      while (found < left_.size() && left_[found].to == receive.to && (taken[found] || !fits(left_[found]))) found++;
      if (found == left_.size() || left_[found].to != receive.to) {
        pairs_.lone_receives.push_back(receive.node);
        continue;
      }
      taken[found] = true;
      pair(left_[found].node, receive.node);
    }
    for (std::size_t i = 0; i < left_.size(); i++)
      if (!taken[i]) pairs_.lone_sends.push_back(left_[i].node);
  }

  const TraceNodes& nodes_;
  MessagePairs pairs_;
  std::unordered_map<MessageLine, Waiting, HashOfLine> lines_;
  std::vector<MessageKey> left_, anybody_;
};

}  // namespace

MessagePairs pair_messages(const TraceNodes& nodes) { return MessagePairing(nodes).run(); }

}  // namespace railyard
