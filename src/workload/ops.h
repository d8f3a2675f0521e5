// What a GPU does, in order: compute and communicate. A list of ops is a program without addresses: the same for every rank of
// its kind.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "plan/choices.h"
#include "workload/layout.h"

namespace railyard {

enum class OpKind : std::uint8_t { product, attention, memory, collective };

/// What may run while a collective does.
enum class Beside : std::uint8_t {
  nothing,  // everything after it waits
  next,     // the next product runs at the same time
  weights,  // the same, a gradient of weights: nothing, if a schedule does those later
  pieces,   // the same, cut in as many pieces as the group has members: the first piece is exposed
  block,    // all of the block's compute runs at the same time
  shared,   // the ops of shared experts that follow run at the same time
};

struct Op {
  OpKind kind = OpKind::memory;
  std::string_view name;  // "up", "norm", "dispatch"
  bool cheap = false;     // selective recomputation does it again
  bool weight = false;    // computes gradients of weights: a zero-bubble schedule may do it later
  bool shared = false;    // of shared experts: runs beside an exchange that waits for such
  double flops = 0;       // arithmetic the hardware does
  Picoseconds time = {};  // of compute, when alone
  Group group = {};       // of a collective
  CollectiveKind collective = CollectiveKind::all_reduce;
  Bytes size = {};            // of a collective's buffer, as nccl-tests counts: before a reduce-scatter, after an all-gather
  Bytes remote = {};          // of an all-to-all: bytes of `size` that leave the scale-up domain
  bool from_experts = false;  // of an all-to-all: back to where tokens came from
  Beside beside = Beside::nothing;
  bool by_switches = false;  // those of the network add up and spread it, where it leaves a scale-up domain
};

/// Ops that are done `repeats` times over, once per block of the model.
struct Segment {
  std::string_view name;
  std::uint32_t repeats = 1;
  std::vector<Op> ops;
  Picoseconds launch = {};  // of one block by the host, which the GPU may have to wait for
};

}  // namespace railyard
