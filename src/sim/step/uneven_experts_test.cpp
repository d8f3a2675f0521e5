// Exchanges in which not all pairs of ranks have as much to send: what each edge carries, and how long the busiest NIC takes.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/testing.h"
#include "sim/simulate.h"
#include "sim/step/pair_weights.h"

namespace railyard {
namespace {

constexpr std::uint32_t kUnevenRanks = 8, kUnevenLocal = 4;

/// Ranks 0 to 7 on endpoints 0 to 7, four to a domain.
struct UnevenGroup {
  Placement seats;
  std::vector<std::vector<EndpointId>> nodes;
  Op op;

  explicit UnevenGroup(bool back) {
    nodes.resize(kUnevenRanks / kUnevenLocal);
    for (std::uint32_t rank = 0; rank < kUnevenRanks; rank++) {
      seats.push(EndpointId(rank));
      nodes[rank / kUnevenLocal].push_back(EndpointId(rank));
    }
    op = {.kind = OpKind::collective, .name = back ? "combine" : "dispatch"};
    op.group = {.kind = GroupKind::expert, .size = kUnevenRanks, .stride = 1, .local = kUnevenLocal, .domains = 2};
    op.collective = CollectiveKind::all_to_all;
    op.remote = 1_MiB;
    op.from_experts = back;
  }
};

/// What each of eight ranks sends to each, all of them different.
ExpertLoads uneven_loads() {
  std::vector<double> shares(kUnevenRanks * kUnevenRanks);
  for (std::size_t i = 0; i < shares.size(); i++) shares[i] = static_cast<double>(1 + i * i % 13);
  return expert_loads({.experts = kUnevenRanks, .ranks = kUnevenRanks, .local = kUnevenLocal}, shares);
}

bool apart(std::uint32_t a, std::uint32_t b) { return a / kUnevenLocal != b / kUnevenLocal; }

TEST(PairWeights, edges_of_pairs_carry_what_the_pair_has) {
  const ExpertLoads loads = uneven_loads();
  for (const bool back : {false, true}) {
    const UnevenGroup group(back);
    const PairWeights weights(loads, group.op, group.seats, group.nodes, ExchangeWay::direct);
    for (std::uint32_t from = 0; from < kUnevenRanks; from++)
      for (std::uint32_t to = 0; to < kUnevenRanks; to++) {
        if (!apart(from, to)) continue;
        EXPECT_DOUBLE_EQ(weights.of(EndpointId(from), EndpointId(to)) * loads.remote,
                         back ? loads.between(to, from) : loads.between(from, to));
      }
  }
}

TEST(PairWeights, rails_carry_all_bytes_of_the_pairs) {
  const ExpertLoads loads = uneven_loads();
  double pairs = 0;
  for (std::uint32_t from = 0; from < kUnevenRanks; from++)
    for (std::uint32_t to = 0; to < kUnevenRanks; to++)
      if (apart(from, to)) pairs += loads.between(from, to);
  for (const ExchangeWay way : {ExchangeWay::sender, ExchangeWay::receiver})
    for (const bool back : {false, true}) {
      const UnevenGroup group(back);
      const PairWeights weights(loads, group.op, group.seats, group.nodes, way);
      double rails = 0;  // an edge has what four pairs have
      for (std::uint32_t from = 0; from < kUnevenRanks; from++)
        rails += weights.of(EndpointId(from), EndpointId((from + kUnevenLocal) % kUnevenRanks)) * kUnevenLocal * loads.remote;
      EXPECT_NEAR(rails, pairs, 1e-9);
    }
}

/// Thirty-two experts on as many GPUs in four servers, one expert each.
constexpr const char* kUnevenStep = R"(name = "uneven"
[model]
preset = "mixtral-8x7b"
layers = 2
experts = 32
sequence = 4096
[training]
global_batch = 32
gpu_spread = 0
[parallel]
expert = 32
data_overlap = false
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 32
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
spines = 4
cable = "30 m"
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
)";

StepRun uneven_step(const std::vector<double>& shares, Dispatch dispatch = Dispatch::all_to_all) {
  Scenario scenario = testing::scenario_of(kUnevenStep);
  scenario.workload.training.expert_shares = shares;
  scenario.workload.parallel.expert_dispatch = dispatch;
  Progress progress;
  Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run->training);
}

double longest(const StepRun& run, std::string_view name) {
  const auto op = std::find_if(run.ops.begin(), run.ops.end(), [&](const OpTimes& one) { return one.name == name; });
  EXPECT_NE(op, run.ops.end());
  return op->longest;
}

constexpr double kCopies = 4096.0 * 2 * 4096 * 2;  // bytes of a rank's tokens: tokens × experts of each × hidden × width
constexpr double kNic = 50e9 * 0.95;               // bytes per second

TEST(UnevenExperts, equal_shares_change_nothing) {
  const StepRun even = uneven_step({});
  for (const std::size_t rows : {std::size_t{1}, std::size_t{32}}) {
    const StepRun equal = uneven_step(std::vector<double>(32 * rows, 3));
    EXPECT_EQ(equal.time, even.time);
    EXPECT_EQ(equal.fingerprint, even.fingerprint);
  }
}

TEST(UnevenExperts, a_hot_expert_takes_as_long_as_its_nic) {
  std::vector<double> hot(32, 1);
  hot[5] = 31;  // half of all tokens
  const StepRun run = uneven_step(hot);
  const double bound = 24 * kCopies / 2 / kNic;  // from the ranks of three other servers
  for (const char* name : {"dispatch", "combine"}) {
    EXPECT_GE(longest(run, name), bound) << name;
    EXPECT_LE(longest(run, name), bound * 1.02) << name;
  }
}

TEST(UnevenExperts, tokens_sent_once_per_server_share_the_nics_of_the_hot_one) {
  std::vector<double> hot(32, 1);
  hot[5] = 31;
  const double direct = longest(uneven_step(hot), "dispatch"),
               once = longest(uneven_step(hot, Dispatch::deduplicated), "dispatch");
  EXPECT_LT(once, direct / 2);
}

TEST(UnevenExperts, a_row_for_each_rank_says_who_sends_to_whom) {
  // Each rank to the same place of the next server: every NIC sends and receives all copies, an even exchange 24 of 32.
  std::vector<double> next(32 * 32, 0), inside(32 * 32, 0);
  for (std::size_t rank = 0; rank < 32; rank++) {
    next[rank * 32 + (rank + 8) % 32] = 1;
    inside[rank * 32 + (rank / 8 * 8 + (rank + 1) % 8)] = 1;
  }
  const double sent = longest(uneven_step(next), "dispatch");
  const double even = longest(uneven_step({}), "dispatch");
  EXPECT_GE(sent, kCopies / kNic);
  EXPECT_LT(sent, kCopies / kNic + 40e-6);  // and the latency of an exchange
  EXPECT_NEAR(sent - even, 0.25 * kCopies / kNic, 1e-8);
  // Within servers nothing of it crosses the network.
  const StepRun near = uneven_step(inside);
  EXPECT_TRUE(std::none_of(near.ops.begin(), near.ops.end(), [](const OpTimes& op) { return op.name == "dispatch"; }));
}

}  // namespace
}  // namespace railyard
