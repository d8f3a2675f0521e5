// What ranks do in a trace, one thing each, and many of them in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/choice.h"
#include "base/id.h"
#include "base/packed_numbers.h"

namespace railyard {

using TraceNodeId = Id<struct TraceNodeTag>;

enum class TraceOp : std::uint8_t { compute, send, receive, collective };
enum class TraceCollective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, barrier };

template<>
struct ChoiceNames<TraceCollective> {
  static constexpr std::string_view names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                               "broadcast",  "reduce",     "barrier"};
};

/// One thing that one rank does.
struct TraceNode {
  static constexpr std::uint32_t kAny = 0xffff'ffff;  // of a receive: whoever sends, whatever the tag

  TraceOp op = TraceOp::compute;
  TraceCollective kind = TraceCollective::all_reduce;
  std::uint16_t stream = 0;  // of a rank; computes of one stream take turns
  std::uint32_t rank = 0;
  std::uint32_t peer = 0;   // rank that is sent to or received from; of a collective, the group's index
  std::uint32_t tag = 0;    // of messages
  std::uint32_t place = 0;  // line of its file, or the node's own number there
  std::int64_t amount = 0;  // picoseconds of a compute; bytes of others: of collectives as nccl-tests count them
};
static_assert(sizeof(TraceNode) == 32);

/// Nodes by number, as columns of packed numbers: what is the same in one after the other, or comes again, takes next to
/// nothing. Nodes that are there do not change.
class TraceNodes {
 public:
  TraceNodeId push(const TraceNode& node) {
    const auto id = static_cast<std::uint32_t>(size());
    whats_.push(static_cast<std::uint64_t>(node.op) | static_cast<std::uint64_t>(node.kind) << kKindAt |
                std::uint64_t{node.stream} << kStreamAt);
    ranks_.push(node.rank);
    peers_.push(node.peer);
    tags_.push(node.tag);
    places_.push(node.place);
    amounts_.push(static_cast<std::uint64_t>(node.amount));
    return TraceNodeId(id);
  }
  [[nodiscard]] std::size_t size() const { return whats_.size(); }
  [[nodiscard]] bool empty() const { return whats_.empty(); }

  [[nodiscard]] TraceNode operator[](TraceNodeId id) const {
    const std::uint64_t what = whats_[id.index()];
    return {.op = op_in(what),
            .kind = kind_in(what),
            .stream = static_cast<std::uint16_t>(what >> kStreamAt),
            .rank = rank(id),
            .peer = static_cast<std::uint32_t>(peers_[id.index()]),
            .tag = static_cast<std::uint32_t>(tags_[id.index()]),
            .place = static_cast<std::uint32_t>(places_[id.index()]),
            .amount = amount(id)};
  }
  [[nodiscard]] TraceOp op(TraceNodeId id) const { return op_in(whats_[id.index()]); }
  [[nodiscard]] TraceCollective kind(TraceNodeId id) const { return kind_in(whats_[id.index()]); }
  [[nodiscard]] std::uint32_t rank(TraceNodeId id) const { return static_cast<std::uint32_t>(ranks_[id.index()]); }
  [[nodiscard]] std::int64_t amount(TraceNodeId id) const { return static_cast<std::int64_t>(amounts_[id.index()]); }

  [[nodiscard]] auto begin() const;
  [[nodiscard]] auto end() const;

 private:
  friend class TraceNodeReader;
  static constexpr unsigned kKindAt = 2, kStreamAt = 6;
  static TraceOp op_in(std::uint64_t what) { return static_cast<TraceOp>(what & 0x3); }
  static TraceCollective kind_in(std::uint64_t what) { return static_cast<TraceCollective>(what >> kKindAt & 0xf); }

  PackedNumbers whats_, ranks_, peers_, tags_, places_, amounts_;
};

/// Nodes one after the other, faster than each by itself.
class TraceNodeReader {
 public:
  explicit TraceNodeReader(const TraceNodes& nodes)
      : whats_(nodes.whats_),
        ranks_(nodes.ranks_),
        peers_(nodes.peers_),
        tags_(nodes.tags_),
        places_(nodes.places_),
        amounts_(nodes.amounts_) {}

  [[nodiscard]] TraceOp op(TraceNodeId id) { return TraceNodes::op_in(whats_[id.index()]); }
  [[nodiscard]] TraceNode operator[](TraceNodeId id) {
    const std::uint64_t what = whats_[id.index()];
    return {.op = TraceNodes::op_in(what),
            .kind = TraceNodes::kind_in(what),
            .stream = static_cast<std::uint16_t>(what >> TraceNodes::kStreamAt),
            .rank = static_cast<std::uint32_t>(ranks_[id.index()]),
            .peer = static_cast<std::uint32_t>(peers_[id.index()]),
            .tag = static_cast<std::uint32_t>(tags_[id.index()]),
            .place = static_cast<std::uint32_t>(places_[id.index()]),
            .amount = static_cast<std::int64_t>(amounts_[id.index()])};
  }

 private:
  PackedReader whats_, ranks_, peers_, tags_, places_, amounts_;
};

/// Of a loop over all nodes.
class TraceNodeIterator {
 public:
  explicit TraceNodeIterator(std::uint32_t end) : at_(end) {}
  explicit TraceNodeIterator(const TraceNodes& nodes) : reader_(std::in_place, nodes) {}
  TraceNode operator*() { return (*reader_)[TraceNodeId(at_)]; }
  TraceNodeIterator& operator++() { return at_++, *this; }
  friend bool operator==(const TraceNodeIterator& a, const TraceNodeIterator& b) { return a.at_ == b.at_; }

 private:
  std::optional<TraceNodeReader> reader_ = {};  // the end reads nothing
  std::uint32_t at_ = 0;
};

inline auto TraceNodes::begin() const { return TraceNodeIterator(*this); }
inline auto TraceNodes::end() const { return TraceNodeIterator(static_cast<std::uint32_t>(size())); }

inline IdRange<TraceNodeId> ids(const TraceNodes& nodes) { return {TraceNodeId(0), static_cast<std::uint32_t>(nodes.size())}; }

}  // namespace railyard
