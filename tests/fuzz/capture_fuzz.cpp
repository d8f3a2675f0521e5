// Captures of any bytes: they are read or refused, and what was read can be reported and played.
#include <cstddef>
#include <cstdint>

#include "base/json.h"
#include "capture/capture_summary.h"
#include "tools/capture/capture_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const CaptureReading reading{"fuzz.pcap", summarise({data, size}, "fuzz.pcap")};
  static_cast<void>(capture_report(reading));
  static_cast<void>(write_json(capture_document(reading)));
  static_cast<void>(capture_traffic(reading.summary));
  return 0;
}
