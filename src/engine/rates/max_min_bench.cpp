// How long max-min rates take for random permutations, hashed, on a three-tier Clos with full bisection, from paths to rates.
#include <benchmark/benchmark.h>

#include <numeric>
#include <utility>

#include "base/rng.h"
#include "engine/rates/incremental.h"
#include "engine/rates/max_min.h"

namespace railyard {
namespace {

/// Leaves of 32 hosts, pods of 32 leaves and 32 spines, 32 cores to a spine; every link carries 400 Gb/s.
struct Clos {
  LargeArray<std::uint32_t> first{0}, link, active;
  LargeArray<std::int64_t> capacity;

  Clos(std::uint32_t least_hosts, std::uint32_t flows) {
    const std::uint32_t pods = (least_hosts + 1023) / 1024, hosts = pods * 1024;
    Rng rng(1, "permutation", 0);
    std::vector<std::uint32_t> to(hosts);
    for (std::uint32_t flow = 0; flow < flows; flow++) {
      const std::uint32_t from = flow % hosts;
      if (from == 0) {
        std::iota(to.begin(), to.end(), 0U);
        for (std::uint32_t i = hosts - 1; i > 0; i--) std::swap(to[i], to[rng.below(i + 1)]);
      }
      add_path(hosts, from, to[from] == from ? (from + 1) % hosts : to[from], rng);
    }
    capacity.assign(std::size_t{hosts} * 6, 400'000'000'000 * kRateUnitsPerBit);
    active.resize(flows);
    std::iota(active.begin(), active.end(), 0U);
  }

  /// Six kinds of links, as many of each as hosts: host up, host down, leaf up, leaf down, spine up, spine down.
  void add_path(std::uint32_t hosts, std::uint32_t from, std::uint32_t to, Rng& rng) {
    const std::uint32_t spine = rng.below(32), core = rng.below(32);
    link.push_back(from);
    if (from / 32 != to / 32) {
      link.push_back(2 * hosts + from / 32 * 32 + spine);
      if (from / 1024 != to / 1024) {
        link.push_back(4 * hosts + (from / 1024 * 32 + spine) * 32 + core);
        link.push_back(5 * hosts + (to / 1024 * 32 + spine) * 32 + core);
      }
      link.push_back(3 * hosts + to / 32 * 32 + spine);
    }
    link.push_back(hosts + to);
    first.push_back(static_cast<std::uint32_t>(link.size()));
  }

  [[nodiscard]] FlowPaths paths() const {
    FlowPaths paths;
    paths.first = first;
    paths.link = link;
    return paths;
  }
};

void solve_permutations(benchmark::State& state) {
  const Clos clos(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
  LargeArray<std::int64_t> rate(clos.active.size());
  MaxMin solver;
  for (auto _ : state) solver.solve(clos.capacity, clos.paths(), clos.active, rate);
  double sum = 0;
  for (const std::int64_t r : rate) sum += static_cast<double>(r);
  state.counters["mean_Gbps"] = sum / static_cast<double>(rate.size()) / kRateUnitsPerBit / 1e9;
}
BENCHMARK(solve_permutations)
    ->Args({24'576, 24'576})
    ->Args({200'000, 200'000})
    ->Args({200'000, 1'000'000})
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

/// The same with the arithmetic of weights and fractions.
void solve_weighted_permutations(benchmark::State& state) {
  const Clos clos(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
  const std::vector<std::uint32_t> weight(clos.active.size(), 1);
  FlowPaths paths = clos.paths();
  paths.weight = weight;
  LargeArray<std::int64_t> rate(clos.active.size());
  MaxMin solver;
  for (auto _ : state) solver.solve(clos.capacity, paths, clos.active, rate);
}
BENCHMARK(solve_weighted_permutations)
    ->Args({24'576, 24'576})
    ->Args({200'000, 200'000})
    ->Args({200'000, 1'000'000})
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

/// One flow goes, rates freeze, it comes back, rates freeze: the time is that of both.
void remove_and_add_a_flow(benchmark::State& state) {
  const Clos clos(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
  LargeArray<std::int64_t> rate(clos.active.size());
  MaxMin().solve(clos.capacity, clos.paths(), clos.active, rate);
  IncrementalMaxMin rates(clos.capacity, clos.paths());
  rates.restart(clos.capacity, clos.paths(), clos.active, rate);
  Rng rng(1, "churn", 0);
  for (auto _ : state) {
    const std::uint32_t flow = rng.below(static_cast<std::uint32_t>(clos.active.size()));
    rates.remove(flow);
    rates.solve();
    rates.add(flow);
    rates.solve();
  }
  state.counters["lanes_per_change"] = static_cast<double>(rates.links_visited()) / static_cast<double>(2 * state.iterations());
}
BENCHMARK(remove_and_add_a_flow)
    ->Args({24'576, 24'576})
    ->Args({200'000, 200'000})
    ->Args({200'000, 1'000'000})
    ->Unit(benchmark::kMicrosecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace railyard
