// Loads over time: they add up to the loads of the map, and no link is above its rate at any time.
#include "analysis/map_over_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/check_results.h"
#include "analysis/results.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

const std::string kToOne = R"(name = "seven to one"
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 2
link_rate = "100 Gb/s"
link_delay = "100 ns"
switch_latency = "600 ns"
[cluster]
gpus = 8
[traffic]
pattern = "incast"
fan_in = 7
size = "4 MB"
)";
const std::string kFlow = kToOne + "[engine]\nfidelity = \"flow\"\n", kPacket = kToOne + "[engine]\nfidelity = \"packet\"\n";

struct Seen {
  Patterns patterns;
  [[nodiscard]] const MapOverTime& film() const { return *patterns.map_over_time; }
  [[nodiscard]] std::size_t bins() const { return film().links.front().peak.size(); }
};

Seen seen(const std::string& text, unsigned threads = 1) {
  const Scenario scenario = testing::scenario_of(text);
  Progress progress;
  Result<Run> run = simulate(scenario, {.threads = threads}, progress);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  const Results results = analyse(scenario, *run);
  check_results(results);
  return {results.patterns};
}

double mean_of(const std::vector<double>& loads) {
  double sum = 0;
  for (const double load : loads) sum += load;
  return sum / static_cast<double>(loads.size());
}

/// Means over all bins are the loads over the whole run, and nothing is above its rate.
void expect_sound(const Seen& run) {
  ASSERT_TRUE(run.film().unknown.empty()) << run.film().unknown;
  const FabricMap& map = *run.patterns.fabric_map;
  ASSERT_EQ(run.film().links.size(), map.links.size());
  ASSERT_GE(run.bins(), 2U);
  double busiest = 0;
  for (std::size_t i = 0; i < map.links.size(); i++) {
    const MapOverTime::Loads& loads = run.film().links[i];
    EXPECT_NEAR(mean_of(loads.up), map.links[i].up, 1e-4) << map.links[i].name;
    EXPECT_NEAR(mean_of(loads.down), map.links[i].down, 1e-4) << map.links[i].name;
    for (std::size_t bin = 0; bin < run.bins(); bin++) {
      EXPECT_LE(std::max(loads.up[bin], loads.down[bin]), loads.peak[bin] * (1 + 1e-12));
      EXPECT_LE(loads.peak[bin], 1 + 1e-9);
      busiest = std::max(busiest, loads.peak[bin]);
    }
  }
  EXPECT_GT(busiest, 0.3);
}

TEST(MapOverTime, of_flows_adds_up_to_the_whole_run) { expect_sound(seen(kFlow)); }

/// A sixth of 1 Gb/s is 166,666,666 bit/s and two thirds, which six times in whole bits are more than the line.
TEST(MapOverTime, rates_in_whole_bits_do_not_add_up_to_more_than_the_line) {
  std::string text = kFlow;
  text.replace(text.find("100 Gb/s"), 8, "1 Gb/s");
  text.replace(text.find("fan_in = 7"), 10, "fan_in = 6");
  expect_sound(seen(text));
}

TEST(MapOverTime, of_packets_adds_up_to_the_whole_run) { expect_sound(seen(kPacket)); }

TEST(MapOverTime, is_the_same_on_any_number_of_threads) {
  const Seen one = seen(kPacket), two = seen(kPacket, 2);
  ASSERT_EQ(one.film().links.size(), two.film().links.size());
  for (std::size_t i = 0; i < one.film().links.size(); i++) {
    EXPECT_EQ(one.film().links[i].up, two.film().links[i].up);
    EXPECT_EQ(one.film().links[i].down, two.film().links[i].down);
    EXPECT_EQ(one.film().links[i].peak, two.film().links[i].peak);
  }
}

TEST(MapOverTime, of_links_that_equal_paths_share_is_that_of_their_trunk) {
  expect_sound(seen(kFlow + "[routing]\npolicy = \"spray\"\n"));
}

TEST(MapOverTime, follows_flows_to_other_paths_when_a_switch_fails) {
  const Seen run = seen(kFlow + "[failures]\n\"spine 0\" = { from = \"500 us\", until = \"1500 us\" }\n");
  expect_sound(run);
  const std::size_t middle = run.bins() / 2;
  for (std::size_t i = 0; i < run.film().links.size(); i++) {
    if (run.patterns.fabric_map->links[i].name != "leaf 1 to spine 0") continue;
    const std::vector<double>& up = run.film().links[i].up;
    EXPECT_GT(up.front(), 0);
    EXPECT_EQ(up[middle], 0);
    EXPECT_GT(up[run.bins() - 3], 0);
  }
}

TEST(MapOverTime, of_a_collective_played_flow_by_flow_is_that_of_its_largest_size) {
  const Seen run = seen(R"(name = "ring"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["1 MiB", "64 MiB"]
[cluster]
gpus = 16
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
spines = 4
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "300 ns"
[engine]
fidelity = "flow"
)");
  expect_sound(run);
}

TEST(MapOverTime, closed_forms_say_why_there_is_nothing) {
  const Seen run = seen(kToOne + "[engine]\nfidelity = \"analytic\"\n");
  EXPECT_TRUE(run.film().links.empty());
  EXPECT_EQ(run.film().unknown, "Closed forms do not say when links are busy.");
}

TEST(MapOverTime, a_run_of_more_flows_than_are_followed_says_so) {
  Telemetry telemetry(0);
  telemetry.tier_rate = Timeline(kTiers);
  telemetry.tier_rate.add(0, 0_us, 10_us, 1e9);
  FabricMap map;
  map.links.emplace_back();
  EXPECT_EQ(map_over_time({}, map, telemetry, 10_us).unknown, "There are too many flows to follow single links over time.");
  telemetry.flow_series.emplace();
  EXPECT_EQ(map_over_time({}, map, telemetry, 10_us).unknown, "The run is too short to look at parts of it.");
}

}  // namespace
}  // namespace railyard
