// Collectives in pieces on the packet engine: times that can be told by hand.
#include "sim/step/piece_engine.h"

#include <gtest/gtest.h>

#include "engine/testing.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// Hosts on one switch at 400 Gb/s, without congestion control.
struct PieceStar {
  Scenario scenario;
  Fabric fabric;
  Telemetry telemetry{0};
  std::unique_ptr<PieceEngine> engine;

  explicit PieceStar(std::uint32_t hosts) : scenario(testing::star(hosts, 400_Gbps, 500_ns, 700_ns)) {
    scenario.packet.dcqcn.enabled = false;
    scenario.fabric.host_latency = 1_us;
    fabric = std::move(*testing::build_fabric(scenario));
    telemetry = Telemetry(fabric.trunk_tier.size());
    PacketOptions options;
    options.keeps_messages = false;
    engine = std::make_unique<PieceEngine>(
        make_packet_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), scenario.packet, options, telemetry));
  }

  [[nodiscard]] static std::vector<Edge> ring(std::uint32_t hosts) {
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i < hosts; i++) edges.push_back({EndpointId(i), EndpointId((i + 1) % hosts)});
    return edges;
  }

  /// How long a message over `edges` takes.
  Picoseconds time_of(std::vector<Edge> edges, Bytes size, std::uint32_t steps) {
    const QpId bundle = engine->open(Bundle{.edges = std::move(edges)});
    engine->post_in_steps({MessageId(7), bundle, size}, steps, engine->now());
    std::vector<Completion> done;
    engine->advance(Picoseconds::max(), done);
    EXPECT_EQ(done.size(), 1U);
    EXPECT_EQ(done.front().id, MessageId(7));
    return done.front().at;
  }
};

constexpr double kPayloadPerSecond = 400e9 / 8 * 4096 / 4178;

TEST(PieceEngine, a_long_ring_is_as_fast_as_its_links) {
  PieceStar star(4);
  const Bytes size = 48_MiB;
  const double wire = static_cast<double>(size.count()) / kPayloadPerSecond;
  EXPECT_NEAR(seconds(star.time_of(PieceStar::ring(4), size, 3)) / wire, 1, 0.02);
}

TEST(PieceEngine, a_short_ring_takes_as_many_latencies_as_it_has_steps) {
  PieceStar one(8), six(8);
  const double alone = seconds(one.time_of({{EndpointId(0), EndpointId(1)}}, 4096_B, 1));
  const double ring = seconds(six.time_of(PieceStar::ring(8), 7 * 4096_B, 7));
  EXPECT_NEAR(ring / alone, 7, 0.05);
}

TEST(PieceEngine, an_all_to_all_shares_the_links_of_its_ends) {
  PieceStar star(4);
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 4; a++)
    for (std::uint32_t b = 0; b < 4; b++)
      if (a != b) edges.push_back({EndpointId(a), EndpointId(b)});
  const Bytes size = 16_MiB;
  const double wire = 3 * static_cast<double>(size.count()) / kPayloadPerSecond;
  EXPECT_NEAR(seconds(star.time_of(std::move(edges), size, 1)) / wire, 1, 0.05);
}

TEST(PieceEngine, an_edge_with_a_smaller_share_sends_less) {
  PieceStar star(4);
  star.time_of({{EndpointId(0), EndpointId(1), 1}, {EndpointId(2), EndpointId(3), 0.25}}, 8_MiB, 1);
  EXPECT_EQ(star.telemetry.payload, 10_MiB);
}

TEST(PieceEngine, what_carries_next_to_nothing_keeps_step) {
  PieceStar star(4);
  std::vector<Edge> edges = PieceStar::ring(4);
  edges[2].share = 1e-9;
  EXPECT_GT(star.time_of(std::move(edges), 8_MiB, 3), Picoseconds::zero());
}

TEST(PieceEngine, names_whom_others_waited_for) {
  PieceStar star(4);
  star.time_of({{EndpointId(0), EndpointId(1), 0.5}, {EndpointId(2), EndpointId(3), 1}}, 8_MiB, 1);
  const auto stragglers = star.engine->stragglers(10);
  ASSERT_EQ(stragglers.size(), 1U);
  EXPECT_EQ(stragglers[0].from, EndpointId(2));
  EXPECT_EQ(stragglers[0].calls, 1U);
  const double half = static_cast<double>((4_MiB).count()) / kPayloadPerSecond;
  EXPECT_NEAR(seconds(stragglers[0].behind) / (half / 2), 1, 0.05);
}

TEST(PieceEngine, messages_of_one_bundle_may_overlap) {
  PieceStar star(4);
  const QpId bundle = star.engine->open(Bundle{.edges = PieceStar::ring(4)});
  star.engine->post_in_steps({MessageId(1), bundle, 4_MiB}, 3, Picoseconds::zero());
  star.engine->post_in_steps({MessageId(2), bundle, 4_MiB}, 3, Picoseconds::zero());
  std::vector<Completion> done;
  while (done.size() < 2) star.engine->advance(Picoseconds::max(), done);
  const double wire = 2 * static_cast<double>((4_MiB).count()) / kPayloadPerSecond;
  EXPECT_NEAR(seconds(done.back().at) / wire, 1, 0.1);
}

}  // namespace
}  // namespace railyard
