#include "collective/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "collective/lowering.h"

namespace railyard {

namespace {

using enum CollectiveAlgorithm;

constexpr CollectiveAlgorithm kAllReduce[] = {ring, tree, halving_doubling, direct, hierarchical, nvls, in_network};
constexpr CollectiveAlgorithm kGatherAndScatter[] = {ring, halving_doubling, direct, hierarchical, nvls, in_network};
constexpr CollectiveAlgorithm kAllToAll[] = {direct, pxn};
constexpr CollectiveAlgorithm kRooted[] = {ring, tree, hierarchical, nvls, in_network};
constexpr CollectiveAlgorithm kSend[] = {ring};

Diagnostic refusal(std::string message, std::string hint) {
  return {Severity::error, "RY-RUN-004", std::move(message), std::move(hint)};
}

Diagnostic no_such_algorithm(CollectiveKind kind, CollectiveAlgorithm algorithm) {
  std::vector<std::string_view> known;
  for (const CollectiveAlgorithm other : algorithms_for(kind)) known.push_back(name_of(other));
  return refusal(fmt::format("{} has no algorithm \"{}\"", name_of(kind), name_of(algorithm)),
                 fmt::format("use {}", fmt::join(known, ", ")));
}

Schedule schedule_of(CollectiveAlgorithm algorithm, const Task& task) {
  switch (algorithm) {
    case ring:
      return ring_schedule(task);
    case tree:
      return tree_schedule(task);
    case halving_doubling:
      return halving_doubling_schedule(task);
    case direct:
      return direct_schedule(task);
    case hierarchical:
      return hierarchical_schedule(task);
    case pxn:
      return pxn_schedule(task);
    case nvls:
      return nvls_schedule(task);
    case in_network:
      return in_network_schedule(task);
    case automatic:
      break;
  }
  check_failed("algorithm != automatic", "an algorithm is chosen before it is lowered", __FILE__, __LINE__);
}

bool uses_domains(CollectiveAlgorithm algorithm) { return algorithm == hierarchical || algorithm == pxn || algorithm == nvls; }

}  // namespace

std::span<const CollectiveAlgorithm> algorithms_for(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return kAllReduce;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return kGatherAndScatter;
    case CollectiveKind::all_to_all:
      return kAllToAll;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return kRooted;
    case CollectiveKind::send:
      return kSend;
  }
  check_failed("kind", "a collective is of a known kind", __FILE__, __LINE__);
}

Result<Schedule> lower(CollectiveKind kind, CollectiveAlgorithm algorithm, const Shape& shape, Bytes size,
                       const LowerOptions& options) {
  RY_CHECK(shape.positions >= 2, "a collective has at least two ranks");
  RY_CHECK(size > Bytes::zero(), "a collective moves at least one byte");
  const auto known = algorithms_for(kind);
  if (std::find(known.begin(), known.end(), algorithm) == known.end()) return no_such_algorithm(kind, algorithm);
  if (uses_domains(algorithm) && (shape.per_domain == 0 || shape.positions % shape.per_domain != 0))
    return refusal(fmt::format("domains of {} do not divide {} ranks, which \"{}\" needs", shape.per_domain, shape.positions,
                               name_of(algorithm)),
                   "use whole domains, or another algorithm");
  if (algorithm == nvls && shape.per_domain < 2)
    return refusal("\"nvls\" reduces in the switch of a scale-up domain, and a domain of one GPU has none",
                   "use domains of several GPUs, or another algorithm");
  Schedule schedule = schedule_of(algorithm, {kind, shape, size, options});
  schedule.algorithm = algorithm;
  return schedule;
}

}  // namespace railyard
