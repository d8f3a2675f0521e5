// Looking at estates of many ports: time should grow with them.
#include <benchmark/benchmark.h>

#include "tools/lint/clean_estate.h"
#include "tools/lint/lint.h"

namespace railyard {
namespace {

/// Leaves of 64 ports, cabled to each other, each without a watchdog.
Estate estate_of(int leaves) {
  Estate estate = clean_estate();
  for (int leaf = 10; leaf < 10 + leaves; leaf++) {
    Device more = clean_switch(Role::leaf, leaf);
    for (int i = 20; i < 78; i++)
      more.ports.push_back(clean_port(fmt::format("Ethernet{}", i), fmt::format("leaf{}", 10 + (leaf + i) % leaves),
                                      fmt::format("Ethernet{}", i)));
    more.policies[0].watchdog.enabled = false;
    estate.devices.push_back(more);
  }
  return estate;
}

void lint_ports(benchmark::State& state) {
  const Estate estate = estate_of(static_cast<int>(state.range(0)));
  std::size_t ports = 0;
  for (auto _ : state) {
    const LintResult result = lint(estate);
    ports = result.ports;
    benchmark::DoNotOptimize(result.findings.data());
  }
  state.counters["ports"] = static_cast<double>(ports);
}
BENCHMARK(lint_ports)->Arg(16)->Arg(160)->Arg(1600)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace railyard
