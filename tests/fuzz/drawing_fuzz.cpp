// Any bytes as a drawn fabric: the reader must answer with a drawing or with findings, and a small drawing must become a fabric
// whose paths lead somewhere, or be refused.
#include <cstdint>
#include <string_view>

#include "fabric/build.h"
#include "fabric/routes.h"
#include "fabric/testing.h"
#include "scenario/read/drawing_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const Result<Drawing> drawing = read_drawing(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.txt");
  if (!drawing) {
    RY_CHECK(!drawing.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : drawing.error()) (void)to_text(d);
    return 0;
  }
  if (drawing->names.size() > 256 || drawing->links.size() > 1024) return 0;
  Scenario scenario;
  scenario.fabric.topology = Topology::file;
  scenario.fabric.drawing = *drawing;
  for (DrawnLink& link : scenario.fabric.drawing.links) link.count = std::min(link.count, 16U);
  const Result<Fabric> fabric = testing::build_fabric(scenario);
  if (!fabric) return 0;
  for (std::uint32_t to = 1; to < fabric->endpoints(); to++) {
    const TrunkPath path = path_of(*fabric, EndpointId(0), EndpointId(to));
    RY_CHECK(!path.empty(), "a path has hops");
  }
  return 0;
}
