// How many messages a second the analytic engine takes: batches of equal messages, one per host, on a star.
#include <benchmark/benchmark.h>

#include "engine/engine.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

void batches_of_equal_messages(benchmark::State& state) {
  const auto hosts = static_cast<std::uint32_t>(state.range(0));
  const Scenario scenario = testing::star(hosts, 400_Gbps, 500_ns);
  const Fabric fabric = *testing::build_fabric(scenario);
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = make_analytic_engine(fabric, {.mtu = 4096_B, .header = kRoceHeader, .message_header = 16_B},
                                           path_policy_of(scenario.routing), telemetry);
  std::vector<Message> batch;
  for (std::uint32_t i = 0; i < hosts; i++)
    batch.push_back({MessageId(i), engine->open({EndpointId(i), EndpointId((i + 1) % hosts)}), 1_MiB});
  std::vector<Completion> done;
  for (auto _ : state) {
    engine->post(batch, engine->now());
    done.clear();
    while (done.size() < hosts) engine->advance(Picoseconds::max(), done);
  }
  state.SetItemsProcessed(state.iterations() * hosts);
}
BENCHMARK(batches_of_equal_messages)->Arg(64)->Arg(1024)->Arg(16384);

}  // namespace
}  // namespace railyard
