// What collectives by themselves and what is in a trace put on links, over every engine.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>

#include "analysis/patterns/wire_traffic.h"
#include "analysis/port_collectives.h"
#include "analysis/results.h"
#include "analysis/tier_loads.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

struct Ported {
  Run run;
  Results results;
};

Ported ported(const std::string& text) {
  const Scenario scenario = testing::scenario_of(text);
  Progress progress;
  Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  Results results = analyse(scenario, *run);
  return {std::move(*run), std::move(results)};
}

std::string engine(const std::string& fidelity) { return "[engine]\nfidelity = \"" + fidelity + "\"\n"; }

/// Rails of two servers with four GPUs each under four leaves: NIC i of every server on leaf i.
const std::string kRails = R"(name = "rails"
[cluster]
gpus = 16
gpus_per_node = 4
nics_per_node = 4
scale_up_rate = "1600 Gb/s"
[fabric]
topology = "leaf-spine"
rails = true
hosts_per_leaf = 2
spines = 2
link_rate = "100 Gb/s"
switch_latency = "600 ns"
link_delay = "100 ns"
host_latency = "1 us"
)";
const std::string kRing = kRails + "[collective]\nkind = \"all_reduce\"\nalgorithm = \"ring\"\nsizes = [\"4 MiB\"]\n";

double sum_of_bins(const CollectiveOnPort& row) { return std::accumulate(row.bins.begin(), row.bins.end(), 0.0); }

/// What every link carried, by its name.
std::map<std::string, double> carried_by_name(const Run& run, const Telemetry& seen) {
  const Table<PortId, double> carried = carried_by_ports(run.fabric, seen);
  const Table<PortId, std::string> names = port_names(run.fabric);
  std::map<std::string, double> by_name;
  for (const PortId port : ids(names)) by_name[names[port]] = carried[port];
  return by_name;
}

TEST(BytesByPort, of_a_collective_are_what_engines_counted) {
  for (const std::string fidelity : {"analytic", "flow", "packet"}) {
    SCOPED_TRACE(fidelity);
    const Ported of = ported(kRing + "[routing]\npolicy = \"ecmp\"\n" + engine(fidelity));
    const CollectivesByPort& found = of.results.by_port;
    const Telemetry& seen = of.run.collectives.front().telemetry;
    std::map<std::string, double> carried = carried_by_name(of.run, seen);
    ASSERT_EQ(found.ports.size(), 16U);
    EXPECT_GT(found.left_out, 0U);
    const bool is_timed = fidelity != "analytic";
    EXPECT_EQ(found.unknown.empty(), is_timed) << found.unknown;
    for (const PortCollectives& port : found.ports) {
      ASSERT_EQ(port.collectives.size(), 1U);
      const CollectiveOnPort& row = port.collectives.front();
      EXPECT_EQ(row.what, "all_reduce");
      EXPECT_DOUBLE_EQ(port.bytes, carried.at(port.name)) << port.name;
      EXPECT_EQ(row.bins.size(), is_timed ? 64U : 0U);
      if (!is_timed) continue;
      EXPECT_NEAR(sum_of_bins(row), port.bytes, 1e-3 * port.bytes) << port.name;
      EXPECT_LT(row.first_s, row.last_s);
      EXPECT_LE(row.last_s, seconds(of.results.points.front().time) * (1 + 1e-9));
    }
  }
}

TEST(BytesByPort, trunks_stand_for_ports_that_share_perfectly) {
  const Ported of = ported(kRing + "[routing]\npolicy = \"adaptive\"\n" + engine("flow"));
  ASSERT_FALSE(of.results.by_port.ports.empty());
  for (const PortCollectives& port : of.results.by_port.ports)
    EXPECT_NEAR(sum_of_bins(port.collectives.front()), port.bytes, 1e-3 * port.bytes) << port.name;
}

TEST(BytesByPort, rails_of_a_collective_are_what_their_nics_sent) {
  for (const std::string fidelity : {"analytic", "flow", "packet"}) {
    const Ported of = ported(kRing + engine(fidelity));
    ASSERT_EQ(of.results.rails.size(), 4U);
    double sent = 0, up = 0;
    for (const RailLoad& rail : of.results.rails) sent += static_cast<double>(rail.sent.count());
    for (const TierLoad& tier : of.results.tiers)
      if (tier.tier == Tier::host_up) up = static_cast<double>(tier.carried.count());
    EXPECT_GT(sent, 0);
    EXPECT_DOUBLE_EQ(sent, up) << fidelity;
  }
}

