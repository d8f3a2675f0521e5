#include "export/transfer_log.h"

#include <limits>

#include "base/check.h"

namespace railyard {

void TransferLog::add(const FlowRecord& flow) {
  transfers_.push_back({.start = flow.start,
                        .finish = flow.finish,
                        .size = flow.size,
                        .collective = flow.collective,
                        .from = flow.from,
                        .to = flow.to,
                        .edges = flow.edges,
                        .stage = flow.stage,
                        .what = id_of(flow.what),
                        .group = id_of(flow.group)});
}

std::uint16_t TransferLog::id_of(std::string_view name) {
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  RY_CHECK(names_.size() < std::numeric_limits<std::uint16_t>::max(), "transfers have few names");
  const auto id = static_cast<std::uint16_t>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(name, id);
  return id;
}

}  // namespace railyard
