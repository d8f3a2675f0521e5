#include "answer/cluster_cost.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/build.h"
#include "scenario/load.h"

namespace railyard {
namespace {

ReadFile of_text(std::string text) {
  return [text = std::move(text)](const std::filesystem::path&, std::size_t) -> Result<std::string> { return text; };
}

/// Two tiers of a thousand H100 without oversubscription, 30 m of cable.
constexpr const char* kCluster =
    "name = \"a\"\n[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 1024\ngpus_per_node = 8\nnic = \"ConnectX-7\"\n"
    "[fabric]\ntopology = \"leaf-spine\"\nswitch = \"Quantum-2\"\ncable = \"30 m\"\n"
    "[transport]\nkind = \"infiniband\"\n";

Scenario cluster(const std::vector<std::string>& overrides = {}) {
  Result<Scenario> scenario = load_scenario("a.toml", builtin_catalog(), overrides, of_text(kCluster), {.workload = false});
  EXPECT_TRUE(scenario) << (scenario ? "" : to_text(scenario.error().front()));
  return *scenario;
}

ClusterCost cost_with(const std::vector<std::string>& overrides = {}) {
  const Scenario scenario = cluster(overrides);
  return cluster_cost(scenario, *build_fabric(scenario.fabric, scenario.keys), builtin_catalog());
}

const CostLine& line_of(const ClusterCost& cost, CostKind kind) {
  return *std::find_if(cost.lines.begin(), cost.lines.end(), [&](const CostLine& line) { return line.kind == kind; });
}

TEST(ClusterCost, is_the_sum_of_the_spreadsheet_that_prices_come_from) {
  // tech-talk-cto, August 2024: 1,024 H100 under two tiers of switches at 36,000 USD: 1,728,000 of switches, 2,621,440 of
  // connectors and cables, 39,680,000 of servers.
  const ClusterCost cost = cost_with({"prices.Quantum-2=\"36000 USD\""});
  EXPECT_TRUE(cost.all_usd.complete);
  EXPECT_TRUE(cost.missing.empty());
  EXPECT_DOUBLE_EQ(cost.network_usd.value, 1'728'000 + 2'621'440);
  EXPECT_DOUBLE_EQ(cost.all_usd.value, 39'680'000 + 1'728'000 + 2'621'440);
  EXPECT_DOUBLE_EQ(cost.network_watts.value, 48 * 747 + 2048 * 2 * 9);
  EXPECT_DOUBLE_EQ(cost.all_watts.value, 128 * 10'200 + 48 * 747 + 2048 * 2 * 9);
}

TEST(ClusterCost, of_roce_takes_no_price_of_infiniband) {
  const ClusterCost cost = cost_with({"transport.kind=\"roce\"", "fabric.switch=\"Tomahawk-4\""});
  EXPECT_FALSE(line_of(cost, CostKind::network_switch).price);
  EXPECT_FALSE(cost.network_usd.complete);
  EXPECT_FALSE(cost.all_usd.complete);
  EXPECT_EQ(cost.missing.front(), "No price of Tomahawk-4 is known; give prices.Tomahawk-4.");
  EXPECT_DOUBLE_EQ(cost.network_usd.value, 2'621'440);  // cables and transceivers, which are the same
  EXPECT_EQ(dollars_text(cost.network_usd), "at least $2.6 million");
}

TEST(ClusterCost, counts_nics_once) {
  EXPECT_TRUE(line_of(cost_with(), CostKind::nic).in_server);
  const std::string server = "prices.server=\"280000 USD\"", nic = "prices.ConnectX-7=\"1500 USD\"";
  EXPECT_TRUE(line_of(cost_with({server}), CostKind::nic).in_server);
  const ClusterCost apart = cost_with({server, nic});
  EXPECT_FALSE(line_of(apart, CostKind::nic).in_server);
  EXPECT_DOUBLE_EQ(*line_of(apart, CostKind::nic).usd(), 1024 * 1500);
  EXPECT_DOUBLE_EQ(*line_of(apart, CostKind::server).usd(), 128 * 280'000);
  const ClusterCost other = cost_with({"cluster.nic=\"BlueField-3\""});  // the server is sold with another one
  EXPECT_FALSE(other.all_usd.complete);
  EXPECT_EQ(other.missing.front(),
            "A server is priced with ConnectX-7 as NICs, not with BlueField-3; give prices.HGX-H100 for one "
            "with these.");
}

TEST(ClusterCost, of_a_server_that_nobody_sells_is_at_least_what_its_gpus_draw) {
  const ClusterCost cost = cost_with({"cluster.gpu=\"MI300X\""});
  EXPECT_FALSE(line_of(cost, CostKind::server).price);
  EXPECT_FALSE(cost.all_watts.complete);
  EXPECT_DOUBLE_EQ(cost.all_watts.value - cost.network_watts.value, 1024 * 750);
}

TEST(ClusterCost, the_users_own_price_wins_by_name_and_by_role) {
  EXPECT_DOUBLE_EQ(line_of(cost_with({"prices.switch=\"1 USD\""}), CostKind::network_switch).price->usd, 1);
  const ClusterCost both = cost_with({"prices.switch=\"1 USD\"", "prices.Quantum-2=\"2 USD\""});
  EXPECT_DOUBLE_EQ(line_of(both, CostKind::network_switch).price->usd, 2);
  EXPECT_EQ(line_of(both, CostKind::network_switch).price->origin.status, Status::given);
}

TEST(ClusterCost, switches_with_other_ports_than_the_named_one_are_not_it) {
  const ClusterCost cost = cost_with({"fabric.spine_radix=576"});
  std::vector<std::string> models;
  for (const CostLine& line : cost.lines)
    if (line.kind == CostKind::network_switch) models.push_back(line.part);
  EXPECT_EQ(models, (std::vector<std::string>{"Quantum-2", ""}));
  EXPECT_FALSE(cost.network_watts.complete);
}

TEST(RunningCost, is_capital_over_years_and_energy_of_the_building) {
  ClusterCost cost;
  cost.all_usd = {4 * kHoursPerYear * 100, true};
  cost.all_watts = {1e6, true};
  cost.electricity = Price{80, "2024", {}};
  const CostPlan plan{.years = 4, .utilisation = 0.5, .pue = 1.25};
  const RunningCost running = running_cost(cost, plan);
  EXPECT_DOUBLE_EQ(running.capital_per_hour.value, 100);
  EXPECT_DOUBLE_EQ(running.energy_per_hour.value, 1.25 * 80);
  EXPECT_DOUBLE_EQ(running.mwh_per_year, 1.25 * kHoursPerYear);
  EXPECT_DOUBLE_EQ(cost_of_million_tokens(running, plan, 1e6).value, 200.0 / (3600 * 0.5));
  cost.electricity.reset();
  EXPECT_FALSE(running_cost(cost, plan).per_hour().complete);
}

TEST(PriceList, a_file_of_prices_is_read_as_overrides) {
  const auto read =
      price_overrides("[prices]\nQuantum-2 = \"36000 USD\"\n\"1.6T-2xDR4\" = \"2000 USD\"\n[cost]\nyears = 5\n", "p.toml");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (std::vector<std::string>{"cost.\"years\"=5", "prices.\"1.6T-2xDR4\"=\"2000 USD\"",
                                             "prices.\"Quantum-2\"=\"36000 USD\""}));
  const Scenario scenario = cluster(*read);
  EXPECT_EQ(scenario.prices.size(), 2U);
  EXPECT_DOUBLE_EQ(scenario.cost.years, 5);
  EXPECT_EQ(price_overrides("[prices\n", "p.toml").error().front().code, "RY-CST-002");
  EXPECT_EQ(price_overrides("[fabric]\n", "p.toml").error().front().code, "RY-CST-003");
}

TEST(Dollars, are_told_in_words_that_people_read) {
  EXPECT_EQ(dollars_text(1.634e9), "$1.63 billion");
  EXPECT_EQ(dollars_text(45.4e6), "$45.4 million");
  EXPECT_EQ(dollars_text(4248), "$4,248");
  EXPECT_EQ(dollars_text(2.618), "$2.62");
  EXPECT_EQ(dollars_text(0.0361), "$0.036");
  EXPECT_EQ(dollars_text(Sum{0, false}), "at least $0");
}

}  // namespace
}  // namespace railyard
