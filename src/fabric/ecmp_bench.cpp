// What one path costs: header and six hops between pods of a three-tier fabric, whole and with a spine down.
#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "fabric/build.h"
#include "fabric/ecmp.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

Fabric three_tiers() {
  Scenario s = testing::servers(Topology::clos3, 8192, 8, 32, 3600_Gbps);
  s.fabric.hosts_per_pod = 1024;
  s.fabric.spines = 32;
  return *testing::build_fabric(s);
}

void paths(benchmark::State& state) {
  const Fabric fabric = three_tiers();
  HashSettings settings;
  settings.function = static_cast<HashFunction>(state.range(0));
  const QueuePairNumbers numbers(fabric, settings);
  LivePorts live(fabric);
  const NodeId spine = fabric.blocks[fabric.blocks[BlockId(0)].parent].first;
  for (const PortId port : ids(fabric.port_from))
    if (state.range(1) != 0 && fabric.port_from[port] == spine) {
      live.set(port, false);
      live.set(reverse_of(fabric, port), false);
    }
  std::vector<std::pair<EndpointId, EndpointId>> pairs;
  for (Rng rng(1, "pairs", 0); pairs.size() < 100'000;) {
    const EndpointId from(rng.below(fabric.endpoints())), to(rng.below(fabric.endpoints()));
    if (fabric.pod_of(from) != fabric.pod_of(to)) pairs.emplace_back(from, to);
  }
  std::vector<PortId> path;
  std::uint32_t i = 0;
  for (auto _ : state) {
    const auto& [from, to] = pairs[i++ % pairs.size()];
    path.clear();
    find_hashed_path(fabric, live, from, to, header_of(fabric, from, to, i % 64, i % 57, numbers), settings, path);
    benchmark::DoNotOptimize(path.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(paths)->ArgNames({"hash", "spine_down"})->ArgsProduct({{0, 1, 2, 3}, {0, 1}});

}  // namespace
}  // namespace railyard
