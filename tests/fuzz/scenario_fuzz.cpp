// Any bytes as a scenario file: the reader must answer with a scenario or with findings, and a scenario that it accepts must
// be refused cleanly or, if it is small, run in every engine; analyse() holds what comes out against physics. The bytes
// also serve as the file that an `extends` leads to.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "analysis/results.h"
#include "catalog/catalog.h"
#include "scenario/load.h"
#include "sim/simulate.h"
#include "sim/supported.h"

namespace railyard {
namespace {

constexpr Bytes kSmall = 64_KiB;

bool is_small(const TrafficSpec& traffic) {
  return traffic.size.value_or(kSmall) <= kSmall && traffic.burst.value_or(kSmall) <= kSmall && traffic.rounds <= 4 &&
         traffic.bursts <= 4 && traffic.flows_per_host <= 4 && traffic.background == 0 && !traffic.storage;
}

bool is_small(const CollectiveSpec& collective, Fidelity fidelity) {
  const bool packets = fidelity == Fidelity::packet;
  const auto fits = [&](Bytes size) { return !packets || size <= kSmall; };
  return collective.sizes.size() <= 4 && std::all_of(collective.sizes.begin(), collective.sizes.end(), fits);
}

/// Whether it is over in a moment: thousands of files are tried in a minute.
bool is_small(const Scenario& s) {
  if (s.fabric.endpoints > 64) return false;
  if (s.workload.model)
    return *s.workload.training.global_batch <= 128 && s.engine.fidelity != Fidelity::packet && !s.workload.slice;
  const bool packets = s.engine.fidelity == Fidelity::packet;
  if (packets && (s.fabric.endpoints > 16 || s.fabric.link_rate < 1_Gbps || s.packet.pfc.watchdog)) return false;
  if (s.workload.traffic) return is_small(*s.workload.traffic);
  return !s.workload.collective || is_small(*s.workload.collective, s.engine.fidelity);
}

/// Whether it is soon known what would be refused: all pairs of hosts take a while, and so do flows.
bool is_soon_checked(const Scenario& s) {
  if (s.workload.model && !s.workload.slice && s.failures.empty()) return s.fabric.endpoints <= 4096;
  return s.workload.collective ? s.fabric.endpoints <= 512 : is_small(s);
}

/// analyse() stops the program if a result cannot be.
void run_small(const Scenario& scenario) {
  if (!is_small(scenario)) return;
  Progress progress;
  const Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  if (run) return (void)analyse(scenario, *run);
  RY_CHECK(!run.error().empty(), "a refusal has a reason");
  for (const Diagnostic& d : run.error()) (void)to_text(d);
}

}  // namespace
}  // namespace railyard

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string text(reinterpret_cast<const char*>(data), size);
  int depth = 0;
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> {
    if (depth++ > 2) return std::string("name = \"x\"\n");
    return text;
  };
  const auto load = [&](std::span<const std::string> overrides) {
    depth = 0;
    return load_scenario("fuzz.toml", builtin_catalog(), overrides, read, {.traces = false});
  };
  const Result<Scenario> scenario = load({});
  if (!scenario) {
    RY_CHECK(!scenario.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : scenario.error()) (void)to_text(d);
  } else {
    if (is_soon_checked(*scenario)) (void)remarks_on(*scenario);
    for (const char* fidelity : {"analytic", "flow", "packet"}) {
      const std::string overrides[] = {std::string("engine.fidelity=") + fidelity};
      if (const Result<Scenario> other = load(overrides)) run_small(*other);
    }
  }
  depth = 0;
  (void)load_expectations("fuzz.toml", read);
  return 0;
}
