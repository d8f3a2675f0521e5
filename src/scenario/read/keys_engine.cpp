// [engine]: how a scenario is simulated.
#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"

namespace railyard {

Section engine_section() {
  using namespace conditions;
  const KeyEffect flows{kFlows};
  return section(
      "engine", "how it is simulated", flows, [](ScenarioSpec& s) -> EngineSpec& { return s.engine; },
      {only({}, key("fidelity", &EngineSpec::fidelity, "closed forms, fluid flows or single packets")),
       only({}, key("seed", &EngineSpec::seed, "names every random stream")),
       key("mode", &EngineSpec::mode,
           "of flow: every completion is an event, or completions are merged; auto is exact for small runs"),
       only(flows.when(kQuantised),
            key("quantum", &EngineSpec::quantum, "of flow: completions within it are merged in quantised mode",
                {.min = 1_ps, .max = Picoseconds(kPicosecondsPerSecond)})),
       key("cache", &EngineSpec::cache, "of flow: solve equal sets of flows once"),
       key("efficiency", &EngineSpec::efficiency,
           "of flow: share of a port's rate that congestion control lets flows use; if not given 1, or the catalog's if "
           "calibrated",
           {.min = 0.001, .max = 1.0}),
       only(flows.when(kCalibrates),
            key("calibrated", &EngineSpec::calibrated,
                "of flow: take efficiency from the catalog, whatever the transport (railyard catalog transports)")),
       only(KeyEffect{kPacketStep, {kWholeStep}},
            key("limit", &EngineSpec::limit,
                "of packet: the most packet-hops of a whole training step, packets times links they cross, that are simulated",
                {.min = 1U, .max = 1'000'000'000'000'000U})),
       only(KeyEffect{kPackets}, key("device", &EngineSpec::device,
                                     "of packet: who plays the packets; the outcome is the same. auto is a GPU where that is "
                                     "quicker, emulated a GPU that the processor plays, for tests"))});
}

}  // namespace railyard
