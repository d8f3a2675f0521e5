// The settings of a scenario's fabric as devices, one for each class: leaf, spine, core, host and job.
#pragma once

#include <optional>

#include "answer/port_names.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "qos/device.h"
#include "tools/settings/marks.h"
#include "tools/settings/ports.h"

namespace railyard {

/// Whose languages the devices speak.
struct SettingsDialects {
  Dialect switches = Dialect::sonic;
  std::optional<Dialect> nics;  // by the vendor of the NIC if not given
};

/// What the sheet is made from.
struct SettingsBase {
  Marks marks;
  std::vector<SwitchClass> switches;
  Cages cages;  // of a switch, where it is named
  std::uint32_t rails = 1;
};
Result<SettingsBase> settings_base(const Scenario& scenario, const Catalog& catalog);

/// Devices whose simulation gives what the scenario gives. REQUIRES: the scenario's packets are resolved. Over InfiniBand and
/// SRD it is a job alone. What a dialect cannot say is still there (config/write/limits.h).
[[nodiscard]] Estate recommended_estate(const Scenario& scenario, const SettingsBase& base, const SettingsDialects& dialects);
Result<Estate> recommended_estate(const Scenario& scenario, const Catalog& catalog, const SettingsDialects& dialects = {});

/// The tool that sets NICs of a vendor.
[[nodiscard]] Dialect dialect_of(NicVendor vendor);

/// What all ports of a switch set aside for headroom and reserve, and what one port may take before it pauses, alone.
[[nodiscard]] Bytes set_aside_by(const Scenario& scenario, const Marks& marks, const SwitchClass& switches);
[[nodiscard]] Bytes pause_threshold(const Scenario& scenario, const Marks& marks, const SwitchClass& switches);

}  // namespace railyard
