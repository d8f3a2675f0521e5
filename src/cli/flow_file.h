// --flows: every transfer as it ends, one line each.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "sim/flow_record.h"

namespace railyard {

/// Comma-separated values, written as they come, so that memory does not grow with them. The file gets its name once it is
/// whole; "-" is standard output.
class FlowFile {
 public:
  explicit FlowFile(std::string file);
  ~FlowFile();
  FlowFile(const FlowFile&) = delete;
  FlowFile& operator=(const FlowFile&) = delete;

  /// Whether the file could be opened.
  [[nodiscard]] bool is_open() const;
  void write(const FlowRecord& flow);
  /// False, and a sentence on stderr, if it could not be written.
  bool finish();

 private:
  [[nodiscard]] std::string path_of(const FlowRecord& flow);
  [[nodiscard]] std::string name_of_node(const Fabric& fabric, NodeId node);
  bool complain() const;

  std::string file_, partial_;
  std::ofstream out_;
  std::vector<std::uint32_t> numbers_;  // of nodes among their kind
};

}  // namespace railyard
