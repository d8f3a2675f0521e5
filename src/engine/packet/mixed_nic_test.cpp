// Two transports on one NIC: RoCE, lossless and paced, and TCP in a queue that drops.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

constexpr WireFormat kTcpWire{.mtu = 4096_B, .header = 90_B, .message_header = 0_B};

TransportBeside tcp(CongestionControl control) {
  TransportBeside beside{.wire = kTcpWire, .nic = {}, .control = {}, .reads_marks = false, .ecn = {}};
  beside.control.kind = control;
  beside.nic.ack_every = 2;
  beside.nic.ack = 90_B;
  beside.nic.recovery = LossRecovery::selective_repeat;
  beside.nic.reorder = 3;
  beside.nic.timeout = 5000_us;
  beside.nic.retries = 15;
  beside.nic.backs_off = true;
  return beside;
}

/// What a run with both leaves behind.
struct MixedRun {
  Picoseconds roce, tcp;  // the last of each delivered
  PacketRecord packets;
  std::string fingerprint;
};

struct MixedCase {
  std::uint32_t roce_senders = 0, tcp_senders = 0;
  std::uint8_t tcp_class = kBackgroundClass;
  CongestionControl control = CongestionControl::cubic;
  unsigned threads = 1;
  Bytes buffer = 16_MiB;
};

/// All into host 0 of a star, 4 MiB each.
MixedRun run_mixed(const MixedCase& c) {
  const Scenario scenario = testing::star(c.roce_senders + c.tcp_senders + 1, 100_Gbps, 1_us);
  const Fabric fabric = std::move(*testing::build_fabric(scenario));
  PacketPlan plan;
  plan.buffer.size = c.buffer;
  plan.ecn = {.enabled = true, .kmin = 100_KiB, .kmax = 400_KiB, .pmax = 0.2};
  PacketOptions options{.threads = c.threads, .all_posted = true};
  options.beside = tcp(c.control);
  options.beside->reads_marks = c.control == CongestionControl::dctcp;
  if (c.tcp_class == kBackgroundClass) options.beside->marked_class = kBackgroundClass;
  options.beside->ecn = {.enabled = options.beside->reads_marks, .kmin = 100_KiB, .kmax = 100_KiB, .pmax = 1};
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine =
      make_packet_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), plan, options, telemetry);
  for (std::uint32_t i = 0; i < c.roce_senders + c.tcp_senders; i++) {
    const bool beside = i >= c.roce_senders;
    const QpId qp = engine->open({EndpointId(i + 1), EndpointId(0), beside ? c.tcp_class : kDataClass, {}, beside});
    const Message message{MessageId(i), qp, 4_MiB};
    engine->post({&message, 1}, 0_us);
  }
  MixedRun run;
  std::vector<Completion> done;
  do {
    done.clear();
    engine->advance(Picoseconds::max(), done);
    for (const Completion& one : done) (one.id.index() < c.roce_senders ? run.roce : run.tcp) = one.at;
  } while (!done.empty());
  engine->finish();
  run.packets = *telemetry.packets;
  run.fingerprint = telemetry.fingerprint.text();
  return run;
}

TEST(MixedNic, tcp_in_its_own_queue_leaves_roce_its_share) {
  const MixedRun both = run_mixed({.roce_senders = 4, .tcp_senders = 4});
  const MixedRun alone = run_mixed({.roce_senders = 4});
  EXPECT_EQ(both.packets.undelivered, 0U);
  const double longer = seconds(both.roce) / seconds(alone.roce);  // weights are equal: half of the wire, as long as both last
  EXPECT_GT(longer, 1.5);
  EXPECT_LT(longer, 2.05);
}

TEST(MixedNic, drops_are_of_the_lossy_class_and_pauses_of_the_lossless_one) {
  const MixedRun run = run_mixed({.roce_senders = 16, .tcp_senders = 16, .buffer = 4_MiB});
  EXPECT_GT(run.packets.classes[kBackgroundClass].dropped, 0U);
  EXPECT_EQ(run.packets.classes[kDataClass].dropped, 0U);
  EXPECT_GT(run.packets.classes[kDataClass].pauses, 0U);
  EXPECT_EQ(run.packets.classes[kBackgroundClass].pauses, 0U);
  EXPECT_EQ(run.packets.undelivered, 0U);
}

TEST(MixedNic, tcp_in_the_lossless_queue_is_never_dropped_and_holds_roce_up) {
  const MixedRun apart = run_mixed({.roce_senders = 2, .tcp_senders = 16, .buffer = 4_MiB});
  const MixedRun mixed = run_mixed({.roce_senders = 2, .tcp_senders = 16, .tcp_class = kDataClass, .buffer = 4_MiB});
  EXPECT_EQ(mixed.packets.classes[kDataClass].dropped, 0U);
  EXPECT_GT(mixed.packets.classes[kDataClass].pauses, 0U);
  EXPECT_GT(seconds(mixed.roce), 2 * seconds(apart.roce));
}

TEST(MixedNic, packets_that_cannot_be_marked_are_not) {
  EXPECT_EQ(run_mixed({.tcp_senders = 8, .tcp_class = kDataClass}).packets.marked, 0U);
  EXPECT_EQ(run_mixed({.tcp_senders = 8}).packets.marked, 0U);
  EXPECT_GT(run_mixed({.tcp_senders = 8, .control = CongestionControl::dctcp}).packets.marked, 0U);
}

TEST(MixedNic, threads_change_nothing) {
  for (const CongestionControl control : {CongestionControl::cubic, CongestionControl::dctcp}) {
    MixedCase one{.roce_senders = 8, .tcp_senders = 8, .control = control, .buffer = 4_MiB};
    const MixedRun first = run_mixed(one);
    for (const unsigned threads : {2U, 4U}) {
      one.threads = threads;
      const MixedRun again = run_mixed(one);
      EXPECT_EQ(again.fingerprint, first.fingerprint) << threads;
      EXPECT_EQ(again.roce, first.roce) << threads;
      EXPECT_EQ(again.tcp, first.tcp) << threads;
    }
  }
}

}  // namespace
}  // namespace railyard
