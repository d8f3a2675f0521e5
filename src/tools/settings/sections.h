// The parts of the sheet, for sheet.cpp alone.
#pragma once

#include "tools/settings/settings.h"

namespace railyard {

/// Where a figure of the scenario comes from, by its key.
[[nodiscard]] Origin origin_of(const Scenario& scenario, const std::string& key, Origin otherwise);

SettingSection marks_section(const Scenario& scenario, const SettingsBase& base);
SettingSection pause_section(const Scenario& scenario, const SettingsBase& base);
SettingSection ecn_section(const Scenario& scenario, const SettingsBase& base);
SettingSection control_section(const Scenario& scenario);
SettingSection hash_section(const Scenario& scenario, const SettingsBase& base);
SettingSection nic_section(const Scenario& scenario, const SettingsBase& base, const Device& host);
SettingSection job_section(const Scenario& scenario, const SettingsBase& base, const Device& job);

/// From one host to another and back without anybody in the way: two ways of links, switches and hosts.
[[nodiscard]] Picoseconds idle_round_trip(const Scenario& scenario, const SettingsBase& base);

}  // namespace railyard
