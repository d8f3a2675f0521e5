// What strands put on the fabric, for telemetry.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/flow/lanes.h"
#include "engine/flow/strands.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Adds up bytes by lane, and rates by tier over time. Everything it is given must outlive it.
class FlowLedger {
 public:
  FlowLedger(const Fabric& fabric, const Lanes& lanes, const Strands& strands, Telemetry& telemetry);

  /// A strand's way, as it was summed up, now or anew.
  void set_way(StrandId strand, const LaneSum& way);
  /// Keeps the rates of single strands over time, if they are few. The first call counts; before anything moves.
  void follow_singles();

  /// The strand ran at `rate` (in the solver's units).
  void add_rate(StrandId strand, Picoseconds begin, Picoseconds end, std::int64_t rate);
  /// The strand has put so much on the lanes of its way.
  void book(StrandId strand, Bytes wire);

  /// Hands everything to the telemetry.
  void finish();

 private:
  [[nodiscard]] std::vector<double> over_time(std::uint32_t lane) const;
  void find_busiest();

  const Fabric& fabric_;
  const Lanes& lanes_;
  const Strands& strands_;
  Telemetry& telemetry_;
  LargeArray<std::array<float, kTiers>> on_tier_;  // by strand: links crossed, counted with their parts
  LargeArray<std::int64_t> carried_;               // by lane
  Timeline singles_;                               // by strand, where they are few
};

}  // namespace railyard
