// Which nodes wait for which: as readers find them, and as they are looked up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/packed_numbers.h"
#include "trace/node.h"

namespace railyard {

/// Nodes that are kept as numbers at even distances in a list.
class TraceRow {
 public:
  TraceRow() = default;
  TraceRow(const PackedNumbers& numbers, std::size_t first, std::size_t step, std::size_t count, std::uint32_t base)
      : numbers_(&numbers), first_(first), step_(step), count_(count), base_(base) {}

  class Iterator {
   public:
    Iterator(const TraceRow& row, std::size_t at) : row_(&row), at_(at) {}
    TraceNodeId operator*() const { return (*row_)[at_]; }
    Iterator& operator++() { return at_++, *this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const TraceRow* row_;
    std::size_t at_;
  };
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] TraceNodeId operator[](std::size_t i) const {
    return TraceNodeId(base_ + static_cast<std::uint32_t>((*numbers_)[first_ + i * step_]));
  }
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, count_}; }

 private:
  const PackedNumbers* numbers_ = nullptr;
  std::size_t first_ = 0, step_ = 1, count_ = 0;
  std::uint32_t base_ = 0;
};

/// Edges in any order, the second node of each waits for the first. Sorted part by part, and packed.
class TraceEdges {
 public:
  using Edge = std::pair<TraceNodeId, TraceNodeId>;

  TraceEdges() = default;
  TraceEdges(std::initializer_list<Edge> edges) {
    for (const Edge& edge : edges) add(edge.first, edge.second);
  }

  void add(TraceNodeId before, TraceNodeId after) {
    open_.emplace_back(before, after);
    if (open_.size() == kPart) close_part();
  }
  [[nodiscard]] std::size_t size() const { return closed_ + open_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// All of them, by the node that is waited for; those of one node as they were added.
  template<class Take>
  void in_order(const Take& take);

 private:
  static constexpr std::size_t kPart = std::size_t{1} << 17;

  struct Part {
    PackedNumbers before, span;  // the latter: after - before
  };
  /// What is next of a part.
  struct Head {
    std::uint32_t before = 0, part = 0;
    std::size_t at = 0;
    friend bool operator>(const Head& a, const Head& b) { return a.before != b.before ? a.before > b.before : a.part > b.part; }
  };

  void close_part();
  [[nodiscard]] std::vector<Head> heads() const;

  std::vector<Part> parts_;
  std::vector<Edge> open_;
  std::size_t closed_ = 0;
};

template<class Take>
void TraceEdges::in_order(const Take& take) {
  close_part();
  std::vector<Head> next = heads();  // the first is the next of all
  std::vector<std::pair<PackedReader, PackedReader>> readers;
  for (const Part& part : parts_) readers.emplace_back(PackedReader(part.before), PackedReader(part.span));
  while (!next.empty()) {
    std::pop_heap(next.begin(), next.end(), std::greater<>());
    Head head = next.back();
    next.pop_back();
    auto& [before, span] = readers[head.part];
    const std::size_t size = parts_[head.part].before.size();
    while (true) {
      take(TraceNodeId(head.before), TraceNodeId(head.before + static_cast<std::uint32_t>(span[head.at])));
      if (++head.at == size) break;
      head.before = static_cast<std::uint32_t>(before[head.at]);
      if (next.empty() || !(head > next.front())) continue;
      next.push_back(head);
      std::push_heap(next.begin(), next.end(), std::greater<>());
      break;
    }
  }
}

/// Who waits for each node.
class TraceSuccessors {
 public:
  TraceSuccessors() = default;
  TraceSuccessors(TraceEdges edges, std::size_t nodes);

  /// In the order in which the edges were added.
  [[nodiscard]] TraceRow row(TraceNodeId node) const {
    if (starts_.empty()) return {};
    const std::size_t first = starts_[node.index()];
    return {spans_, first, 1, starts_[std::size_t{node.index()} + 1] - first, node.index()};
  }
  /// Everyone who waits, as often as they do.
  void for_all(const std::function<void(TraceNodeId)>& take) const;

 private:
  PackedNumbers starts_, spans_;  // of rows; after - before
};

/// What is left of how many nodes each waits for: nearly always few.
class TraceWaits {
 public:
  TraceWaits(const TraceSuccessors& after_end, const TraceSuccessors& after_begin, std::size_t nodes);

  void add(TraceNodeId node) {
    if (few_[node.index()] != kMany && ++few_[node.index()] != kMany) return;
    many_[node.index()]++;  // beyond what is counted in few_
  }
  /// True if it waits for nothing any more. REQUIRES: it waits.
  bool take(TraceNodeId node) {
    if (few_[node.index()] == kMany) return take_of_many(node);
    RY_CHECK(few_[node.index()] > 0, "a node that is let go waits");
    return --few_[node.index()] == 0;
  }
  [[nodiscard]] bool waits(TraceNodeId node) const { return few_[node.index()] > 0; }

 private:
  static constexpr std::uint8_t kMany = 0xff;
  bool take_of_many(TraceNodeId node);

  std::vector<std::uint8_t> few_;                               // kMany: kMany - 1 and what many_ says
  std::unordered_map<std::uint32_t, std::uint32_t> many_ = {};  // never iterated
};

}  // namespace railyard
