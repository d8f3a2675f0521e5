// Labels of one rank of GOAL text: what each names. Files have millions, nearly all of them "l" and a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/numbered_nodes.h"

namespace railyard {

class GoalLabels {
 public:
  /// A number that stands for a label: its own, or one that is given to it.
  std::uint64_t key(std::string_view label);
  [[nodiscard]] std::string name(std::uint64_t key) const;

  /// False, and nothing is added, if another node has the label.
  bool add(std::string_view label, TraceNodeId node);
  /// None where it names nothing.
  [[nodiscard]] TraceNodeId find(std::uint64_t key) const;
  void clear();

 private:
  NumberedNodes numbers_, by_word_;
  std::vector<std::string> words_;                            // labels of other kinds
  std::unordered_map<std::string, std::uint64_t> word_keys_;  // never iterated
};

}  // namespace railyard