/// A trace in a file of its own.
class TraceFile {
 public:
  explicit TraceFile(const std::string& text)
      : path_(std::filesystem::path(::testing::TempDir()) / fmt::format("ported_trace_{}.csv", ::getpid())) {
    std::ofstream(path_) << text;
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  [[nodiscard]] std::string scenario(const std::string& policy, const std::string& fidelity) const {
    return R"(name = "trace"
[cluster]
gpus = 8
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 2
link_rate = "100 Gb/s"
host_latency = "1 us"
[routing]
policy = ")" +
           policy + "\"\n[trace]\nfile = \"" + path_.string() + "\"\n" + engine(fidelity);
  }

 private:
  std::filesystem::path path_;
};

/// All reduce among all eight, and rank 5 sends to rank 0 once rank 0 has sent to it. Rank 0's receive stands first in the
/// file.
const std::string kOperations = [] {
  std::string text =
      "rank,op,peer,group,bytes,us\n0,recv,5,,3000000,\n0,send,5,,1000000,\n5,send,0,,3000000,\n5,recv,0,,1000000,\n";
  for (int rank = 0; rank < 8; rank++) text += std::to_string(rank) + ",allreduce,,0-7,8000000,\n";
  return text;
}();

const CollectiveOnPort* row_of(const PortCollectives& port, const std::string& what) {
  for (const CollectiveOnPort& row : port.collectives)
    if (row.what == what) return &row;
  return nullptr;
}

TEST(BytesByPort, of_a_trace_are_told_by_what_they_are_part_of) {
  const TraceFile file(kOperations);
  for (const std::string policy : {"ecmp", "adaptive"})
    for (const std::string fidelity : {"analytic", "flow", "packet"}) {
      SCOPED_TRACE(policy + " " + fidelity);
      const Ported of = ported(file.scenario(policy, fidelity));
      const CollectivesByPort& found = of.results.trace->by_port;
      EXPECT_EQ(found.unknown, "");
      std::map<std::string, const PortCollectives*> by_name;
      for (const PortCollectives& port : found.ports) by_name[port.name] = &port;
      ASSERT_TRUE(by_name.contains("GPU 5 to leaf 1"));
      const CollectiveOnPort* const sent = row_of(*by_name["GPU 5 to leaf 1"], "send");
      const CollectiveOnPort* const reduced = row_of(*by_name["GPU 5 to leaf 1"], "all_reduce (8 ranks)");
      ASSERT_TRUE(sent && reduced);
      EXPECT_DOUBLE_EQ(sent->bytes, 3e6);
      EXPECT_NEAR(reduced->bytes, 14e6, 1) << "a ring sends 2 * 7/8 of the buffer";
      EXPECT_LE(sent->last_s, reduced->first_s) << "which begins when rank 5 has sent";
      EXPECT_NEAR(sum_of_bins(*sent), 3e6, 1);
      ASSERT_TRUE(by_name.contains("GPU 0 to leaf 0"));
      EXPECT_DOUBLE_EQ(row_of(*by_name["GPU 0 to leaf 0"], "send")->bytes, 1e6);
    }
}

TEST(BytesByPort, paths_of_a_flow_are_those_of_an_engine_that_heeds_them) {
  const TraceFile file(kOperations);
  for (const std::string fidelity : {"analytic", "flow", "packet"}) {
    const Ported of = ported(file.scenario("spray\"\npaths = 1\nhash = \"crc32", fidelity));
    const auto& ports = of.results.trace->by_port.ports;
    ASSERT_FALSE(ports.empty());
    const bool are_trunks = std::any_of(ports.begin(), ports.end(),
                                        [](const PortCollectives& port) { return port.name.ends_with("and the like"); });
    EXPECT_EQ(are_trunks, fidelity != "flow") << fidelity << ": what follows no path is spread evenly over all";
  }
}

TEST(BytesByPort, of_a_hashed_trace_lie_where_flows_went) {
  const TraceFile file(kOperations);
  const Ported of = ported(file.scenario("ecmp", "flow"));
  const std::map<std::string, double> carried = carried_by_name(of.run, of.run.traffic->telemetry);
  for (const PortCollectives& port : of.results.trace->by_port.ports) {
    EXPECT_GT(carried.at(port.name), port.bytes) << port.name << ": headers come on top";
    EXPECT_LT(carried.at(port.name), 1.05 * port.bytes) << port.name;
  }
}

TEST(BytesByPort, rates_of_a_trace_belong_to_the_connection_that_had_them) {
  const TraceFile file(kOperations);
  const Ported of = ported(file.scenario("ecmp", "flow"));
  std::vector<Bundle> bundles;
  const WireTraffic traffic = wire_traffic(*of.run.traffic, bundles);
  std::vector<double> bytes(bundles.size(), 0);
  for (const WireRateInterval& one : traffic.rate_intervals) bytes[one.flow] += one.bps / 8 * seconds(one.end - one.begin);
  const std::vector<double> sent = bytes_of_bundles(traffic, bundles.size());
  for (std::size_t b = 0; b < bundles.size(); b++) EXPECT_NEAR(bytes[b], sent[b], 0.05 * sent[b]) << b;
}

}  // namespace
}  // namespace railyard
