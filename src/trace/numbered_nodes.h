// Numbers that a file gives the nodes of one rank: which node each names. Files have hundreds of millions, nearly always in
// order.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/packed_numbers.h"
#include "trace/node.h"

namespace railyard {

class NumberedNodes {
 public:
  /// False, and nothing is added, if another has the number.
  bool add(std::uint64_t number, TraceNodeId node);
  /// None where nothing has that number.
  [[nodiscard]] TraceNodeId find(std::uint64_t number) const;
  void clear();

 private:
  /// Where a number is, or would be, among those in order; begins to look where it found the last.
  [[nodiscard]] std::size_t place_of(std::uint64_t number) const;

  PackedNumbers numbers_, nodes_;  // those that came in order
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, TraceNodeId> others_;  // never iterated
  mutable std::size_t looked_at_ = 0;
};

}  // namespace railyard
