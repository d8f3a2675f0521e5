// The packet engine on any small fabric with any traffic and any settings: windows, on any number of threads, give what a plain
// queue of events gives; every byte arrives once; nothing is lost where nothing may be.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "packet_case.h"
#include "packet_reference.h"

namespace railyard::packet {
namespace {

Outcome run_reference(const Case& c) {
  const PathPolicy routing = path_policy_of(c.scenario.routing);
  Network network(c.fabric, c.wire, routing, c.plan, PacketOptions{});
  Reference reference(network);
  fill(c, network, [&](std::uint32_t flow) { reference.offer(flow); });
  reference.run();
  Outcome o{reference.deliveries, reference.acknowledgements, reference.pauses, Telemetry(c.fabric.trunk_tier.size())};
  std::sort(o.delivered.begin(), o.delivered.end());
  std::sort(o.acknowledged.begin(), o.acknowledged.end());
  Network unused(c.fabric, c.wire, routing, c.plan, PacketOptions{});
  LookaheadScheduler none(unused, packet_lookahead(c.fabric, c.plan).span.count(), 1);
  o.telemetry.packets.emplace();
  o.telemetry.count_ports(c.fabric.port_from.size());
  observe(network, c.fabric, none, Picoseconds::zero(), o.telemetry);
  return o;
}

RC_GTEST_PROP(PacketEngine, windows_give_what_a_plain_queue_of_events_gives, ()) {
  const Case c = random_case();
  const Outcome reference = run_reference(c);
  RC_CLASSIFY(reference.telemetry.packets->pauses > 0, "pauses");
  RC_CLASSIFY(reference.telemetry.packets->marked > 0, "marks");
  RC_CLASSIFY(reference.telemetry.packets->retransmissions > 0, "losses");
  RC_CLASSIFY(reference.telemetry.packets->storms > 0, "storms");
  RC_CLASSIFY(reference.telemetry.packets->trimmed > 0, "trimmed");
  RC_CLASSIFY(c.plan.control.has_window(), "windows");
  RC_CLASSIFY(c.plan.credits.room > 0_B, "credits");
  RC_CLASSIFY(c.plan.control.has_receiver_credits(), "credits of receivers");
  for (const unsigned threads : {1U, 2U, 4U}) expect_equal(run_windows(c, threads), reference);
  expect_equal(run_windows(c, 3, ThreadUse::in_turn), reference);
  expect_equal(run_windows(c, 3, ThreadUse::where_it_pays), reference);
}

/// The same where packets wait for credit of the last switch. Links have no credits of their own there.
Case scheduled_case() {
  Case c = random_case();
  c.scenario.fabric.switching = Switching::scheduled;
  if (below(2)) c.scenario.fabric.credit_delay = Picoseconds(200'000 + below(1'000'000));
  if (below(2)) c.scenario.fabric.cell_overhead = 0.1;
  c.scenario.routing.policy = RoutingPolicy::spray;
  Result<Fabric> fabric = testing::build_fabric(c.scenario);
  RC_ASSERT(fabric.has_value());
  c.fabric = std::move(*fabric);
  c.plan.credits = {};
  if (c.plan.control.kind == CongestionControl::hpcc || c.plan.control.kind == CongestionControl::ibcc)
    c.plan.control.kind = CongestionControl::dctcp;
  return c;
}

RC_GTEST_PROP(ScheduledFabric, windows_give_what_a_plain_queue_of_events_gives, ()) {
  const Case c = scheduled_case();
  const Outcome reference = run_reference(c);
  RC_CLASSIFY(reference.telemetry.packets->pauses > 0, "pauses");
  RC_CLASSIFY(reference.telemetry.packets->marked > 0, "marks");
  RC_CLASSIFY(reference.telemetry.packets->retransmissions > 0, "losses");
  RC_CLASSIFY(reference.telemetry.packets->trimmed > 0, "trimmed");
  for (const unsigned threads : {1U, 3U}) expect_equal(run_windows(c, threads), reference);
}

RC_GTEST_PROP(ScheduledFabric, only_first_switches_pause_or_drop, ()) {
  Case c = scheduled_case();
  c.plan.pfc.watchdog = false;
  const Outcome o = run_windows(c, 1);
  for (const PortId port : ids(c.fabric.port_from)) {
    const Tier tier = c.fabric.trunk_tier[c.fabric.port_trunk[port]];
    const PortRecord& row = o.telemetry.packets->ports[port];
    if (tier == Tier::host_up || tier == Tier::host_down) continue;
    RC_ASSERT(row.pauses == 0U);
    RC_ASSERT(row.buffered_most == 0_B);
  }
}

RC_GTEST_PROP(PacketEngine, every_message_arrives_once, ()) {
  Case c = random_case();
  c.plan.pfc.watchdog = false;  // a storm that never ends may lose for good what goes back to a slow host
  c.plan.nic.retries = 0;       // queue pairs that are given up deliver nothing
  const Outcome o = run_windows(c, 1);
  std::size_t messages = 0;
  for (const Flow& flow : c.flows) messages += flow.messages.size();
  RC_ASSERT(o.delivered.size() == messages);
  RC_ASSERT(o.acknowledged.size() == messages);
}

RC_GTEST_PROP(PacketEngine, nothing_is_lost_and_nobody_paused_where_senders_have_credits, ()) {
  Case c = random_case();
  c.plan.pfc.enabled = false;
  c.plan.credits.room = Bytes(20'000 + below(100'000));
  c.plan.credits.step = c.plan.credits.room / (2 + below(8));
  c.plan.buffer.queue.reset();
  c.plan.buffer.size = 64_MiB;
  const Outcome o = run_windows(c, 1);
  const PacketRecord& record = *o.telemetry.packets;
  RC_ASSERT(record.drops[static_cast<std::size_t>(DropReason::buffer)] == 0U);
  RC_ASSERT(record.drops[static_cast<std::size_t>(DropReason::queue)] == 0U);
  RC_ASSERT(record.pauses == 0U);
  for (const PortRecord& port : record.ports) RC_ASSERT(port.buffered_most <= c.plan.credits.room * 3);  // of three classes
}

RC_GTEST_PROP(PacketEngine, nothing_is_lost_where_headroom_is_computed, ()) {
  Case c = random_case();
  c.plan.pfc.enabled = true;
  c.plan.pfc.watchdog = false;
  c.plan.buffer.headroom.reset();
  c.plan.buffer.size = 64_MiB;
  c.plan.headroom.packet = c.wire.packet_size(c.wire.mtu);
  c.plan.slow.clear();
  for (Flow& flow : c.flows)
    if (!c.plan.classes[flow.traffic_class].lossless) flow.traffic_class = kDataClass;
  c.plan.credits = {};
  const Outcome o = run_windows(c, 1);
  const PacketRecord& record = *o.telemetry.packets;
  RC_ASSERT(record.drops[static_cast<std::size_t>(DropReason::buffer)] == 0U);
  RC_ASSERT(record.drops[static_cast<std::size_t>(DropReason::headroom)] == 0U);
}

/// Packets may overtake each other and be asked for again, or be cut down to their headers; none is lost, and nobody is paused.
RC_GTEST_PROP(PacketEngine, no_flow_waits_for_a_timer_while_nothing_is_lost, ()) {
  Case c = random_case();
  add_transport(c.plan);
  if (below(2)) {
    const auto kinds = std::array{CongestionControl::nscc, CongestionControl::rccc, CongestionControl::nscc_rccc};
    c.plan.control.kind = kinds[below(3)], c.plan.nic.admission = 0;
  }
  c.plan.pfc.enabled = c.plan.pfc.watchdog = false;
  c.plan.credits = {};
  c.plan.slow.clear();
  c.plan.buffer.queue.reset();
  if (c.plan.control.kind == CongestionControl::nscc || c.plan.control.has_receiver_credits()) {
    c.plan.buffer.queue = Bytes(8'000 + below(40'000));
    c.plan.buffer.trim = 128_B;
  }
  c.plan.buffer.size = 1_GiB;
  c.plan.buffer.alpha = 1;
  c.plan.buffer.xoff.reset();
  c.plan.nic.timeout = 100'000_us;  // longer than anything waits in a queue
  const Outcome o = run_windows(c, 1);
  const PacketRecord& record = *o.telemetry.packets;
  const bool in_order = record.drops[static_cast<std::size_t>(DropReason::out_of_order)] == 0;  // else go-back-N loses them
  RC_CLASSIFY(in_order && record.retransmissions > 0, "sent again");
  RC_ASSERT(!in_order || record.timeouts == 0U);
}

}  // namespace
}  // namespace railyard::packet
