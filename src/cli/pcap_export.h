// --pcap: frames of a packet run as they leave ports, in a pcapng file.
#pragma once

#include <optional>

#include "cli/options.h"
#include "export/wire_capture.h"
#include "plan/scenario.h"

namespace railyard {

class PcapExport {
 public:
  /// Does nothing where --pcap was not given. Errors where a run of `scenario` has no such frames, or no such ports.
  Diagnostics open(const Scenario& scenario, const Options& options);

  /// For the run; null where nobody captures.
  [[nodiscard]] PacketTap* tap() { return capture_ ? &*capture_ : nullptr; }

  /// False (and a sentence on stderr) if the file could not be written.
  [[nodiscard]] bool finish(const Options& options);

 private:
  std::optional<WireCapture> capture_;
};

}  // namespace railyard
