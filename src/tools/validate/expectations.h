// What the scenario's cluster should do in every phase of its validation, computed from the scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "expected/nic_pairs.h"
#include "expected/predict.h"
#include "tools/validate/phase.h"

namespace railyard {

/// A group of servers that is tested together: a server, two of them, those under a leaf, a pod, all.
struct TestScope {
  std::string name;  // "server", "pair", "leaf", "pod", "all"
  std::uint32_t nodes = 1, ranks = 1;
};

/// Something that fails while a test runs, as a scenario says it.
struct FailureTest {
  std::string id;    // "spine-0-down", the folder its logs go to
  std::string name;  // "spine 0"
  std::vector<std::string> set;
};

/// One collective at one scope, over sizes; with a failure, or without.
struct ExpectedCollective {
  ValidationPhase phase = ValidationPhase::baseline;
  TestScope scope;
  std::string failure;  // its id; empty: everything is up
  Curve curve;          // sizes alone
  std::vector<double> times;
  std::string refused;  // why the job cannot go on, where it cannot
};

/// The cluster as far as validation asks.
struct ValidationCluster {
  std::string name, gpu, nic_vendor, library;  // "NCCL" or "RCCL"
  TransportKind transport = TransportKind::roce;
  BitsPerSecond port_rate;
  Bytes mtu;
  std::uint32_t nodes = 1, gpus_per_node = 1, nics_per_node = 1;
  std::vector<std::uint32_t> leaf, pod;  // of every server, by its first NIC, numbered in the order met
  std::vector<TestScope> scopes;
  std::vector<NicPair> pairs;
  std::vector<FailureTest> failures;
  std::vector<ExpectedCollective> collectives;
  std::optional<double> step_s;  // of the scenario's model
  double step_error = 0;         // relative: what nine of ten predicted steps are off by at most
};

/// One collective that the plan runs at one scope.
struct PlannedCollective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  TestScope scope;
  ValidationPhase phase = ValidationPhase::baseline;
  const FailureTest* failure = nullptr;  // none: everything is up
};

/// All of them, in the order of the plan.
[[nodiscard]] std::vector<PlannedCollective> planned_collectives(const ValidationCluster& cluster);

/// A number to measure, what it should be, and what it must be.
struct ExpectedValue {
  std::string id;  // "all_reduce/pair/1073741824", "ib_write_bw/same-leaf"
  ValidationPhase phase = ValidationPhase::baseline;
  std::string what, unit;
  double expected = 0, threshold = 0;
  bool is_most = false;         // the threshold is what it may be at most; else at least
  std::string basis, practice;  // where the threshold is from; what others ask for, if that is known
};

/// The cluster without what it should do: cheap. RY-VAL-002 where it has no GPUs, or none whose library is modelled.
Result<ValidationCluster> described_cluster(const ExpectationRequest& request, const Catalog& catalog, Scenario& scenario);

/// The same with everything that is predicted.
Result<ValidationCluster> expected_cluster(const ExpectationRequest& request, const Catalog& catalog, Progress& progress);

[[nodiscard]] std::vector<ExpectedValue> expected_values(const ValidationCluster& cluster);

/// Which phase a collective over so many servers belongs to.
[[nodiscard]] ValidationPhase phase_of(CollectiveKind kind, std::uint32_t nodes);

/// "all_reduce", "alltoall", "sendrecv": as nccl-tests call it.
[[nodiscard]] std::string test_name(CollectiveKind kind);

/// Bus bandwidth in bytes per second.
[[nodiscard]] double bus_bandwidth_of(const Curve& curve, Bytes size, double time_s);

/// What the rows of a curve have to reach, in bytes per second.
[[nodiscard]] double least_bandwidth(const ExpectedCollective& one, std::size_t point);

}  // namespace railyard
