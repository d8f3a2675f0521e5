#include "config/write/write.h"

#include <fmt/format.h>

#include "config/write/commands.h"
#include "config/write/limits.h"
#include "config/write/unused.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

/// Who writes a dialect, and into what kind of file.
struct DialectWriter {
  Dialect dialect;
  std::string_view ending;
  std::string (*write)(const Device&);
};
constexpr DialectWriter kDialectWriters[] = {
    {Dialect::sonic, ".json", write_sonic}, {Dialect::nvue, ".nvue", write_nvue},
    {Dialect::eos, ".cfg", write_eos},      {Dialect::nxos, ".cfg", write_nxos},
    {Dialect::junos, ".conf", write_junos}, {Dialect::mlnx, ".sh", write_mlnx},
    {Dialect::nicctl, ".sh", write_nicctl}, {Dialect::environment, ".env", write_environment},
};

}  // namespace

Result<ConfigFile> write_config(const Device& device) {
  for (const DialectWriter& writer : kDialectWriters) {
    if (writer.dialect != device.dialect) continue;
    Diagnostics wrong = unsayable(device);
    if (!wrong.empty()) return wrong;
    return ConfigFile{device.name + std::string(writer.ending), writer.write(without_unused(device))};
  }
  return Diagnostic{Severity::error, "RY-CFG-012",
                    fmt::format("{}: files in '{}' are read, not written", device.name, name_of(device.dialect)),
                    "write sonic, nvue, eos, nxos, junos, mlnx, nicctl or environment", SourceSpan{device.name, 0, 0}};
}

std::vector<std::string> commands_for(const Device& device, const Repair& repair) {
  switch (device.dialect) {
    case Dialect::sonic:
      return sonic_commands(device, repair);
    case Dialect::nvue:
      return nvue_commands(device, repair);
    case Dialect::eos:
      return eos_commands(device, repair);
    case Dialect::nxos:
      return nxos_commands(device, repair);
    case Dialect::junos:
      return junos_commands(device, repair);
    case Dialect::os10:
      return os10_commands(device, repair);
    case Dialect::mlnx:
      return mlnx_commands(device, repair);
    case Dialect::niccli:
      return niccli_commands(device, repair);
    case Dialect::nicctl:
      return nicctl_commands(device, repair);
    case Dialect::dcb:
      return dcb_commands(device, repair);
    case Dialect::environment:
      return environment_commands(device, repair);
    case Dialect::aoscx:
      return aoscx_commands(device, repair);
  }
  return {};
}

}  // namespace railyard
