// Any small fabric with any traffic and any settings, what windows give there, and whether two such outcomes are the same.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "draw.h"
#include "engine/engine.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/observe.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard::packet {

struct Flow {
  std::uint32_t from, to;
  std::uint8_t traffic_class;
  std::vector<std::pair<Bytes, Time>> messages;
};

struct Case {
  Scenario scenario;
  Fabric fabric;
  PacketPlan plan;
  WireFormat wire;
  std::vector<Flow> flows;
};

inline Scenario random_scenario() {
  static const std::vector<Scenario> shapes = [] {
    std::vector<Scenario> all = {testing::star(6, 100_Gbps, 200_ns), testing::leaf_spine(24, 4, 2, 400_Gbps, 500_ns, 100_ns),
                                 testing::leaf_spine(16, 4, 1, 100_Gbps, 300_ns)};
    Scenario s = testing::servers(Topology::clos3, 48, 1, 4);
    s.fabric.hosts_per_pod = 16;
    all.push_back(s);
    s = testing::leaf_spine(12, 4, 1, 100_Gbps, 300_ns, 200_ns);
    s.fabric.uplink_rate = 400_Gbps;  // a faster wire behind a slower one
    s.fabric.oversubscription = 0.5;
    all.push_back(s);
    return all;
  }();
  Scenario s = shapes[below(static_cast<std::uint32_t>(shapes.size()))];
  s.routing.policy = std::array{RoutingPolicy::ecmp, RoutingPolicy::enhanced_ecmp, RoutingPolicy::spray,
                                RoutingPolicy::adaptive, RoutingPolicy::flowlet}[below(5)];
  if (below(2)) s.fabric.switching = Switching::cut_through;
  s.fabric.host_latency = below(2) ? 0_ps : 700_ns;
  return s;
}

/// Any transport but RoCE with DCQCN.
inline void add_transport(PacketPlan& plan) {
  plan.dcqcn.enabled = false;
  plan.control.kind = static_cast<CongestionControl>(below(static_cast<std::uint32_t>(CongestionControl::ibcc) + 1));
  if (plan.control.kind == CongestionControl::dcqcn) plan.control.kind = CongestionControl::none;
  if (below(2)) plan.control.target = Picoseconds(1'000'000 + below(20) * 1'000'000);
  plan.control.ccti_increase = 1 + below(3);
  plan.control.ccti_timer = Picoseconds(5'000'000 + below(100) * 1'000'000);
  plan.nic.routes_by_entropy = below(2) != 0;
  plan.nic.entropies = 1 + below(64);
  plan.nic.recycles_entropies = below(2) != 0;
  plan.nic.backs_off = below(2) != 0;
  plan.nic.retries = 0;
  if (!plan.control.has_window() && below(2)) plan.nic.admission = 1 + below(3);
  if (below(4) == 0) plan.nic.flow_rate = 30_Gbps;
  if (below(2)) plan.buffer.queue = Bytes(15'000 + below(200'000));
  if (below(2)) plan.buffer.trim = 128_B;
  if (below(3) == 0) {
    plan.pfc.enabled = false;
    plan.credits.room = Bytes(20'000 + below(100'000));
    plan.credits.step = plan.credits.room / (2 + below(8));
  }
}

inline PacketPlan random_plan(std::uint32_t hosts) {
  PacketPlan plan;
  plan.seed = below(1000);
  plan.nic.ack_every = 1 + below(8);
  plan.nic.ack_with_data = below(2) != 0;
  plan.nic.recovery = below(2) ? LossRecovery::go_back_n : LossRecovery::selective_repeat;
  plan.nic.reorder = below(3) * 8;
  if (below(3) == 0) plan.nic.window = Bytes(4096 * (1 + below(40)));
  plan.nic.timeout = Picoseconds(200'000'000 + below(500) * 1'000'003);
  if (below(5) == 0) plan.nic.host_rate = 60_Gbps;
  plan.nic.receive_buffer = 64_KiB;
  plan.dcqcn.enabled = below(4) != 0;
  plan.dcqcn.cnp_on_ack = below(3) == 0;
  if (below(3) == 0) plan.dcqcn.pacing = RatePacing::at_send;
  plan.dcqcn.rpg_time_reset = Picoseconds(20'000'000 + below(300) * 1'000'000);
  if (below(2)) plan.dcqcn.rpg_byte_reset = 0_B;
  plan.ecn.kmin = Bytes(5'000 + below(100'000));
  plan.ecn.kmax = plan.ecn.kmin * 4;
  plan.pfc.enabled = below(4) != 0;
  if (below(3) == 0) plan.pfc.frame = 0_B;
  if (below(2)) plan.pfc.response = Picoseconds(below(2) * 300'000 + 1000);
  plan.buffer.headroom = Bytes(20'000 + below(100'000));
  plan.buffer.size = Bytes(200'000 + below(2'000'000));
  if (plan.pfc.enabled) plan.buffer.size += *plan.buffer.headroom * 16;  // no switch has more ports
  plan.buffer.alpha = 1.0 / (1 << below(5));
  if (below(3) == 0) plan.buffer.xoff = 60'000_B, plan.buffer.xon = 40'000_B;
  plan.buffer.release_at_start = below(2) != 0;
  if (below(4) == 0) {
    plan.pfc.watchdog = true;
    plan.pfc.watchdog_forwards = below(2) != 0;
    plan.pfc.poll = 10_us;
    plan.pfc.detection = 30_us;
    plan.pfc.restoration = 30_us;
  }
  plan.classes[kStorageClass].weight = 1 + below(100);
  if (below(2)) {  // lossless, too; or in one queue with others
    plan.classes[kStorageClass].lossless = true;
    plan.buffer.size += *plan.buffer.headroom * 16;
  } else if (below(2)) {
    plan.queue_of[kStorageClass] = below(2) ? kDataClass : kBackgroundClass;
  }
  if (below(4) == 0) plan.slow.push_back({below(hosts), below(2) ? 3_Gbps : 20_Gbps});
  if (below(2)) add_transport(plan);
  return plan;
}

