#include "sim/message_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "collective/lower.h"
#include "fabric/ecmp.h"
#include "fabric/routes.h"

namespace railyard {

namespace {

// Bytes, as runs of 512 and 1,024 ranks were seen to need, and a quarter to a half more.
constexpr double kProgramBytes = 38.0 * 1024 * 1024;              // the program, its catalog and what is not counted below
constexpr double kPortBytes = 320;                                // of the fabric and of what engine and results keep of it
constexpr double kProbeBytes = 8.0 * 1024 * 1024;                 // of a library's probes over flows, whatever the fabric
constexpr double kAnalyticProbePort = 200, kFlowProbePort = 235;  // kPortBytes, where only those are measured
constexpr double kTransferBytes = 40;                             // of a schedule, which stays with its results
constexpr double kMessageBytes = 160;                             // of traffic, beyond its connection
struct PerConnection {
  double itself, link, path;  // path: every further one of queue pairs that take turns
};
constexpr double kAnalyticMessage = 180;  // of a connection in closed form: what it has while a message is under way
// Where rates change many times, and where none does: those need no tables to follow them.
constexpr PerConnection kAnalyticConnection{420, 48, 96}, kFlowConnection{440, 60, 240};
constexpr PerConnection kSteadyAnalyticConnection{180, 40, 96}, kSteadyFlowConnection{230, 40, 240};

double bytes_of_fabric(const Fabric& fabric) {
  return kProgramBytes + kPortBytes * static_cast<double>(fabric.port_from.size());
}

/// Links that a path crosses, at most: between the first endpoint and others that lie evenly apart.
std::size_t longest_path_of(const Fabric& fabric) {
  constexpr std::uint32_t kLookedAt = 64;
  const std::uint32_t endpoints = fabric.endpoints();
  std::size_t longest = 2;
  for (std::uint32_t i = 1; i <= kLookedAt; i++) {
    const auto other = static_cast<std::uint32_t>(std::uint64_t{endpoints - 1} * i / kLookedAt);
    if (other == 0) continue;
    const TrunkPath path = path_of(fabric, EndpointId(0), EndpointId(other));
    longest = std::max(longest, path.size());
  }
  return longest;
}

Bytes whole_bytes(double bytes) { return Bytes(static_cast<std::int64_t>(std::min(bytes, 1e18))); }

Diagnostic refuse_memory(const Scenario& scenario, const char* key, Bytes need, std::string what_for, Bytes limit,
                         std::string hint) {
  return {Severity::error, "RY-RUN-034",
          fmt::format("this run may need {} of memory for {}; the limit is {}", format(need), what_for, format(limit)),
          std::move(hint), scenario.keys.where(key)};
}

}  // namespace

double direct_pairs(const CollectiveSpec& spec, std::uint32_t ranks) {
  const CollectiveAlgorithm algorithm =
      spec.algorithm == CollectiveAlgorithm::automatic ? algorithms_for(spec.kind).front() : spec.algorithm;
  return algorithm == CollectiveAlgorithm::direct ? static_cast<double>(ranks) * (ranks - 1.0) : 0;
}

Bytes memory_of_connection(const Scenario& scenario, const Fabric& fabric, Changes changes) {
  const bool flows = scenario.engine.fidelity == Fidelity::flow;
  const PerConnection& each = changes == Changes::many ? (flows ? kFlowConnection : kAnalyticConnection)
                                                       : (flows ? kSteadyFlowConnection : kSteadyAnalyticConnection);
  const PathPolicy routing = path_policy_of(scenario.routing);
  const auto hops = static_cast<double>(longest_path_of(fabric));
  const double more = keeps_path(routing.policy) ? routing.queue_pairs - 1.0 : 0;
  const double links = routing.use == QpUse::split ? hops + more * (hops - 2) : hops;
  return whole_bytes(each.itself + each.link * links + (routing.use == QpUse::split ? 0 : more * each.path));
}

Bytes collective_memory(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks, std::size_t at_once) {
  const CollectiveSpec& spec = *scenario.workload.collective;
  const double pairs = direct_pairs(spec, ranks);
  const double rounds = spec.kind == CollectiveKind::all_reduce ? 2 : 1;
  const bool steady = spec.kind == CollectiveKind::all_to_all && spec.skew == 0;
  const Bytes connection = memory_of_connection(scenario, fabric, steady ? Changes::none : Changes::many);
  const double each = static_cast<double>(connection.count()) * static_cast<double>(at_once) +
                      kTransferBytes * rounds * static_cast<double>(spec.sizes.size());
  return pairs == 0 ? Bytes::zero() : whole_bytes(bytes_of_fabric(fabric) + pairs * each);
}

Bytes schedule_memory(const Scenario& scenario, const Fabric& fabric, std::uint64_t connections, std::uint64_t transfers) {
  const auto at_once = static_cast<double>(scenario.workload.collective->sizes.size());
  const double idle = scenario.engine.fidelity == Fidelity::analytic ? kAnalyticMessage : 0;
  const double each = static_cast<double>(memory_of_connection(scenario, fabric).count()) - idle;
  return whole_bytes(bytes_of_fabric(fabric) +
                     at_once * (each * static_cast<double>(connections) + kTransferBytes * static_cast<double>(transfers)));
}

Bytes probe_memory(const Scenario& scenario, const Fabric& fabric, std::uint64_t connections) {
  const double each = static_cast<double>(memory_of_connection(scenario, fabric, Changes::none).count());
  const bool flows = scenario.engine.fidelity == Fidelity::flow;
  return whole_bytes(kProgramBytes + (flows ? kProbeBytes : 0) +
                     (flows ? kFlowProbePort : kAnalyticProbePort) * static_cast<double>(fabric.port_from.size()) +
                     each * static_cast<double>(connections));
}

Diagnostics too_long_schedule(const Scenario& scenario, Bytes need, std::uint32_t ranks, Bytes limit) {
  if (need <= limit) return {};
  const double share = static_cast<double>(limit.count()) / static_cast<double>(need.count());
  const char* const key = scenario.workload.collective->group ? "collective.group" : "cluster.gpus";
  return {refuse_memory(
      scenario, key, need, fmt::format("the schedule of {} ranks", format_count(ranks)), limit,
      fmt::format("use about {} ranks or fewer, another algorithm, or fewer sizes at once",
                  format_count(static_cast<std::uint64_t>(std::max(2.0, std::floor(share * static_cast<double>(ranks)))))))};
}

Diagnostics too_many_pairs(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks, std::size_t at_once,
                           Bytes limit) {
  const Bytes need = collective_memory(scenario, fabric, ranks, at_once);
  const bool numbered = scenario.workload.collective->kind != CollectiveKind::all_to_all || ranks <= 0xFFFF;  // else RY-RUN-005
  if (need <= limit || !numbered) return {};
  const auto fits = [&](std::uint32_t n) { return collective_memory(scenario, fabric, n, at_once) <= limit; };
  std::uint32_t most = 1, too_many = ranks;
  while (too_many - most > 1) (fits((most + too_many) / 2) ? most : too_many) = (most + too_many) / 2;
  const char* const key = scenario.workload.collective->group ? "collective.group" : "cluster.gpus";
  return {refuse_memory(scenario, key, need, fmt::format("messages between all pairs of {} ranks", format_count(ranks)), limit,
                        most < 2 ? "use a smaller fabric, another algorithm or fewer sizes at once"
                                 : fmt::format("use at most {} ranks, or another algorithm", format_count(most)))};
}

Bytes messages_memory(const Scenario& scenario, const Fabric& fabric, std::uint64_t pairs, std::uint64_t messages) {
  const double each = static_cast<double>(memory_of_connection(scenario, fabric).count());
  return whole_bytes(bytes_of_fabric(fabric) + each * static_cast<double>(pairs) +
                     kMessageBytes * static_cast<double>(messages));
}

Diagnostics too_many_messages(const Scenario& scenario, const Fabric& fabric, std::uint64_t pairs, std::uint64_t messages,
                              Bytes limit) {
  const Bytes need = messages_memory(scenario, fabric, pairs, messages);
  if (need <= limit) return {};
  const double fixed = bytes_of_fabric(fabric), each = static_cast<double>(memory_of_connection(scenario, fabric).count());
  const double left = std::max(0.0, static_cast<double>(limit.count()) - fixed);
  const auto fit = static_cast<std::uint64_t>(left / (each + kMessageBytes));
  return {refuse_memory(
      scenario, "traffic", need, fmt::format("{} messages between {} pairs", format_count(messages), format_count(pairs)),
      limit, fmt::format("use fewer hosts or messages: {} messages, each between another pair, fit", format_count(fit)))};
}

}  // namespace railyard
