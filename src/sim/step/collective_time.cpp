#include "sim/step/collective_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "engine/engine.h"

namespace railyard {

namespace {

/// Times a buffer passes every member: twice in an all-reduce.
double rounds_of(CollectiveKind kind) { return kind == CollectiveKind::all_reduce ? 2 : 1; }

constexpr std::int64_t kSwitchesAcross = 3;  // leaf, spine, leaf

/// Whether switches of the network add up for it: not where all of it stays inside a domain.
bool is_switched(const Op& op) { return op.by_switches && op.group.local < op.group.size; }

/// Inside domains members add up and spread parts of the buffer; what leaves a domain goes to the switches once and comes back
/// once.
Sent sent_to_switches(const Op& op) {
  const double size = static_cast<double>(op.size.count()), domains = op.group.domains, n = op.group.size;
  const double remote = size / n * (op.collective == CollectiveKind::all_gather ? 1 : domains);
  return {rounds_of(op.collective) * (1 - domains / n) * size + remote, remote};
}

/// The busier direction of the NICs of the domain with the fewest members, which all of the buffer passes.
Picoseconds switched_time(const Op& op, const ClusterLinks& links) {
  const Sent sent = sent_to_switches(op);
  const double d = op.group.domains, passed = static_cast<double>(op.size.count()) / op.group.local;
  const double narrowest = op.collective == CollectiveKind::all_gather ? passed * (d - 1) / d : passed;
  const Picoseconds latency = links.up_latency * static_cast<std::int64_t>(rounds_of(op.collective)) + links.out_latency;
  const double inside = (sent.all - sent.remote) / rate_to(links, op.group.local - 1);
  return from_seconds(std::max(narrowest / links.out_rate, inside)) + latency + links.reducing;
}

}  // namespace

ClusterLinks links_of(const GpuPlan& plan) {
  ClusterLinks links;
  links.up_rate = static_cast<double>(plan.gpu.scale_up_rate.count()) / 8 * plan.speed.scale_up_share;
  links.mesh = plan.scale_up_mesh;
  links.out_rate = static_cast<double>(plan.scale_out_rate.count()) / 8 * plan.step.scale_out_share;
  links.up_latency = plan.speed.scale_up_latency;
  links.out_latency = plan.scale_out_latency + plan.step.hop_overhead;
  links.hop_overhead = plan.step.hop_overhead;
  links.reducing = kReducerLatency * kSwitchesAcross;
  links.contention = plan.step.contention;
  links.lent_units = double(plan.step.lent_units) / plan.step.units_lent_from;
  links.overlap_launch = plan.step.overlap_launch;
  return links;
}

ClusterLinks without_network(ClusterLinks links) {
  links.out_rate = std::numeric_limits<double>::infinity();
  links.out_latency = links.hop_overhead = links.reducing = {};
  links.lent_units = 0;
  return links;
}

ClusterLinks without_scale_up(ClusterLinks links) {
  links.up_rate = std::numeric_limits<double>::infinity();
  links.up_latency = {};
  return links;
}

double rate_to(const ClusterLinks& links, std::uint32_t peers) {
  if (links.mesh < 2 || peers == 0 || peers + 1 >= links.mesh) return links.up_rate;
  return links.up_rate * peers / (links.mesh - 1);
}

Sent sent_by(const Op& op) {
  const double size = static_cast<double>(op.size.count()), n = op.group.size;
  if (op.collective == CollectiveKind::all_to_all) return {size, static_cast<double>(op.remote.count())};
  if (is_switched(op)) return sent_to_switches(op);
  const double sent = rounds_of(op.collective) * (n - 1) / n * size;
  return {sent, op.group.local < op.group.size ? sent * op.group.domains / n : 0};  // one member per domain sends across
}

Picoseconds collective_time(const Op& op, const ClusterLinks& links) {
  RY_CHECK(op.kind == OpKind::collective, "only collectives have a network time");
  if (op.group.size == 1) return Picoseconds::zero();
  if (is_switched(op)) return switched_time(op, links);
  const bool all_to_all = op.collective == CollectiveKind::all_to_all, inside = op.group.local == op.group.size;
  const Sent sent = sent_by(op);
  // Whatever a ring carries passes through the domain with the fewest members, and through their NICs.
  const double narrowest = all_to_all ? sent.remote : inside ? 0 : sent.all / op.group.local;
  const auto rounds = static_cast<std::int64_t>(rounds_of(op.collective));
  Picoseconds latency = links.up_latency * rounds;
  if (!inside) latency += all_to_all ? links.out_latency : links.out_latency * (std::int64_t{op.group.domains} - 1) * rounds;
  return from_seconds(std::max(narrowest / links.out_rate, sent.all / rate_to(links, op.group.local - 1))) + latency;
}

Picoseconds boundary_time(Bytes size, bool crosses, const ClusterLinks& links) {
  const double rate = crosses ? links.out_rate : rate_to(links, 1);
  return from_seconds(static_cast<double>(size.count()) / rate) + (crosses ? links.out_latency : links.up_latency);
}

}  // namespace railyard
