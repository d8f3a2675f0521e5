// Any bytes as a scenario file: the reader must answer with a scenario or with findings, and a scenario that it accepts must
// be refused cleanly or, if it is small, run. The bytes also serve as the file that an `extends` leads to.
#include <cstdint>
#include <string>

#include "catalog/catalog.h"
#include "scenario/load.h"
#include "sim/simulate.h"
#include "sim/supported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string text(reinterpret_cast<const char*>(data), size);
  int depth = 0;
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> {
    if (depth++ > 2) return std::string("name = \"x\"\n");
    return text;
  };
  const Result<Scenario> scenario = load_scenario("fuzz.toml", builtin_catalog(), {}, read);
  if (!scenario) {
    RY_CHECK(!scenario.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : scenario.error()) (void)to_text(d);
  } else if (scenario->plan.endpoints <= 4096) {
    (void)remarks_on(*scenario);
    const std::uint32_t ranks = scenario->collective ? scenario->collective->group.value_or(scenario->plan.endpoints) : 0;
    Progress progress;
    const bool few_passes = !scenario->model || *scenario->training.global_batch <= 4096;
    if (few_passes && ranks <= 16 && (!scenario->collective || scenario->collective->sizes.size() <= 4))
      (void)simulate(*scenario, {.threads = 1}, progress);
  }
  depth = 0;
  (void)load_expectations("fuzz.toml", read);
  return 0;
}
