// Settings of DCQCN as AMD's nicctl prints and takes them, beside the names that NVIDIA gives them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace railyard {

struct NicctlDcqcn {
  std::string_view label;   // of `nicctl show dcqcn`; empty: not known
  std::string_view option;  // of `nicctl update dcqcn`
  std::string_view name;    // as NicConfig::dcqcn has it
  std::uint64_t least, most;
  bool is_switch = false;  // enable or disable
};

/// The token bucket is not among them: its unit is not published.
inline constexpr std::array<NicctlDcqcn, 11> kNicctlDcqcn = {{
    {"Rate increase in AI phase", "--ai-rate", "rpg_ai_rate", 0, 1'000'000},
    {"Rate increase in HAI phase", "--hai-rate", "rpg_hai_rate", 0, 1'000'000},
    {"Rate increase byte count", "--rate-increase-byte-count", "rpg_byte_reset", 0, 4'294'967'295},
    {"Rate increase interval", "--rate-increase-interval", "rpg_time_reset", 1, 131'071},
    {"Rate increase threshold", "--rate-increase-threshold", "rpg_threshold", 0, 31},
    {"Rate reduce monitor period", "--rate-reduce-monitor-period", "rate_reduce_monitor_period", 1, 131'071},
    {"Alpha update interval", "--alpha-update-interval", "dce_tcp_rtt", 1, 131'071},
    {"Alpha update G value", "--alpha-update-g", "dce_tcp_g", 0, 1'023},
    {"Initial alpha value", "--initial-alpha-value", "initial_alpha_value", 1, 1'023},
    {"", "--min-rate", "rpg_min_rate", 0, 1'000'000},
    {"", "--clamp-target-rate", "clamp_tgt_rate", 0, 1, true},
}};

}  // namespace railyard
