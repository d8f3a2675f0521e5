#include "analysis/port_collectives.h"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/tier_loads.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

/// Two stages of one tensor-parallel server and two replicas: gradients and activations cross the network.
Run run_of_step() {
  const Scenario scenario = testing::scenario_of(R"(name = "step"
[model]
preset = "llama3-8b"
layers = 4
sequence = 2048
[training]
global_batch = 8
[parallel]
tensor = 8
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 32
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
spines = 4
[engine]
fidelity = "flow"
)");
  Progress progress;
  Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run);
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(PortCollectives, parts_add_up_to_what_the_link_carried) {
  const railyard::Run run = run_of_step();
  const CollectivesByPort found = collectives_by_port(run, {.ports = 8, .bins = 10});
  const Table<PortId, double> carried = carried_by_ports(run.fabric, *run.network);
  const Table<PortId, std::string> names = port_names(run.fabric);
  ASSERT_EQ(found.ports.size(), 8U);
  EXPECT_NEAR(found.bin_s * 10, seconds(run.training->time), 1e-9);
  for (const PortCollectives& port : found.ports) {
    double sum = 0;
    for (const CollectiveOnPort& one : port.collectives) {
      sum += one.bytes;
      EXPECT_NEAR(sum_of(one.bins), one.bytes, 1e-6 * one.bytes) << one.what;
      EXPECT_LE(one.first_s, one.last_s);
      EXPECT_LE(one.last_s, seconds(run.training->time));
    }
    EXPECT_NEAR(sum, port.bytes, 1e-6 * port.bytes);
    double seen = 0;
    for (const PortId id : ids(names))
      if (names[id] == port.name) seen = carried[id];
    EXPECT_NEAR(seen, port.bytes, 1e-6 * port.bytes) << port.name << ": what the engine counted there";
  }
}

TEST(PortCollectives, those_that_carry_most_come_first_and_the_rest_is_counted) {
  const railyard::Run run = run_of_step();
  const CollectivesByPort all = collectives_by_port(run, {.ports = 1'000'000, .bins = 4}),
                          first = collectives_by_port(run, {.ports = 3, .bins = 4});
  EXPECT_EQ(all.left_out, 0U);
  ASSERT_GT(all.ports.size(), 3U);
  EXPECT_EQ(first.left_out, all.ports.size() - 3);
  for (std::size_t i = 1; i < all.ports.size(); i++) EXPECT_GE(all.ports[i - 1].bytes, all.ports[i].bytes);
  for (std::size_t i = 0; i < first.ports.size(); i++) EXPECT_EQ(first.ports[i].name, all.ports[i].name);
  for (const CollectiveOnPort& one : all.ports.front().collectives)
    EXPECT_GE(all.ports.front().collectives.front().bytes, one.bytes);
}

TEST(PortCollectives, there_are_none_where_nothing_was_carried) {
  railyard::Run run = run_of_step();
  run.carried.reset();
  EXPECT_TRUE(collectives_by_port(run, {.ports = 8, .bins = 4}).ports.empty());
}

}  // namespace
}  // namespace railyard
