#include "sim/supported.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "collective/lower.h"
#include "engine/engine.h"
#include "engine/gpu.h"
#include "engine/qos_places.h"
#include "fabric/build.h"
#include "fabric/ecmp.h"
#include "fabric/failures.h"
#include "fabric/placement.h"
#include "fabric/routes.h"
#include "plan/headroom.h"
#include "sim/step/collective_time.h"
#include "sim/step/jitter.h"
#include "sim/traffic/traffic.h"

namespace railyard {

namespace {

struct Refusals {
  const Scenario& scenario;
  Diagnostics found;

  void add(const char* code, const std::string& key, const std::string& what, const std::string& hint) {
    found.push_back({Severity::error, code, what + " is not supported", hint, scenario.keys.where(key)});
  }
};

/// What only packets meet, and what nothing in this network does.
void refuse_failures(Refusals& refusals) {
  const Scenario& s = refusals.scenario;
  for (const Failure& failure : s.failures) {
    if (s.engine.fidelity != Fidelity::packet && failure.is_of_host())
      refusals.found.push_back(
          {Severity::error, "RY-RUN-055",
           fmt::format("\"{}\" {}, and fidelity = \"{}\" knows no packets", failure.name,
                       failure.storms ? "pauses its switch" : "takes packets in slowly", name_of(s.engine.fidelity)),
           "use fidelity = \"packet\", or a rate that is left of what it is sent: { rate = …, direction = \"in\" }",
           failure.where});
    if (s.engine.fidelity == Fidelity::packet && failure.storms && !s.packet.pfc.enabled)
      refusals.found.push_back({Severity::error, "RY-RUN-056",
                                fmt::format("\"{}\" pauses its switch, and no switch heeds pauses: PFC is off", failure.name),
                                "set transport.pfc.enabled = true, or remove storm", failure.where});
    if (s.engine.fidelity != Fidelity::packet && (failure.loss > 0 || failure.bit_errors > 0))
      refusals.found.push_back(
          {Severity::error, "RY-RUN-055",
           fmt::format("\"{}\" loses packets, and fidelity = \"{}\" knows none", failure.name, name_of(s.engine.fidelity)),
           "use fidelity = \"packet\", or a rate that is left of the link", failure.where});
  }
}

/// A GPU that is asked for by name plays all packets, or none.
void refuse_device(Refusals& refusals) {
  const Scenario& s = refusals.scenario;
  const EngineDevice device = s.packet.device;
  if (s.engine.fidelity != Fidelity::packet || (device != EngineDevice::cuda && device != EngineDevice::emulated)) return;
  const auto refuse = [&](const std::string& what, const char* key) {
    refusals.found.push_back({Severity::error, "RY-RUN-077", what,
                              "set engine.device = \"cpu\", or \"auto\", which takes a GPU where there is one that can",
                              s.keys.where(s.keys.given(key) ? key : "engine.device")});
  };
  if (const std::string why = why_no_gpu(); device == EngineDevice::cuda && !why.empty())
    refuse("engine.device = \"cuda\", and " + why, "engine.device");
  if (const auto what = not_on_gpu(s.packet)) return refuse("a GPU does not simulate " + *what, "transport.kind");
  if (!s.failures.empty()) refuse("a GPU does not simulate failures", "failures");
  if (s.fabric.switching == Switching::scheduled) refuse("a GPU does not simulate scheduled fabrics", "fabric.switching");
  if (s.workload.collective && s.workload.collective->algorithm == CollectiveAlgorithm::in_network)
    refuse("a GPU does not simulate reductions in switches", "collective.algorithm");
}

/// What is not built of virtual output queues and credits.
void refuse_scheduled(Refusals& refusals) {
  const Scenario& s = refusals.scenario;
  const auto refuse = [&](const char* key, const std::string& what, const std::string& hint) {
    refusals.add("RY-RUN-009", key, what + " in a scheduled fabric, at fidelity \"packet\",", hint);
  };
  if (!s.failures.empty()) refuse("failures", "[failures]", "use fidelity = \"flow\", or remove them");
  if (s.packet.credits.room > Bytes::zero())
    refuse("transport.kind", fmt::format("transport \"{}\", whose links have credits of their own,", name_of(s.transport.kind)),
           "use kind = \"roce\", \"tcp\" or \"uec\", or another switching");
  if (s.packet.control.kind == CongestionControl::hpcc)
    refuse("transport.control", "HPCC, which asks switches for the load of their ports,", "use another control");
  if (s.workload.collective && s.workload.collective->algorithm == CollectiveAlgorithm::in_network)
    refuse("collective.algorithm", "reduction in switches", "use another algorithm, or fidelity = \"flow\"");
}

void refuse_network(Refusals& refusals) {
  const Scenario& s = refusals.scenario;
  if (s.engine.fidelity == Fidelity::packet && s.workload.model && !s.workload.slice && s.workload.parallel.switch_reduction)
    refusals.add("RY-RUN-010", "parallel.switch_reduction",
                 "a whole training step whose switches add up, at fidelity \"packet\"",
                 "remove parallel.switch_reduction, or use fidelity = \"flow\" or \"analytic\"");
  refuse_failures(refusals);
  refuse_device(refusals);
  if (!s.routing.fixed.empty() && (s.engine.fidelity != Fidelity::packet || s.workload.model))
    refusals.add("RY-RUN-050", "routing.static",
                 s.workload.model ? "[routing.static] for training steps"
                                  : fmt::format("[routing.static] at fidelity \"{}\"", name_of(s.engine.fidelity)),
                 "remove it: only [traffic] and [collective] at fidelity = \"packet\" follow static routes");
  else if (!s.routing.fixed.empty() && !keeps_path(s.routing.policy))
    refusals.add("RY-RUN-050", "routing.static",
                 fmt::format("[routing.static] with policy = \"{}\"", name_of(s.routing.policy)),
                 "use policy = \"ecmp\", \"e-ecmp\" or \"pinned\"");
  const bool flows = s.engine.fidelity != Fidelity::analytic;
  if (s.workload.model && flows && !s.keys.given("fabric.topology"))
    refusals.found.push_back(
        {Severity::error, "RY-RUN-026", "fidelity = \"flow\" and \"packet\" need a fabric for a training step",
         "set fabric.topology and its keys, or use fidelity = \"analytic\"", s.keys.where("engine.fidelity")});
  if (s.workload.model && !flows) return;  // sees links, no fabric
  if (s.fabric.switching == Switching::scheduled && s.engine.fidelity == Fidelity::packet) refuse_scheduled(refusals);
  if (s.transport.kind == TransportKind::srd && s.engine.fidelity == Fidelity::packet)
    refusals.add("RY-RUN-008", "transport.kind", "transport \"srd\" at fidelity \"packet\"",
                 "use fidelity = \"flow\": how SRD paces its packets is not published");
  if (!flows && (s.transport.kind == TransportKind::tcp || s.transport.kind == TransportKind::uec))
    refusals.add("RY-RUN-008", "transport.kind",
                 fmt::format("transport \"{}\" at fidelity \"analytic\"", name_of(s.transport.kind)),
                 "use fidelity = \"flow\" or \"packet\", or kind = \"roce\" or \"infiniband\"");
}

}  // namespace

Diagnostics no_lookahead(const Scenario& scenario, const Fabric& fabric) {
  const PacketLookahead lookahead = packet_lookahead(fabric, scenario.packet);
  if (lookahead.span == Picoseconds::zero() && lookahead.is_pause)
    return {{Severity::error, "RY-RUN-037", "fidelity = \"packet\" needs a PFC response time > 0",
             "set transport.pfc.response, or a cable length", scenario.keys.where("transport.pfc.response")}};
  if (lookahead.span == Picoseconds::zero())
    return {{Severity::error, "RY-RUN-037", "fidelity = \"packet\" needs a link or switch latency > 0",
             "set fabric.link_delay, fabric.cable or fabric.switch_latency, 1 ns or more", scenario.keys.where("fabric")}};
  if (scenario.workload.traffic || fabric.host_latency > Picoseconds::zero()) return {};
  return {{Severity::error, "RY-RUN-038", "packet-level collectives and traces need fabric.host_latency > 0",
           "set it (1 us is usual), or name a NIC: cluster.nic", scenario.keys.where("engine.fidelity")}};
}

Diagnostics no_shared_buffer(const Scenario& scenario, const Fabric& fabric) {
  const PacketPlan& plan = scenario.packet;
  const std::vector<std::uint32_t> profiles =
      plan.qos.profiles.empty() ? std::vector<std::uint32_t>() : profiles_by_port(plan.qos, fabric);
  Table<NodeId, Bytes> aside(fabric.kind.size());
  for (const PortId port : ids(fabric.port_to)) {
    const TrunkId trunk = fabric.port_trunk[port];
    const Tier tier = fabric.trunk_tier[trunk];
    if (is_scale_up(tier) || (fabric.switching == Switching::scheduled && tier != Tier::host_up)) continue;
    if (!profiles.empty()) {
      const DeviceQos& device = plan.qos.profiles[profiles[reverse_of(fabric, port).index()]];
      aside[fabric.port_to[port]] += kept_for_link(device, plan, fabric.trunk_port_rate[trunk], fabric.trunk_cable[trunk]);
      continue;
    }
    for (const ClassPlan& c : plan.classes) {
      if (!c.counted) continue;
      aside[fabric.port_to[port]] += plan.buffer.reserve;
      if (c.lossless && plan.pfc.enabled)
        aside[fabric.port_to[port]] += headroom_of(plan, fabric.trunk_port_rate[trunk], fabric.trunk_cable[trunk]);
    }
  }
  Bytes most;
  for (const NodeId node : ids(fabric.kind))
    if (fabric.kind[node] != NodeKind::host) most = std::max(most, aside[node]);
  const Bytes needed = most + (plan.pfc.enabled ? plan.buffer.xoff.value_or(Bytes::zero()) : Bytes::zero());
  if (most < plan.buffer.size && needed <= plan.buffer.size) return {};
  return {
      {Severity::error, "RY-RUN-039",
       fmt::format("headroom and reserve of all ports need {}{}, and the switch buffer has {}", format(most),
                   needed > most ? fmt::format(", and xoff {} more", format(*plan.buffer.xoff)) : "", format(plan.buffer.size)),
       "use a larger buffer, shorter cables, fewer ports, or less headroom and reserve", scenario.keys.where("fabric.buffer")}};
}

Diagnostics no_room_for_cells(const Scenario& scenario, const Fabric& fabric) {
  if (fabric.switching != Switching::scheduled) return {};
  for (const BlockId pod : ids(fabric.blocks)) {
    if (fabric.blocks[pod].kind != NodeKind::spine || !fabric.blocks[pod].parent.valid()) continue;
    BitsPerSecond below;
    for (const Block& leaf : fabric.blocks)
      if (leaf.parent == pod) below += fabric.trunk_rate(leaf.up);
    const BitsPerSecond above = fabric.trunk_rate(fabric.blocks[pod].up);
    if (above >= below) continue;
    return {{Severity::error, "RY-RUN-009",
             fmt::format("links above spines have {} and those below them {}: cells that wait between the two, in a scheduled "
                         "fabric, at fidelity \"packet\", are not supported",
                         format(above), format(below)),
             "use as many links above spines as below, or fidelity = \"flow\"", scenario.keys.where("fabric.switching")}};
  }
  return {};
}

Diagnostics no_such_devices(const Scenario& scenario, const Fabric& fabric) {
  return missing_devices(scenario.packet.qos, fabric);
}

Diagnostics unsupported(const Scenario& scenario) {
  if (scenario.workload.serving)
    return {{Severity::error, "RY-SRV-009", "this is not for serving: it needs a training step, a collective or traffic",
             "use railyard run or railyard check, or remove [serving]", scenario.keys.where("serving")}};
  Refusals refusals{scenario, {}};
  refuse_network(refusals);
  sort_by_location(refusals.found);
  return refusals.found;
}

namespace {

/// More than any way through `fabric` takes: every node's longest delay, as often as there are hops.
Picoseconds longest_delay(const Fabric& fabric) {
  Picoseconds longest;
  for (const Picoseconds delay : fabric.trunk_delay) longest = std::max(longest, delay);
  return longest * static_cast<std::int64_t>(path_of(fabric, EndpointId(0), EndpointId(fabric.endpoints() - 1)).size() + 4);
}

}  // namespace

Diagnostics too_long(const Scenario& scenario, const Fabric& fabric) {
  // What all ranks under a leaf send, one after the other over the slowest port, bounds any order of events from above; doubles
  // are exact enough for a refusal.
  constexpr double kLongest = 1e18;  // picoseconds: eleven days, a ninth of what fits
  constexpr double kMostBytes = 1e18;
  const double ranks = scenario.workload.group_size(fabric.endpoints());
  const double header = static_cast<double>((scenario.transport.header + scenario.transport.message_header).count());
  double slowest = 1e300;
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    slowest = std::min(slowest, static_cast<double>(fabric.trunk_port_rate[trunk].count()));
  const double delay = static_cast<double>(longest_delay(fabric).count());
  Diagnostics found;
  for (const Bytes size : scenario.workload.collective->sizes) {
    const double rounds = 2 * (ranks - 1) + kLongestPipeline;
    const double packets = static_cast<double>(size.count()) / static_cast<double>(scenario.transport.mtu.count()) + ranks;
    const double bytes_per_rank = 4 * (static_cast<double>(size.count()) + (packets + rounds) * header);  // of any algorithm
    const double on_one_port = bytes_per_rank * (fabric.blocks.size() > 1 ? ranks : 1);
    if (bytes_per_rank * ranks < kMostBytes && on_one_port * 8e12 / slowest + rounds * delay < kLongest) continue;
    found.push_back({Severity::error, "RY-RUN-011",
                     fmt::format("{} of {} over {} ranks exceeds Railyard's limits of time or bytes",
                                 name_of(scenario.workload.collective->kind), format(size), ranks),
                     "use a smaller size, a smaller group or faster links", scenario.keys.where("collective.sizes")});
  }
  return found;
}

Diagnostics too_long(const Scenario& scenario, const Step& step) {
  constexpr double kLongest = 1e17;  // picoseconds: more than a day
  const ClusterLinks links = links_of(*scenario.workload.gpu);
  double sum = static_cast<double>(boundary_time(step.boundary, true, links).count());
  const auto add = [&](const Op& op, double times) {
    if (op.kind == OpKind::collective) sum += static_cast<double>(collective_time(op, links).count()) * times;
  };
  for (const VirtualStageWork& work : step.works)
    for (const auto* segments : {&work.forward, &work.backward})
      for (const Segment& segment : *segments)
        for (const Op& op : segment.ops) add(op, segment.repeats);
  sum *= static_cast<double>(step.pipeline.micro_batches) * step.pipeline.chunks;
  for (const StageWork& stage : step.stages)
    for (const auto* chunks : {&stage.gradients, &stage.gathers})
      for (const std::vector<Op>& ops : *chunks)
        for (const Op& op : ops) {
          const double buckets =
              1 + static_cast<double>(op.size.count()) / static_cast<double>(scenario.workload.parallel.bucket.count());
          add(op, 1);
          sum += buckets * static_cast<double>((links.out_latency * op.group.size + links.up_latency * 2).count());
        }
  if (sum < kLongest) return {};
  return {{Severity::error, "RY-RUN-013", "this step communicates for more than a day", "use faster links or a smaller model",
           scenario.keys.where("model")}};
}

Diagnostics without_effect(const Scenario& scenario, const Fabric& fabric) {
  Diagnostics found = scenario.warnings;
  if (fabric.blocks.size() != 1 || scenario.fabric.topology == Topology::star || scenario.fabric.topology == Topology::file)
    return found;
  for (const char* path : {"fabric.oversubscription", "fabric.spines", "fabric.uplinks", "fabric.uplink_rate",
                           "fabric.spine_radix", "fabric.spine_uplinks", "fabric.cores", "fabric.core_rate"})
    if (scenario.keys.given(path)) found.push_back(no_effect(scenario.keys, path, "all hosts fit under one leaf"));
  sort_by_location(found);
  return found;
}

Diagnostics warnings_for(const Scenario& scenario, const Step& step) {
  Diagnostics found;
  const auto warn = [&](const char* code, const std::string& key, std::string what, std::string hint) {
    found.push_back({Severity::warning, code, std::move(what), std::move(hint), scenario.keys.where(key)});
  };
  const PipelinePlan& pipeline = step.pipeline;
  if (pipeline.micro_batches < pipeline.stages)
    warn("RY-RUN-022", "training.global_batch",
         fmt::format("{} micro-batches never fill {} stages", pipeline.micro_batches, pipeline.stages),
         fmt::format("use a global_batch of at least {}, or fewer stages",
                     std::uint64_t{pipeline.stages} * step.layout.data * scenario.workload.training.micro_batch_size));
  for (const GroupKind kind : {GroupKind::tensor, GroupKind::context, GroupKind::expert, GroupKind::data}) {
    const Group group = step.layout.group(kind);
    if (!group.uneven()) continue;
    warn("RY-RUN-023", scenario.keys.given("cluster.scale_up_domain") ? "cluster.scale_up_domain" : "cluster.gpus",
         fmt::format(
             "groups of {} {} ranks are spread unevenly over scale-up domains of {}: the smallest share, {}, limits them",
             group.size, name_of(kind), step.layout.domain, group.local),
         "set cluster.scale_up_domain to the GPUs of a domain that the job uses (64 of 72), or change a degree");
    break;
  }
  const Bytes room = scenario.workload.gpu->gpu.memory;
  for (const StageWork& stage : step.stages) {
    constexpr double kTight = 0.99;
    if (static_cast<double>(stage.memory.total().count()) < kTight * static_cast<double>(room.count())) continue;
    warn("RY-MEM-002", "parallel", fmt::format("the plan uses {} of {}", format(stage.memory.total()), format(room)),
         "leave room for fragmentation");
    break;
  }
  return found;
}

Diagnostics warnings_for(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement) {
  std::vector<std::string> torn;
  for (const GroupKind kind : {GroupKind::tensor, GroupKind::context, GroupKind::expert}) {
    const Group group = step.layout.group(kind);
    if (group.size == 1 || group.local < group.size) continue;
    const std::vector<std::uint32_t> members = step.layout.members(group, 0);
    const EndpointId first = placement[RankId(members.front())];
    const auto away = [&](std::uint32_t member) {
      return fabric.domain_of(placement[RankId(member)]) != fabric.domain_of(first);
    };
    if (std::any_of(members.begin(), members.end(), away)) torn.emplace_back(name_of(kind));
  }
  if (torn.empty()) return {};
  return {{Severity::warning, "RY-RUN-027",
           fmt::format("this placement splits {} groups over scale-up domains: their traffic crosses the network",
                       schema::join(torn, " and ")),
           "use a placement that keeps servers whole (in-order), unless that is the question",
           scenario.keys.where("placement.policy")}};
}

Diagnostics warnings_for(const Scenario& scenario, const std::vector<std::vector<EndpointId>>& nodes) {
  Diagnostics found;
  const auto [fewest, most] =
      std::minmax_element(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (scenario.workload.library && fewest->size() != most->size())
    found.push_back(
        {Severity::warning, "RY-RUN-024",
         fmt::format(
             "nodes hold {} to {} ranks of the group: the library time assumes equal nodes with the NICs of the smallest",
             fewest->size(), most->size()),
         "use a group with the same number of ranks on every node",
         scenario.keys.where(scenario.workload.collective->group ? "collective.group" : "cluster.gpus")});
  if (scenario.workload.collective->algorithm == CollectiveAlgorithm::in_network &&
      scenario.transport.kind != TransportKind::infiniband && !scenario.fabric.reduces)
    found.push_back({Severity::warning, "RY-RUN-025",
                     "these switches are not known to add up what passes through them: this is hypothetical",
                     "use kind = \"infiniband\", switch = \"Tomahawk-Ultra\", or another algorithm, for switches that do",
                     scenario.keys.where("collective.algorithm")});
  return found;
}

}  // namespace railyard
