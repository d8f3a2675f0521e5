#include "cli/pcap_export.h"

#include <limits>

#include "export/port_choice.h"
#include "fabric/build.h"

namespace railyard {

Diagnostics PcapExport::open(const Scenario& scenario, const Options& options) {
  const PcapRequest& asked = options.pcap;
  if (asked.file.empty()) return {};
  if (Diagnostics refused = not_captured(scenario); !refused.empty()) return refused;
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  const Result<std::vector<PortId>> ports = choose_ports(*fabric, asked.ports);
  if (!ports) return ports.error();
  const std::uint32_t most = asked.snap_length == 0 ? std::numeric_limits<std::uint16_t>::max() : asked.snap_length;
  OutputFile& file = options.outputs->file("--pcap");
  capture_.emplace(
      *fabric, scenario, *ports, most, [&file](std::string_view bytes) { file.write(bytes); }, asked.file.ends_with(".gz"));
  return {};
}

bool PcapExport::finish(const Options& options) {
  if (!capture_) return true;
  capture_->finish();
  return options.outputs->finish("--pcap");
}

}  // namespace railyard
