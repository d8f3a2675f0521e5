// What flows put on the fabric, for telemetry.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/flow/flow_links.h"
#include "engine/flow/flow_table.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Adds up bytes by link, and rates by tier over time. Everything it is given must outlive it.
class FlowLedger {
 public:
  FlowLedger(const Fabric& fabric, const FlowLinks& links, const FlowTable& flows, Telemetry& telemetry);

  /// A flow's path, as it was summed up, now or anew.
  void set_path(FlowId flow, const LinkFractions& path);
  /// Keeps the rates of single flows over time, if they are few: for the busiest links those of the first call, before anything
  /// moves; for the telemetry's series those that were added since, too.
  void follow_singles();
  /// Flows leave their paths, which are still those of the table. What single ones have sent before is not told any more by
  /// where they are.
  void leave_paths();

  /// The flow ran at `rate` (in the solver's units).
  void add_rate(FlowId flow, Picoseconds begin, Picoseconds end, std::int64_t rate);
  /// The flow has put so much on the links of its path.
  void book(FlowId flow, Bytes wire);

  /// Hands everything to the telemetry.
  void finish();

 private:
  using OnTier = std::array<float, kTiers>;  // links crossed, counted with their parts
  /// Rates of many flows over one span that the telemetry has not heard of: by kind, and kinds that have some.
  struct Pending {
    Picoseconds begin, end;
    std::vector<double> bits;
    std::vector<std::uint32_t> kinds;
  };

  [[nodiscard]] std::uint32_t kind_of(const OnTier& on_tier);
  void add_pending(std::uint32_t kind, Picoseconds begin, Picoseconds end, double bits);
  void add_rate_of_kind(std::uint32_t kind, Picoseconds begin, Picoseconds end, double bits);
  void flush();
  [[nodiscard]] std::vector<double> over_time(std::uint32_t link) const;
  void find_busiest();
  void keep_spell();
  void add_links(FlowSpell& spell) const;

  const Fabric& fabric_;
  const FlowLinks& links_;
  const FlowTable& flows_;
  Telemetry& telemetry_;
  std::vector<OnTier> kinds_;
  LargeArray<std::uint32_t> kind_;  // by flow
  Pending pending_;
  LargeArray<std::int64_t> carried_;                     // by link
  Timeline singles_;                                     // by flow, where they are few
  bool has_moved_ = false;                               // flows left their paths after they had sent something
  Picoseconds last_end_;                                 // of what was sent
  std::size_t followed_first_ = 0;                       // flows there were when they were first followed
  std::size_t followed_flows_ = 0, followed_links_ = 0;  // of all spells that the telemetry has
};

}  // namespace railyard
