// What single flows sent over time, as the telemetry has it.
#include "engine/flow/ledger.h"

#include <gtest/gtest.h>

#include <numeric>

#include "engine/flow/testing.h"

namespace railyard {
namespace {

using namespace flow_testing;

/// Bits of a flow over all bins.
double sent(const FlowSpell& spell, std::size_t flow) {
  const auto first = spell.bits.begin() + static_cast<std::ptrdiff_t>(flow * spell.bins);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(spell.bins), 0.0);
}

/// Two messages between hosts of two leaves, on a bench whose telemetry is asked.
struct Asked {
  FlowBench bench;
  const double bits = static_cast<double>(kSize.count()) * 8;

  explicit Asked(bool asks) : bench(hashed()) {
    bench.telemetry.keeps_flow_series = asks;
    bench.engine =
        make_flow_engine(bench.fabric, testing::kBareWire, path_policy_of(bench.scenario.routing), {}, bench.telemetry);
    for (const std::uint32_t from : {0U, 1U}) bench.post(from, bench.open(from, from + 8), kSize);
  }
};

TEST(FlowLedger, tells_when_flows_sent_and_over_which_ports) {
  Asked asked(true);
  asked.bench.times();
  asked.bench.engine->finish();
  ASSERT_TRUE(asked.bench.telemetry.flow_series);
  ASSERT_EQ(asked.bench.telemetry.flow_series->size(), 1U);
  const FlowSpell& spell = asked.bench.telemetry.flow_series->front();
  ASSERT_EQ(spell.flows(), 2U);
  EXPECT_TRUE(spell.share.empty());  // one path each
  for (std::size_t flow = 0; flow < 2; flow++) {
    EXPECT_NEAR(sent(spell, flow), asked.bits, asked.bits * 1e-9);
    const std::vector<PortId> path =
        path_of(asked.bench, static_cast<std::uint32_t>(flow), static_cast<std::uint32_t>(flow) + 8);
    ASSERT_EQ(spell.first[flow + 1] - spell.first[flow], path.size());
    for (std::size_t i = 0; i < path.size(); i++) EXPECT_EQ(spell.link[spell.first[flow] + i], path[i].index());
  }
}

TEST(FlowLedger, begins_a_new_spell_where_paths_change) {
  Asked asked(true);
  FlowBench& bench = asked.bench;
  std::vector<Completion> done;
  bench.engine->advance(1000_us, done);
  const PortId lost = path_of(bench, 0, 8)[1];
  bench.engine->set_rate(lost, BitsPerSecond::zero(), 1000_us);
  bench.times();
  bench.engine->finish();
  ASSERT_TRUE(bench.telemetry.flow_series);
  const FlowSeries& spells = *bench.telemetry.flow_series;
  ASSERT_EQ(spells.size(), 2U);
  EXPECT_EQ(spells[0].until, 1000_us);
  EXPECT_EQ(spells[1].from, 1000_us);
  for (std::size_t flow = 0; flow < 2; flow++)
    EXPECT_NEAR(sent(spells[0], flow) + sent(spells[1], flow), asked.bits, asked.bits * 1e-6);
  EXPECT_EQ(spells[0].link[1], lost.index());
  for (const std::uint32_t link : spells[1].link) EXPECT_NE(link, lost.index());
}

TEST(FlowLedger, keeps_nothing_that_nobody_asks_for) {
  Asked asked(false);
  asked.bench.times();
  asked.bench.engine->finish();
  EXPECT_FALSE(asked.bench.telemetry.flow_series);
}

}  // namespace
}  // namespace railyard
