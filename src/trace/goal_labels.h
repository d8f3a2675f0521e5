// Labels of one rank of GOAL text: what each names. Files have millions, nearly all of them "l" and a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/graph.h"

namespace railyard {

class GoalLabels {
 public:
  /// A number that stands for a label: its own, or one that is given to it.
  std::uint64_t key(std::string_view label);
  [[nodiscard]] std::string name(std::uint64_t key) const;

  void add(std::string_view label, TraceNodeId node) { nodes_.emplace_back(key(label), node); }
  /// After all are added, and before they are looked up.
  void sort();
  /// What a label names; of several the first. None where it names nothing.
  [[nodiscard]] TraceNodeId find(std::uint64_t key) const;
  /// Nodes whose label another had before.
  [[nodiscard]] std::vector<TraceNodeId> repeated() const;
  void clear();

 private:
  std::vector<std::pair<std::uint64_t, TraceNodeId>> nodes_;
  std::vector<std::string> words_;                            // labels of other kinds
  std::unordered_map<std::string, std::uint64_t> word_keys_;  // never iterated
};

}  // namespace railyard
