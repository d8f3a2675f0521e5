// Every transfer of a run, kept for those who need all of them at its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/flow_record.h"

namespace railyard {

struct LoggedTransfer {
  Picoseconds start, finish;
  Bytes size;
  Bytes collective;  // of a sweep of sizes: the size it belongs to
  EndpointId from, to;
  std::uint64_t edges = 1;
  std::uint32_t stage = 0;
  std::uint16_t what = 0, group = 0;  // names of the log
};

class TransferLog {
 public:
  void add(const FlowRecord& flow);

  [[nodiscard]] const std::vector<LoggedTransfer>& transfers() const { return transfers_; }
  [[nodiscard]] const std::string& name(std::uint16_t id) const { return names_[id]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::uint16_t id_of(std::string_view name);

  std::vector<LoggedTransfer> transfers_;
  std::vector<std::string> names_;
  std::map<std::string, std::uint16_t, std::less<>> ids_;
};

}  // namespace railyard
