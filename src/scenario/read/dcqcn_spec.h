// What is written of DCQCN: for all NICs in [transport.dcqcn], or for those of one host in [qos.devices].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/schema.h"
#include "plan/choices.h"

namespace railyard {

/// Names, units and meanings as NVIDIA documents them; what is not given comes from the preset.
struct DcqcnSpec {
  bool enabled = true;
  std::optional<bool> notification_point, reaction_point;
  DcqcnPreset preset = DcqcnPreset::nvidia_default;
  std::optional<bool> clamp_tgt_rate, clamp_tgt_rate_after_time_inc;
  std::optional<Picoseconds> rpg_time_reset, dce_tcp_rtt, rate_reduce_monitor_period, min_time_between_cnps;
  std::optional<Bytes> rpg_byte_reset;
  std::optional<std::uint32_t> rpg_threshold, rpg_gd, rpg_min_dec_fac, dce_tcp_g, initial_alpha_value;
  std::optional<std::uint32_t> cnp_dscp, cnp_802p_prio;
  std::optional<CnpMode> cnp_mode;
  std::optional<RatePacing> pacing;
  std::optional<BitsPerSecond> rpg_max_rate, rpg_ai_rate, rpg_hai_rate, rpg_min_rate, rate_to_set_on_first_cnp;
};

/// The same for one host: what it does not give is as all NICs have it.
struct DcqcnTable {
  std::optional<DcqcnSpec> given;
  bool has_preset = false;
};

std::string type_name(std::type_identity<DcqcnTable>);
std::string written(const DcqcnTable& value);
void convert(std::string_view key, const Document& value, DcqcnTable& out, const Limits<DcqcnTable>&, Complaints& complaints);

}  // namespace railyard
