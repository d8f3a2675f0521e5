// What both forms of Chakra's traces, protobuf and JSON, are made into nodes by. Internal to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trace/numbered_nodes.h"
#include "trace/readers.h"

namespace railyard::chakra_trace {

/// One node of a file, as far as anybody plays it.
struct Item {
  std::uint64_t id = 0;
  std::uint64_t type = 0;
  std::vector<std::uint64_t> before = {};  // control and data dependencies
  std::uint64_t duration_us = 0;
  bool is_cpu_op = false;
  std::optional<std::int64_t> comm_type = {}, comm_size = {}, comm_src = {}, comm_dst = {}, comm_tag = {};
  std::string group = {};   // pg_name
  std::string inputs = {};  // of metadata: maybe process groups
};

enum : std::uint64_t { kMetadata = 1, kLoad = 2, kStore = 3, kCompute = 4, kSend = 5, kReceive = 6, kCollective = 7 };

/// Adds items of one rank after the other to a draft.
class Builder {
 public:
  /// Groups by name, from JSON; empty if there are none.
  Builder(const std::vector<std::string>& files, std::map<std::string, std::vector<std::uint32_t>> groups);

  void begin_rank(std::uint32_t rank);
  void add(const Item& item);
  /// Ranks of a group that the file itself names; the first to name it counts.
  void name_group(const std::string& name, std::vector<std::uint32_t> members);
  /// Of the rank: what items wait for is known now.
  void end_rank();
  void mistake(std::string_view code, std::string what, std::string hint);
  /// "node 17: …"
  void mistake_at(std::uint64_t id, std::string_view code, std::string_view what, std::string hint);
  [[nodiscard]] bool is_hopeless() const;

  Result<TraceDraft> take();

 private:
  void wait(std::uint64_t before, TraceNodeId after);
  void add_message(const Item& item, TraceNode& node);
  void add_collective(const Item& item, TraceNode& node);
  void add_groups(std::string_view text);
  void note(std::string what, std::string hint);
  std::uint32_t group_of(const std::string& name);

  TraceDraft draft_;
  Diagnostics found_;
  std::map<std::string, std::vector<std::uint32_t>> members_;
  std::map<std::string, std::uint32_t> groups_;               // index by name
  std::set<std::uint32_t> unnamed_;                           // groups whose ranks nobody names: who takes part is in them
  NumberedNodes by_id_;                                       // of this rank
  std::vector<std::pair<std::uint64_t, TraceNodeId>> waits_;  // of this rank: id that a node waits for, from the first on that
                                                              // is not known yet
  std::uint32_t rank_ = 0;
  std::size_t sized_ = 0, unsized_ = 0, launches_ = 0;  // collectives of this rank; launches are those on its processor
};

/// {"1": [0, 1, 2, 3]}: ranks of process groups by name.
Result<std::map<std::string, std::vector<std::uint32_t>>> read_groups(std::string_view json, const std::string& file);

/// {"workload_graph": [ … ]}, the JSON of one rank.
void read_json_items(const TraceInput& input, BufferedBytes& bytes, Builder& out);
/// Messages of protobuf, each with its length before it.
void read_messages(BufferedBytes& bytes, Builder& out);

}  // namespace railyard::chakra_trace