inline Case random_case() {
  Scenario scenario = random_scenario();
  Result<Fabric> fabric = testing::build_fabric(scenario);
  RC_ASSERT(fabric.has_value());
  Case c{std::move(scenario), std::move(*fabric), {}, {}, {}};
  const std::uint32_t hosts = c.fabric.endpoints();
  c.plan = random_plan(hosts);
  c.wire = {.mtu = below(2) ? 4096_B : 1024_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};
  const bool incast = below(2) != 0;
  for (std::uint32_t i = 0, count = 1 + below(20); i < count; i++) {
    const std::uint8_t traffic_class = std::array{kBackgroundClass, kStorageClass, kDataClass}[std::min(below(6), 2U)];
    Flow flow{below(hosts), incast ? 0 : below(hosts), c.plan.queue_of[traffic_class], {}};
    if (flow.from == flow.to) flow.from = (flow.to + 1) % hosts;
    for (std::uint32_t k = 0, messages = 1 + below(3); k < messages; k++)
      flow.messages.emplace_back(Bytes(below(3) == 0 ? below(2000) : below(400'000)), k * Time{below(50)} * 1'000'000);
    std::sort(flow.messages.begin(), flow.messages.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    c.flows.push_back(flow);
  }
  return c;
}

/// Opens and fills all flows.
template<class Driver>
void fill(const Case& c, Network& network, const Driver& offer) {
  const PathPolicy routing = path_policy_of(c.scenario.routing);
  for (std::uint32_t i = 0; i < c.flows.size(); i++) {
    const Flow& flow = c.flows[i];
    const EndpointId from(flow.from), to(flow.to);
    const auto there = hashed_path(c.fabric, from, to, header_of(c.fabric, from, to, i, i, routing.hash), routing.hash);
    const auto back = hashed_path(c.fabric, to, from, header_of(c.fabric, to, from, i, i, routing.hash), routing.hash);
    const std::uint32_t index = network.add_flow(there, back, flow.traffic_class);
    for (const auto& [size, at] : flow.messages) {
      network.add_message(index, size, at);
      offer(index);
    }
  }
}

struct Outcome {
  std::vector<FlowEvent> delivered, acknowledged;
  std::vector<PauseRecord> pauses;
  Telemetry telemetry;
};

/// What windows give that `make(network, span)` plays.
template<class Make>
Outcome run_case(const Case& c, const Make& make) {
  const PathPolicy routing = path_policy_of(c.scenario.routing);
  Network network(c.fabric, c.wire, routing, c.plan, PacketOptions{});
  const std::unique_ptr<LookaheadScheduler> windows = make(network, packet_lookahead(c.fabric, c.plan).span.count());
  fill(c, network, [&](std::uint32_t flow) { windows->offer(flow); });
  windows->run(kNever, false, kNever);
  windows->bring_rows();
  Outcome o{windows->delivered, windows->acknowledged, windows->pauses, Telemetry(c.fabric.trunk_tier.size())};
  o.telemetry.packets.emplace();
  o.telemetry.count_ports(c.fabric.port_from.size());
  observe(network, c.fabric, *windows, Picoseconds::zero(), o.telemetry);
  return o;
}

inline Outcome run_windows(const Case& c, unsigned threads, ThreadUse use = ThreadUse::always) {
  return run_case(c, [&](Network& network, Time span) {
    return std::make_unique<LookaheadScheduler>(network, span, threads, nullptr, nullptr, use);
  });
}

inline void expect_equal(const Outcome& a, const Outcome& b) {
  const auto same = [](const std::vector<FlowEvent>& x, const std::vector<FlowEvent>& y) {
    RC_ASSERT(x.size() == y.size());
    for (std::size_t i = 0; i < x.size(); i++) RC_ASSERT(x[i].at == y[i].at && x[i].flow == y[i].flow);
  };
  same(a.delivered, b.delivered);
  same(a.acknowledged, b.acknowledged);
  RC_ASSERT(a.pauses.size() == b.pauses.size());
  RC_ASSERT(a.telemetry.fingerprint.value() == b.telemetry.fingerprint.value());
  const PacketRecord &p = *a.telemetry.packets, &q = *b.telemetry.packets;
  for (const PortId port : ids(p.ports)) {
    RC_ASSERT(p.ports[port].bytes == q.ports[port].bytes);
    RC_ASSERT(p.ports[port].paused == q.ports[port].paused);
    RC_ASSERT(p.ports[port].deepest == q.ports[port].deepest);
    RC_ASSERT(p.ports[port].marked == q.ports[port].marked);
    RC_ASSERT(p.ports[port].dropped == q.ports[port].dropped);
    RC_ASSERT(p.ports[port].buffered_most == q.ports[port].buffered_most);
    RC_ASSERT(p.ports[port].headroom_most == q.ports[port].headroom_most);
  }
  for (const NodeId node : ids(p.switches)) RC_ASSERT(p.switches[node].most == q.switches[node].most);
  for (std::size_t traffic_class = 0; traffic_class < kClasses; traffic_class++) {
    const ClassRecord &x = p.classes[traffic_class], &y = q.classes[traffic_class];
    RC_ASSERT(x.marked == y.marked && x.dropped == y.dropped && x.pauses == y.pauses && x.paused == y.paused);
  }
}

}  // namespace railyard::packet
