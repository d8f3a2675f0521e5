#include "sim/trace/trace_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "collective/lower.h"
#include "sim/collective/group.h"

namespace railyard {

namespace {

constexpr Bytes kBarrier = 8_B;
constexpr std::uint32_t kLargestExchange = 65'535;                         // ranks of an all-to-all: pairs have 32-bit numbers
constexpr std::uint64_t kMostOfCollective = (std::uint64_t{1} << 32) - 1;  // messages

CollectiveAlgorithm algorithm_for(CollectiveKind kind, CollectiveAlgorithm asked) {
  const auto known = algorithms_for(kind);
  return std::find(known.begin(), known.end(), asked) != known.end() ? asked : known.front();
}

Placement seats_of_group(const std::vector<std::uint32_t>& members, const Placement& placement) {
  Placement seats;
  for (const std::uint32_t member : members) seats.push(placement[RankId(member)]);
  return seats;
}

Diagnostic too_many_of(const Scenario& scenario, CollectiveKind kind, std::uint32_t ranks) {
  return {Severity::error, "RY-RUN-005",
          fmt::format("{} over {} ranks has more messages than the engine simulates", name_of(kind), ranks),
          "use a trace of smaller groups, or another algorithm", scenario.keys.where("trace")};
}

Result<TraceSchedule> lower_call(const Scenario& scenario, const TraceGraph& graph, const TraceCall& call, const Fabric& fabric,
                                 const Placement& placement) {
  const bool barrier = call.kind == TraceCollective::barrier;
  const CollectiveKind kind = kind_of(call.kind);
  SeatedGroup seats = seat_group(fabric, seats_of_group(graph.groups[call.group], placement));
  const CollectiveAlgorithm algorithm =
      barrier ? CollectiveAlgorithm::tree : algorithm_for(kind, scenario.workload.trace->algorithm);
  if (kind == CollectiveKind::all_to_all && seats.shape.positions > kLargestExchange)
    return too_many_of(scenario, kind, seats.shape.positions);
  Result<Schedule> schedule = lower(kind, algorithm, seats.shape, barrier ? kBarrier : call.size);
  if (!schedule) {
    Diagnostics errors = schedule.error();
    for (Diagnostic& error : errors) error.where = scenario.keys.where("trace.algorithm");
    return errors;
  }
  if (schedule->messages() > kMostOfCollective) return too_many_of(scenario, kind, seats.shape.positions);
  return TraceSchedule{std::move(*schedule), std::move(seats.seats)};
}

}  // namespace

CollectiveKind kind_of(TraceCollective kind) {
  switch (kind) {
    case TraceCollective::all_reduce:
    case TraceCollective::barrier:
      return CollectiveKind::all_reduce;
    case TraceCollective::all_gather:
      return CollectiveKind::all_gather;
    case TraceCollective::reduce_scatter:
      return CollectiveKind::reduce_scatter;
    case TraceCollective::all_to_all:
      return CollectiveKind::all_to_all;
    case TraceCollective::broadcast:
      return CollectiveKind::broadcast;
    case TraceCollective::reduce:
      return CollectiveKind::reduce;
  }
  check_failed("kind", "a collective of a trace is of a known kind", __FILE__, __LINE__);
}

Result<TraceSchedules> lower_trace(const Scenario& scenario, const TraceGraph& graph, const Fabric& fabric,
                                   const Placement& placement) {
  TraceSchedules out;
  out.of_call = Table<TraceCallId, std::uint32_t>(graph.calls.size(), TraceSchedules::kNothing);
  std::map<std::tuple<TraceGroupId, TraceCollective, Bytes>, std::uint32_t> known;
  for (const TraceCallId id : ids(graph.calls)) {
    const TraceCall call = graph.calls[id];
    const bool sends = call.size > Bytes::zero() || call.kind == TraceCollective::barrier;
    if (!sends || graph.groups[call.group].size() < 2) continue;
    const auto [entry, is_new] =
        known.try_emplace({call.group, call.kind, call.size}, static_cast<std::uint32_t>(out.all.size()));
    out.of_call[id] = entry->second;
    if (!is_new) continue;
    Result<TraceSchedule> lowered = lower_call(scenario, graph, call, fabric, placement);
    if (!lowered) return lowered.error();
    out.all.push_back(std::move(*lowered));
  }
  return out;
}

std::vector<PairLoad> loads_of_trace(const TraceGraph& graph, const TraceSchedules& schedules, const Placement& placement) {
  std::map<std::pair<EndpointId, EndpointId>, PairLoad> loads;
  const auto add = [&](EndpointId from, EndpointId to, Bytes bytes, std::uint64_t messages) {
    PairLoad& load = loads.try_emplace({from, to}, PairLoad{from, to, Bytes::zero()}).first->second;
    load.bytes += bytes;
    load.messages += messages;
  };
  for (const TraceNode node : graph.nodes)
    if (node.op == TraceOp::send && node.peer != node.rank)
      add(placement[RankId(node.rank)], placement[RankId(node.peer)], Bytes(std::max<std::int64_t>(1, node.amount)), 1);
  std::vector<std::uint64_t> calls(schedules.all.size(), 0);
  for (const std::uint32_t schedule : schedules.of_call)
    if (schedule != TraceSchedules::kNothing) calls[schedule]++;
  for (std::size_t i = 0; i < schedules.all.size(); i++) {
    const TraceSchedule& one = schedules.all[i];
    for (const EdgeLoad& edge : edge_loads(one.schedule))
      add(one.seats[edge.from.index()], one.seats[edge.to.index()], edge.bytes * static_cast<std::int64_t>(calls[i]),
          edge.messages * calls[i]);
  }
  std::vector<PairLoad> out;
  for (const auto& [pair, load] : loads) out.push_back(load);
  return out;
}

}  // namespace railyard
