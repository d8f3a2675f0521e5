// --flows: every transfer as it ends, one line each.
#pragma once

#include <string>
#include <vector>

#include "cli/output_file.h"
#include "fabric/fabric.h"
#include "sim/flow_record.h"

namespace railyard {

/// Comma-separated values, written as they come, so that memory does not grow with them.
class FlowFile {
 public:
  /// Writes to `file`, which must live as long and which the caller finishes.
  explicit FlowFile(OutputFile& file);

  void write(const FlowRecord& flow);

 private:
  [[nodiscard]] std::string path_of(const FlowRecord& flow);
  [[nodiscard]] std::string name_of_node(const Fabric& fabric, NodeId node);

  OutputFile& file_;
  std::vector<std::uint32_t> numbers_;  // of nodes among their kind
};

}  // namespace railyard
