#include "sim/sent_bytes.h"

#include <gtest/gtest.h>

#include "analysis/packets/sampled_points.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// A port of 400 Gb/s, which carries 50,000 B in a microsecond, sampled every microsecond.
struct Sampled {
  Fabric fabric = *testing::build_fabric(testing::leaf_spine(4, 2, 1, 400_Gbps, 500_ns));
  PacketRecord packets;
  PortId port;

  explicit Sampled(const std::vector<std::uint64_t>& bytes) {
    while (fabric.trunk_tier[fabric.port_trunk[port = next_]] != Tier::host_up) next_ = PortId(next_.index() + 1);
    packets.ports = Table<PortId, PortRecord>(fabric.port_from.size());
    PortSeries& series = packets.series;
    series.interval = 1_us;
    series.ports = fabric.port_from.size();
    series.samples.resize(bytes.size() * series.ports);
    for (std::size_t i = 0; i < bytes.size(); i++) {
      series.at.push_back(1_us * static_cast<std::int64_t>(i + 1));
      series.rates.push_back({});
      series.samples[i * series.ports + port.index()].bytes = bytes[i];
      packets.ports[port].bytes += Bytes(static_cast<std::int64_t>(bytes[i]));
    }
  }

 private:
  PortId next_ = PortId(0);
};

TEST(SentBytes, a_packet_that_is_counted_as_it_starts_leaves_in_the_next_sample_too) {
  const Sampled sampled({52'000, 50'000, 20'000, 0});
  const std::vector<double> sent = sent_by_sample(sampled.packets.series, sampled.port, 400_Gbps);
  EXPECT_EQ(sent, (std::vector<double>{50'000, 50'000, 22'000, 0}));
}

TEST(SentBytes, what_comes_after_the_end_does_not_count) {
  const Sampled sampled({10'000, 50'000, 30'000});
  EXPECT_DOUBLE_EQ(sent_until(sampled.fabric, sampled.packets, 3_us)[sampled.port], 90'000);
  EXPECT_DOUBLE_EQ(sent_until(sampled.fabric, sampled.packets, 2_us)[sampled.port], 60'000);
  EXPECT_DOUBLE_EQ(sent_until(sampled.fabric, sampled.packets, 1500_ns)[sampled.port], 35'000);
  EXPECT_DOUBLE_EQ(sent_until(sampled.fabric, sampled.packets, 9_us)[sampled.port], 90'000);
}

TEST(SentBytes, loads_are_those_until_the_end_and_the_record_keeps_all) {
  const Sampled sampled({10'000, 50'000, 30'000});
  Telemetry telemetry(sampled.fabric.trunk_tier.size());
  telemetry.count_ports(sampled.fabric.port_from.size());
  telemetry.packets = sampled.packets;
  const TrunkId trunk = sampled.fabric.port_trunk[sampled.port];
  telemetry.port_carried[sampled.port] = telemetry.trunk_carried[trunk] = 90'000_B;
  forget_sent_after(sampled.fabric, 1500_ns, telemetry);
  EXPECT_EQ(telemetry.port_carried[sampled.port], 35'000_B);
  EXPECT_EQ(telemetry.trunk_carried[trunk], 35'000_B);
  EXPECT_EQ(telemetry.packets->ports[sampled.port].bytes, 90'000_B);
}

TEST(SentBytes, a_run_without_samples_has_sent_all_it_counts) {
  Sampled sampled({10'000});
  sampled.packets.series = {};
  EXPECT_DOUBLE_EQ(sent_until(sampled.fabric, sampled.packets, 1_us)[sampled.port], 10'000);
}

TEST(SentBytes, bursts_stay_below_the_line_and_lose_nothing) {
  const Sampled sampled({52'000, 50'000, 20'000, 0});
  const std::vector<SampledPoint> points = sampled_points(sampled.fabric, sampled.packets, 4_us);
  ASSERT_GE(points.size(), 2U);
  double bits = 0;
  for (const RateSpan& span : points.front().spans) {
    EXPECT_LE(span.bps, 400e9 * (1 + 1e-12));
    bits += span.bps * seconds(span.end - span.begin);
  }
  EXPECT_NEAR(bits, 122'000 * 8, 1e-3);
}

}  // namespace
}  // namespace railyard
