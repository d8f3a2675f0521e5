// Any bytes as a file of flows: the reader must answer with flows that can be sent, or with findings that can be shown.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "scenario/read/traffic_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const auto flows = read_traffic(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.csv");
  if (!flows) {
    RY_CHECK(!flows.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : flows.error()) (void)to_text(d);
    return 0;
  }
  RY_CHECK(!flows->empty(), "a file that is read has flows");
  for (const TrafficLine& flow : *flows) {
    RY_CHECK(flow.source != flow.destination, "a flow has two ends");
    RY_CHECK(flow.size > Bytes::zero() && flow.start >= Picoseconds::zero(), "a flow has a size and a start");
  }
  (void)missing_hosts(*flows, 1024, "fuzz.csv");
  return 0;
}
