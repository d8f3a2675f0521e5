// Settings of DCQCN as NVIDIA's tools call them: mlxconfig in capitals, sysfs in small letters, debugfs by shorter names.
#include <array>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

struct DcqcnSetting {
  std::string_view name;
  std::string_view debugfs;  // below cc_params
  std::uint64_t least, most;
  std::int64_t unit = 1;  // of what NicConfig::dcqcn counts in
};

constexpr std::int64_t kBytesOfByteReset = 1000;  // docs/models.md, DCQCN

/// Ranges are those of DOCA's page and of the layouts of mstflint; what is outside of them is not looked at.
constexpr std::array<DcqcnSetting, 16> kDcqcnSettings = {{
    {"clamp_tgt_rate", "rp_clamp_tgt_rate", 0, 1},
    {"clamp_tgt_rate_after_time_inc", "rp_clamp_tgt_rate_ati", 0, 1},
    {"rpg_time_reset", "rp_time_reset", 1, 131'071},
    {"rpg_byte_reset", "rp_byte_reset", 0, 32'767, kBytesOfByteReset},
    {"rpg_threshold", "rp_threshold", 0, 31},
    {"rpg_max_rate", "rp_max_rate", 0, 10'000'000},
    {"rpg_ai_rate", "rp_ai_rate", 0, 1'000'000},
    {"rpg_hai_rate", "rp_hai_rate", 0, 1'000'000},
    {"rpg_gd", "rp_gd", 10, 11},
    {"rpg_min_dec_fac", "rp_min_dec_fac", 0, 100},
    {"rpg_min_rate", "rp_min_rate", 0, 1'000'000},
    {"rate_to_set_on_first_cnp", "rp_rate_to_set_on_first_cnp", 0, 1'000'000},
    {"dce_tcp_g", "rp_dce_tcp_g", 0, 1'023},
    {"dce_tcp_rtt", "rp_dce_tcp_rtt", 1, 131'071},
    {"rate_reduce_monitor_period", "rp_rate_reduce_monitor_period", 1, 131'071},
    {"initial_alpha_value", "rp_initial_alpha_value", 1, 1'023},
}};
constexpr DcqcnSetting kTimeBetweenCnps{"min_time_between_cnps", "np_min_time_between_cnps", 0, 131'071};

const DcqcnSetting* find_setting(std::string_view name) {
  if (name == kTimeBetweenCnps.name || name == kTimeBetweenCnps.debugfs) return &kTimeBetweenCnps;
  for (const DcqcnSetting& one : kDcqcnSettings)
    if (name == one.name || name == one.debugfs) return &one;
  return nullptr;
}

}  // namespace

bool set_dcqcn(HostScope& scope, std::size_t nic, std::string_view name, std::string_view value, std::uint32_t line) {
  const DcqcnSetting* const setting = find_setting(lower_case(name));
  if (setting == nullptr) return false;
  const auto number = whole_number(value, setting->most);
  if (!number || *number < setting->least) return false;
  scope.config(nic).dcqcn[std::string(setting->name)] = static_cast<std::int64_t>(*number) * setting->unit;
  scope.say(nic, setting->name, line);
  return true;
}

}  // namespace railyard::host_text
