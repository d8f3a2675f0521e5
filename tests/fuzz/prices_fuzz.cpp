// Any bytes as a file of prices: lines that a scenario takes or refuses, or findings that can be shown.
#include <cstdint>
#include <string>

#include "answer/price_list.h"
#include "base/check.h"
#include "catalog/catalog.h"
#include "scenario/load.h"

namespace {

constexpr const char* kJob = R"(name = "x"
[traffic]
pattern = "ring"
size = "1 kB"
[cluster]
gpus = 8
[fabric]
link_rate = "100 Gb/s"
)";

void show_faults(const railyard::Diagnostics& findings) {
  RY_CHECK(!findings.empty(), "a refusal has a reason");
  for (const railyard::Diagnostic& one : findings) (void)to_text(one);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<std::vector<std::string>> lines = price_overrides(text, "fuzz.toml");
  if (!lines) return show_faults(lines.error()), 0;
  const auto read = [](const std::filesystem::path&) -> Result<std::string> { return std::string(kJob); };
  const Result<Scenario> scenario = load_scenario("job.toml", builtin_catalog(), *lines, read);
  if (!scenario) show_faults(scenario.error());
  return 0;
}
