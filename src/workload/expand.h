// From the collapsed step to single ranks: what exactly one rank does, with whom. For slices that are looked at closely.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "workload/step.h"

namespace railyard {

enum class RankOpKind : std::uint8_t { compute, collective, send, receive };

struct RankOp {
  RankOpKind kind = RankOpKind::compute;
  std::string_view name;
  bool in_pass = false;
  Slot slot = {};         // the pass it belongs to
  Picoseconds time = {};  // of compute
  CollectiveKind collective = CollectiveKind::all_reduce;
  Op op = {};                             // of the collapsed step; not of a message
  Bytes size = {};                        // of a collective's buffer or of a message
  std::vector<std::uint32_t> peers = {};  // members of the group, this rank among them; or the one at the other end
};

/// Everything `rank` does in one step, in order. REQUIRES: rank < step.layout.ranks().
std::vector<RankOp> expand_rank(const Step& step, std::uint32_t rank);

/// The ranks of one data-parallel replica: a whole copy of the model.
std::vector<std::uint32_t> replica_ranks(const Layout& layout, std::uint32_t replica);

}  // namespace railyard
