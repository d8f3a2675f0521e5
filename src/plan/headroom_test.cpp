#include "plan/headroom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "catalog/catalog.h"

namespace railyard {
namespace {

/// What SONiC ships for a port of a box: pg_profile_lookup.ini of sonic-buildimage 086b03b, column xoff.
struct Published {
  std::int64_t gigabits;
  std::int64_t metres;
  std::int64_t xoff;
};

// Spectrum-4, SN5600.
constexpr Published kSn5600[] = {{100, 5, 113664},   {200, 5, 131072},   {400, 5, 231424},   {800, 5, 257024},
                                 {100, 40, 126976},  {200, 40, 157696},  {400, 40, 283648},  {800, 40, 362496},
                                 {100, 300, 225280}, {200, 300, 355328}, {400, 300, 677888}, {800, 300, 1150976}};

// Spectrum-3, SN4700.
constexpr Published kSn4700[] = {{100, 5, 33792},  {200, 5, 35840},    {400, 5, 38912},    {100, 40, 44032},  {200, 40, 55296},
                                 {400, 40, 77824}, {100, 300, 117760}, {200, 300, 203776}, {400, 300, 373760}};

// Broadcom: Tomahawk 4 (Dell Z9664F), Tomahawk 5 (Arista 7060X6), Jericho 2 (Arista 7800R3A).
constexpr Published kBroadcom[] = {{100, 5, 129032},   {200, 5, 214122},   {400, 5, 371348},    {100, 40, 142240},
                                   {200, 40, 240792},  {400, 40, 424434},  {100, 300, 240538},  {200, 300, 437134},
                                   {400, 300, 817372}, {400, 5, 612140},   {400, 40, 612140},   {400, 150, 612140},
                                   {100, 300, 110592}, {400, 300, 315392}, {400, 1000, 778240}, {400, 2000, 1445888}};

BitsPerSecond rate_of(const Published& row) { return BitsPerSecond(row.gigabits * 1'000'000'000); }
Picoseconds delay_of(const Published& row) { return propagation_time(Millimetres(row.metres * 1000)); }

/// SONiC's own settings: ports of 9,100 bytes, lossless traffic of 1,024, all of it in small packets.
PacketPlan sonic(Bytes cell, Picoseconds tile) {
  PacketPlan plan;
  plan.headroom = {.packet = 1024_B, .port_mtu = 9100_B, .cell = cell, .tile = tile, .small_packets = 1};
  return plan;
}

TEST(Headroom, the_worked_example_of_spectrum_4_comes_out) {
  PacketPlan plan = sonic(192_B, 120_ns);
  const Bytes xoff = headroom_of(plan, 400_Gbps, propagation_time(100_m));
  EXPECT_EQ(xoff, 374784_B);
  EXPECT_EQ(xoff + kSpectrumReserve, 394240_B);  // SONiC's size of the port's group
  plan.headroom.small_packets = 0.5;             // SONiC's default mix
  EXPECT_EQ(headroom_by_formula(plan, 400_Gbps, propagation_time(100_m)), 155648_B);
}

TEST(Headroom, published_values_of_spectrum_4_are_met_within_a_kibibyte) {
  const PacketPlan plan = sonic(192_B, 120_ns);
  int exact = 0;
  for (const Published& row : kSn5600) {
    const Bytes computed = headroom_of(plan, rate_of(row), delay_of(row));
    EXPECT_LE(std::abs(computed.count() - row.xoff), 1024) << row.gigabits << "G " << row.metres << " m";
    exact += computed.count() == row.xoff;
  }
  EXPECT_EQ(exact, 8);
}

/// The table of the SN4700 is older than the formula: it is the same one with frames of 9,216 bytes, 3.8 KiB for the response
/// at any speed, and cells not rounded up. Today's formula asks for more.
TEST(Headroom, published_values_of_spectrum_3_are_those_of_an_earlier_form) {
  const PacketPlan today = sonic(144_B, Picoseconds::zero());
  for (const Published& row : kSn4700) {
    const double cable = 2 * static_cast<double>(delay_of(row).count()) * static_cast<double>(row.gigabits) / 8000;
    const Bytes earlier = spectrum_headroom(
        {.cable = cable, .peer = 3.8 * 1024, .tile = 0, .port_mtu = 9216, .lossless_mtu = 1024, .occupancy = 144.0 / 64});
    EXPECT_EQ(earlier.count(), row.xoff) << row.gigabits << "G " << row.metres << " m";
    EXPECT_GT(headroom_of(today, rate_of(row), delay_of(row)).count(), row.xoff);
  }
}

/// Not reproduced: these tables count cells that small packets leave half empty, by rules that are not published. The generic
/// formula counts bytes and asks for 13 to 75 per cent of them.
TEST(Headroom, published_values_of_broadcom_are_larger_than_the_generic_formula) {
  double least = 1, most = 0;
  for (const Published& row : kBroadcom) {
    const double share =
        static_cast<double>(headroom_of(PacketPlan(), rate_of(row), delay_of(row)).count()) / static_cast<double>(row.xoff);
    least = std::min(least, share);
    most = std::max(most, share);
  }
  EXPECT_NEAR(least, 0.13, 0.005);
  EXPECT_NEAR(most, 0.75, 0.005);
}

TEST(Headroom, the_generic_formula_is_cable_response_two_frames_and_the_pause) {
  const Picoseconds propagation = propagation_time(100_m);
  EXPECT_EQ(headroom_of(PacketPlan(), 400_Gbps, propagation), 50506_B + 57920_B + 2 * 9216_B + 84_B);
}

TEST(Headroom, what_is_given_is_taken) {
  PacketPlan plan;
  plan.buffer.headroom = 5_KiB;
  EXPECT_EQ(headroom_of(plan, 400_Gbps, 1_us), 5_KiB);
}

TEST(Headroom, is_never_less_than_what_can_still_arrive) {
  std::vector<PacketPlan> plans = {PacketPlan(), sonic(144_B, Picoseconds::zero()), sonic(192_B, 120_ns)};
  for (std::size_t i = 0; i < 3; i++) {
    plans.push_back(plans[i]);
    plans.back().headroom.packet = 9216_B;  // larger than what the formulas count with
    plans.back().pfc.response = 3_us;
    plans.back().headroom.port_mtu = 1500_B;
  }
  for (const PacketPlan& plan : plans)
    for (const Entry<OpticFact>& cable : builtin_catalog().optics.entries())
      for (const BitsPerSecond rate : {1_Gbps, 10_Gbps, 25_Gbps, 100_Gbps, 200_Gbps, 400_Gbps, 800_Gbps, 1600_Gbps}) {
        const Picoseconds propagation = propagation_time(cable.fact.reach);
        const Picoseconds blind = propagation * 2 + pause_response(plan, rate) + transmit_time(plan.pfc.frame, rate);
        EXPECT_GE(headroom_of(plan, rate, propagation), bytes_in(blind, rate) + plan.headroom.packet * 2) << cable.name;
      }
}

TEST(Headroom, grows_with_speed_cable_and_packet) {
  const PacketPlan plan = sonic(192_B, 120_ns);
  PacketPlan larger = plan;
  larger.headroom.packet = 4096_B;
  Bytes before;
  for (const BitsPerSecond rate : {50_Gbps, 100_Gbps, 150_Gbps, 200_Gbps, 300_Gbps, 400_Gbps, 600_Gbps, 800_Gbps, 1600_Gbps}) {
    const Bytes now = headroom_of(plan, rate, 500_ns);
    EXPECT_GT(now, before);
    EXPECT_GE(headroom_of(plan, rate, 1_us), now);
    EXPECT_GE(headroom_of(larger, rate, 500_ns), now);
    before = now;
  }
}

TEST(PauseResponse, is_the_pause_quanta_of_the_speed) {
  const PacketPlan plan;
  EXPECT_EQ(pause_response(plan, 100_Gbps), Picoseconds(2'017'280));  // 394 × 512 bit times
  EXPECT_EQ(pause_response(plan, 400_Gbps), Picoseconds(1'158'400));  // 905
  EXPECT_EQ(pause_response(plan, 800_Gbps), Picoseconds(579'200));    // 905
}

TEST(PauseResponse, lies_between_those_of_the_next_speeds_and_stays_beyond_the_fastest) {
  const PacketPlan plan;
  const Picoseconds between = pause_response(plan, 300_Gbps);
  EXPECT_EQ(between, transmit_time(679_B * 64, 300_Gbps));  // half way from 453 to 905 quanta
  EXPECT_EQ(pause_response(plan, 1600_Gbps), pause_response(plan, 800_Gbps));
  EXPECT_EQ(pause_response(plan, 10_Mbps), transmit_time(64_B, 10_Mbps));
}

TEST(PauseResponse, is_what_was_given) {
  PacketPlan plan;
  plan.pfc.response = 7_us;
  EXPECT_EQ(pause_response(plan, 400_Gbps), 7_us);
}

}  // namespace
}  // namespace railyard
