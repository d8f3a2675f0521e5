// From what is written or read of DCQCN to the plan of a NIC.
#pragma once

#include "plan/packet_plan.h"
#include "qos/device.h"
#include "scenario/read/dcqcn_spec.h"

namespace railyard {

/// Calls take(member of the plan, what is given, name) for every setting.
template<class Take>
void each_dcqcn_setting(const DcqcnSpec& spec, DcqcnPlan& plan, const Take& take) {
  take(plan.notifies, spec.notification_point, "notification_point");
  take(plan.reacts, spec.reaction_point, "reaction_point");
  take(plan.clamp_tgt_rate, spec.clamp_tgt_rate, "clamp_tgt_rate");
  take(plan.clamp_tgt_rate_after_time_inc, spec.clamp_tgt_rate_after_time_inc, "clamp_tgt_rate_after_time_inc");
  take(plan.rpg_time_reset, spec.rpg_time_reset, "rpg_time_reset");
  take(plan.rpg_byte_reset, spec.rpg_byte_reset, "rpg_byte_reset");
  take(plan.rpg_threshold, spec.rpg_threshold, "rpg_threshold");
  take(plan.rpg_max_rate, spec.rpg_max_rate, "rpg_max_rate");
  take(plan.rpg_min_rate, spec.rpg_min_rate, "rpg_min_rate");
  take(plan.rpg_ai_rate, spec.rpg_ai_rate, "rpg_ai_rate");
  take(plan.rpg_hai_rate, spec.rpg_hai_rate, "rpg_hai_rate");
  take(plan.rpg_gd, spec.rpg_gd, "rpg_gd");
  take(plan.rpg_min_dec_fac, spec.rpg_min_dec_fac, "rpg_min_dec_fac");
  take(plan.rate_to_set_on_first_cnp, spec.rate_to_set_on_first_cnp, "rate_to_set_on_first_cnp");
  take(plan.dce_tcp_g, spec.dce_tcp_g, "dce_tcp_g");
  take(plan.dce_tcp_rtt, spec.dce_tcp_rtt, "dce_tcp_rtt");
  take(plan.rate_reduce_monitor_period, spec.rate_reduce_monitor_period, "rate_reduce_monitor_period");
  take(plan.initial_alpha_value, spec.initial_alpha_value, "initial_alpha_value");
  take(plan.min_time_between_cnps, spec.min_time_between_cnps, "min_time_between_cnps");
  CnpMode mode = plan.cnp_on_ack ? CnpMode::ack_flag : CnpMode::packet;
  take(mode, spec.cnp_mode, "cnp_mode");
  plan.cnp_on_ack = mode == CnpMode::ack_flag;
  take(plan.pacing, spec.pacing, "pacing");
}

/// The plan of a host that has settings of its own; `rate` is that of its links.
[[nodiscard]] DcqcnPlan with_settings(const DcqcnPlan& usual, const DcqcnTable& table, BitsPerSecond rate);

/// The plan of a NIC as its tools print it. `priority`: of what it sends as data.
[[nodiscard]] DcqcnPlan with_settings(const DcqcnPlan& usual, const NicConfig& nic, std::uint8_t priority);

}  // namespace railyard
