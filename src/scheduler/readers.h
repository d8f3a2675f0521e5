// The readers of src/scheduler, one per format; read_nodes.cpp chooses among them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "scheduler/cluster_nodes.h"

namespace railyard {

[[nodiscard]] bool is_sinfo(std::string_view text);
Result<ListedNodes> read_sinfo(std::string_view text, const std::string& file);

Result<ListedNodes> read_scontrol_nodes(std::string_view text, const std::string& file);

Result<ListedNodes> read_switches(std::string_view text, const std::string& file);

[[nodiscard]] bool is_kubectl_table(std::string_view text);
Result<ListedNodes> read_kubectl_table(std::string_view text, const std::string& file);
Result<ListedNodes> read_kubectl_json(std::string_view text, const std::string& file);

Result<ListedNodes> read_name_list(std::string_view text, const std::string& file);

/// Whether Slurm calls a node so that has nothing to do and may be given away whole: "idle", also powered down ("idle~").
[[nodiscard]] bool is_free_state(std::string_view state);

/// The nodes of one list as they are found: names are expanded, repeats are merged or reported.
class NodeCollector {
 public:
  explicit NodeCollector(std::string file) : file_(std::move(file)) {}

  /// Adds the nodes that a host list stands for. A name that was there is fine where `may_repeat` and both tell the same
  /// (sinfo lists a node once per partition); else it is a mistake.
  void add(std::string_view hosts, const ListedNode& like, bool may_repeat);
  void complain(std::uint32_t line, std::string_view code, std::string message, std::string hint);

  /// What was found, or every mistake; a list without a node is one.
  Result<ListedNodes> finish(ListedNodes about);

 private:
  std::string file_;
  std::vector<ListedNode> nodes_;
  std::map<std::string, std::size_t, std::less<>> index_;
  Diagnostics errors_;
  std::size_t expanded_ = 0;  // names so far, repeats too
};

}  // namespace railyard
