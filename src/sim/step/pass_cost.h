// How long one pass of one micro-batch takes, and what of it is communication.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "sim/step/collective_time.h"
#include "workload/step.h"

namespace railyard {

using GroupTimes = std::array<Picoseconds, kGroupKinds>;  // by kind of group

/// One collective or a piece of one. Without a connection it takes `fixed`. With one, `size` goes over the busiest edge of a
/// bundle, in no less than `floor` (so long are scale-up links busy with it), and `latency` comes on top.
struct CommItem {
  GroupKind kind = GroupKind::tensor;
  std::string_view name = {}, primitive = {};  // "dispatch", "all_to_all"
  Picoseconds fixed = {};
  QpId connection = {};
  Bytes size = {};
  Picoseconds floor = {}, latency = {};
  Picoseconds ideal = {};     // what it would take on an idle network without bottlenecks
  std::uint32_t steps = 1;    // of its schedule: how often an edge of its bundle sends, each time what the last one brought
  std::uint32_t watched = 0;  // by a Jitter, which may delay single calls: its number there; 0: by nobody
  Picoseconds delay = {};     // before it begins, of this call

  [[nodiscard]] bool on_network() const { return connection.valid(); }
  /// Whether its calls have to be told from each other; others are summed up.
  [[nodiscard]] bool is_played() const { return on_network() || watched > 0; }
};
/// What a collective of some stage is.
using ItemOf = std::function<CommItem(const Op&)>;

/// Time of one pass, what of it is compute, what collectives add, what compute loses to those that run beside it, and what is
/// spent waiting for the host.
struct PassCost {
  Picoseconds time, compute, contention;
  Picoseconds host;    // what the GPU waits for the host that launches its kernels …
  Picoseconds launch;  // … and how long that takes
  GroupTimes exposed = {}, hidden = {};

  void add(const PassCost& other, std::int64_t times = 1);
  /// `took` of collectives ran beside `time` of compute that is part of the cost already: what it did not cover is exposed, in
  /// the order of the kinds. A collective takes compute units and memory bandwidth from what runs beside it: `contention` of
  /// the time they overlap is lost. Compute loses nothing to collectives that wait, `waited` of what it covers.
  void overlap(GroupTimes took, Picoseconds time, double contention, const GroupTimes& waited = {});
  /// The same for what ran beside everything since `room` ago; no compute is lost.
  void overlap_block(const GroupTimes& took, Picoseconds room);
};

/// Compute with collectives beside it, one after the other, of which some are played.
struct NetStep {
  PassCost before;  // what comes first and is summed up
  Picoseconds compute;
  std::vector<CommItem> chain;
};

/// One block, or several that are summed up.
struct BlockProgram {
  std::uint32_t repeats = 1;
  std::vector<NetStep> steps;
  PassCost after;                    // the last step
  std::vector<CommItem> background;  // beside the whole block
};

/// One pass in the order of its blocks; one of which nothing is played is a single block without steps.
struct PassProgram {
  std::vector<BlockProgram> blocks;

  [[nodiscard]] bool is_played() const;
};

/// What collectives are, and what they would be in closed form, which tells whether a block waits for its host.
struct CollectiveItems {
  ItemOf played, idle;
};
/// `slowdown` lengthens compute (stragglers); `contention` as in PassCost::overlap.
PassProgram pass_program(const VirtualStageWork& virtual_stage, PassKind kind, const CollectiveItems& items, double slowdown,
                         double contention);

/// Compute units that drive the communication of interleaved passes: set apart for as long as the passes run (dual pipes), or
/// taken from compute while a collective runs.
enum class LentUnits : std::uint8_t { throughout, while_sending };

/// A forward and a backward pass interleaved: one computes while the other communicates, on fewer compute units.
struct Interleaved {
  Picoseconds compute;               // of both together
  PassCost both;                     // sums; its time has no meaning
  std::vector<CommItem> chain;       // what is played of either
  std::vector<CommItem> background;  // the same, beside whole blocks
  double contention = 0;             // as in PassCost::overlap
  double stretch = 0;                // the same for collectives, of the time with compute beside them
  double launch = 1;                 // of both by their host, over that of each alone
};
Interleaved interleave(const PassProgram& a, const PassProgram& b, const ClusterLinks& links, LentUnits lent);
/// Its cost once the chain is known to have taken so long, `waited` of which it did not communicate.
PassCost interleaved_cost(const Interleaved& pair, const GroupTimes& took, const GroupTimes& waited = {});

/// REQUIRES: a program of which nothing is played.
PassCost cost_of(const PassProgram& program);
/// Of a pass whose collectives take their closed forms.
PassCost idle_cost(const VirtualStageWork& virtual_stage, PassKind kind, const ClusterLinks& links);

Picoseconds slowed_by(Picoseconds time, double factor);
Picoseconds sum_of(const GroupTimes& times);

}  // namespace railyard
