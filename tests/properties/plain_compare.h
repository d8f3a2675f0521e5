// The packet engine on a case of the plain model, and what the two disagree about.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "plain_network.h"

namespace railyard {

/// The packet engine's account of a case.
struct EngineRun {
  Fabric fabric;
  Telemetry telemetry;
  std::vector<std::vector<PlainEnd>> ends;  // by flow and message
};

inline Fabric fabric_of(const PlainCase& c) {
  Scenario scenario = testing::star(static_cast<std::uint32_t>(c.hosts.size()), 100_Gbps, 1_us, c.switch_latency);
  scenario.routing.policy = RoutingPolicy::ecmp;
  scenario.fabric.host_latency = c.host_latency;
  Fabric fabric = testing::built(scenario);
  for (std::uint32_t i = 0; i < c.hosts.size(); i++) {
    const TrunkId up = host_up_trunk(fabric, InterfaceId(i)), down = host_down_trunk(fabric, InterfaceId(i));
    for (const TrunkId trunk : {up, down}) {
      fabric.trunk_port_rate[trunk] = c.hosts[i].rate;
      fabric.trunk_delay[trunk] += c.hosts[i].cable - fabric.trunk_cable[trunk];
      fabric.trunk_cable[trunk] = c.hosts[i].cable;
    }
  }
  return fabric;
}

inline EngineRun run_engine(const PlainCase& c) {
  Fabric fabric = fabric_of(c);
  EngineRun run{fabric, Telemetry(fabric.trunk_tier.size()), {}};
  const auto engine = make_packet_engine(run.fabric, {c.mtu, c.header, c.message_header}, {.policy = RoutingPolicy::ecmp},
                                         c.plan, {.threads = 1, .all_posted = true}, run.telemetry);
  struct Post {
    Picoseconds at;
    std::uint32_t flow, message;
    QpId connection;
  };
  std::vector<Post> posts;
  for (std::uint32_t i = 0; i < c.flows.size(); i++) {
    const QpId connection = engine->open({EndpointId(c.flows[i].from), EndpointId(c.flows[i].to)});
    run.ends.emplace_back(c.flows[i].messages.size());
    for (std::uint32_t k = 0; k < c.flows[i].messages.size(); k++)
      posts.push_back({c.flows[i].messages[k].posted, i, k, connection});
  }
  std::stable_sort(posts.begin(), posts.end(), [](const Post& a, const Post& b) { return a.at < b.at; });
  for (std::uint32_t id = 0; id < posts.size(); id++) {
    const Post& post = posts[id];
    const Message message{MessageId(id), post.connection, c.flows[post.flow].messages[post.message].size};
    engine->post({&message, 1}, post.at);
  }
  std::vector<Completion> done;
  do {
    done.clear();
    engine->advance(Picoseconds::max(), done);
  } while (!done.empty());
  engine->finish();
  for (const MessageRecord& record : run.telemetry.packets->messages) {
    const Post& post = posts[record.id.index()];
    run.ends[post.flow][post.message].delivered = record.delivered;
    if (record.acknowledged > 0_ps) run.ends[post.flow][post.message].acknowledged = record.acknowledged;
  }
  return run;
}

/// Collects what differs, so that a failure tells all of it.
struct PlainDifferences {
  std::string text;
  template<class T>
  void add(const std::string& what, const T& plain, const T& engine) {
    if (plain != engine) text += what + ": plain " + std::to_string(plain) + ", engine " + std::to_string(engine) + "\n";
  }
};

template<class Network>
void compare_messages(const PlainCase& c, const Network& plain, const EngineRun& run, PlainDifferences& found) {
  const auto time = [](const std::optional<Picoseconds>& at) { return at ? at->count() : -1; };
  for (std::uint32_t i = 0; i < c.flows.size(); i++)
    for (std::size_t k = 0; k < c.flows[i].messages.size(); k++) {
      const std::string name = "flow " + std::to_string(i) + " message " + std::to_string(k);
      const PlainEnd &a = plain.ends(i)[k], &b = run.ends[i][k];
      found.add(name + " delivered", time(a.delivered), time(b.delivered));
      if (b.delivered) found.add(name + " acknowledged", time(a.acknowledged), time(b.acknowledged));
    }
}

inline void compare_port(const std::string& name, const PlainPortCount& plain, const PortRecord& engine,
                         PlainDifferences& found) {
  found.add(name + " packets", plain.packets, engine.packets);
  found.add(name + " bytes", plain.bytes.count(), engine.bytes.count());
  found.add(name + " marked", plain.marked, engine.marked);
  found.add(name + " dropped", plain.dropped, engine.dropped);
  found.add(name + " pauses", plain.pauses, engine.pauses);
  found.add(name + " paused", plain.paused.count(), engine.paused.count());
}

template<class Network>
void compare_ports(const PlainCase& c, const Network& plain, const EngineRun& run, PlainDifferences& found) {
  for (std::uint32_t i = 0; i < c.hosts.size(); i++) {
    const auto port_of = [&](TrunkId trunk) { return run.telemetry.packets->ports[*run.fabric.trunk_ports[trunk].begin()]; };
    const std::string host = "host " + std::to_string(i);
    const PortRecord up = port_of(host_up_trunk(run.fabric, InterfaceId(i)));
    compare_port(host + " up", plain.up(i).count, up, found);
    compare_port(host + " down", plain.down(i).count, port_of(host_down_trunk(run.fabric, InterfaceId(i))), found);
    found.add(host + " buffered", plain.at_switch().held_most(i).count(), up.buffered_most.count());
    found.add(host + " headroom", plain.at_switch().headroom_most(i).count(), up.headroom_most.count());
  }
}

template<class Network>
void compare_sums(const PlainCase& c, const Network& plain, const EngineRun& run, PlainDifferences& found) {
  const PacketRecord& record = *run.telemetry.packets;
  PlainReceiverCount received;
  PlainSenderCount sent;
  std::uint64_t broken = 0;
  for (std::uint32_t i = 0; i < c.flows.size(); i++) {
    const PlainReceiverCount& r = plain.receiver(i).count;
    received.acks += r.acks, received.naks += r.naks, received.cnps += r.cnps, received.thrown_away += r.thrown_away;
    const PlainSenderCount& s = plain.sender(i).count;
    sent.retransmissions += s.retransmissions, sent.timeouts += s.timeouts, sent.cnps += s.cnps;
    broken += s.broken ? 1 : 0;
  }
  const auto drops = [&](DropReason reason) { return record.drops[static_cast<std::size_t>(reason)]; };
  found.add("ACKs", received.acks, record.acks);
  found.add("NAKs", received.naks, record.naks);
  found.add("CNPs sent", received.cnps, record.cnp_sent);
  found.add("CNPs handled", sent.cnps, record.cnp_handled);
  found.add("thrown away", received.thrown_away, drops(DropReason::out_of_order));
  found.add("dropped for want of buffer", plain.at_switch().count.dropped_in_buffer, drops(DropReason::buffer));
  found.add("dropped for want of headroom", plain.at_switch().count.dropped_in_headroom, drops(DropReason::headroom));
  found.add("retransmissions", sent.retransmissions, record.retransmissions);
  found.add("timeouts", sent.timeouts, record.timeouts);
  found.add("broken", broken, record.broken);
  found.add("pauses", plain.at_switch().count.pauses, record.pauses);
  found.add("resumes", plain.at_switch().count.resumes, record.resumes);
}

template<class Network>
void compare_pauses(const Network& plain, const EngineRun& run, PlainDifferences& found) {
  const auto& log = plain.at_switch().count.pause_log;
  const std::vector<PauseRecord>& record = run.telemetry.packets->pause_log;
  for (std::size_t i = 0; i < std::min(log.size(), record.size()); i++) {
    found.add("pause " + std::to_string(i) + " at", log[i].first.count(), record[i].at.count());
    const NodeId host = run.fabric.port_from[record[i].paused_port];
    found.add("pause " + std::to_string(i) + " stops", log[i].second, host.index());
  }
}

inline std::string describe(const PlainCase& c) {
  const PacketPlan& plan = c.plan;
  std::string text = fmt::format(
      "mtu {}, host latency {}, switch latency {}, ack every {}{}, timeout {}, retries {}, {}, reorder {}\n", c.mtu.count(),
      c.host_latency.count(), c.switch_latency.count(), plan.nic.ack_every, plan.nic.ack_with_data ? " with data" : "",
      plan.nic.timeout.count(), plan.nic.retries, name_of(plan.nic.recovery), plan.nic.reorder);
  text += fmt::format("buffer {}, reserve {}, alpha {}{}\n", plan.buffer.size.count(), plan.buffer.reserve.count(),
                      plan.buffer.alpha, plan.buffer.release_at_start ? ", released at the start" : "");
  if (plan.ecn.enabled) text += fmt::format("marks above {}\n", plan.ecn.kmin.count());
  if (plan.pfc.enabled)
    text += fmt::format("headroom {}, xoff {}, xon {}, xon_offset {}, frame {}, response {}\n", plan.buffer.headroom->count(),
                        plan.buffer.xoff.value_or(0_B).count(), plan.buffer.xon.value_or(0_B).count(),
                        plan.buffer.xon_offset.count(), plan.pfc.frame.count(), plan.pfc.response->count());
  const DcqcnPlan& dcqcn = plan.dcqcn;
  if (dcqcn.enabled)
    text += fmt::format(
        "clamp {} {}, time {}, bytes {}, threshold {}, rates {} {} {} {} {}, gd {}, kept {}, weight {}, alpha every {} from "
        "{}, "
        "cut every {}, gap {}, paced by {}\n",
        dcqcn.clamp_tgt_rate, dcqcn.clamp_tgt_rate_after_time_inc, dcqcn.rpg_time_reset.count(), dcqcn.rpg_byte_reset.count(),
        dcqcn.rpg_threshold, dcqcn.rpg_max_rate.count(), dcqcn.rpg_min_rate.count(), dcqcn.rpg_ai_rate.count(),
        dcqcn.rpg_hai_rate.count(), dcqcn.rate_to_set_on_first_cnp.count(), dcqcn.rpg_gd, dcqcn.rpg_min_dec_fac,
        dcqcn.dce_tcp_g, dcqcn.dce_tcp_rtt.count(), dcqcn.initial_alpha_value, dcqcn.rate_reduce_monitor_period.count(),
        dcqcn.min_time_between_cnps.count(), name_of(dcqcn.pacing));
  for (const PlainHost& host : c.hosts) text += fmt::format("host {} b/s, cable {}\n", host.rate.count(), host.cable.count());
  for (const PlainFlow& flow : c.flows)
    for (const PlainMessage& message : flow.messages)
      text += fmt::format("{} to {}: {} bytes at {}\n", flow.from, flow.to, message.size.count(), message.posted.count());
  return text;
}

}  // namespace railyard
