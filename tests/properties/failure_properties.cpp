// Failures of any kind, at any time, under any routing and transport, over flows and packet by packet: runs end, every byte
// arrives once or the reason is told, pauses end, threads change nothing, and what balances perfectly is never faster for it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "draw.h"
#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

template<class... Words>
std::string any_word(Words... words) {
  return *rc::gen::element(std::string(words)...);
}

struct FailureCase {
  std::string base, failures;
  bool packets = false;
  bool is_balanced = false;  // paths get no better by being fewer
  bool has_host_faults = false;
};

std::string failing_target() {
  switch (below(6)) {
    case 0:
      return fmt::format("gpu {} port {}", below(16), below(2));
    case 1:
      return fmt::format("leaf {}", below(4));
    case 2:
      return fmt::format("spine {}", below(4));
    case 3:
      return fmt::format("spine {} link {}", below(4), below(4));
    default:
      return fmt::format("leaf {} uplink {}", below(4), below(8));
  }
}

std::string failing_state(bool packets) {
  const std::uint32_t from = below(60);
  const std::string until = below(3) == 0 ? "" : fmt::format(", until = \"{} us\"", from + 1 + below(80));
  const std::string flap =
      until.empty() || below(3) != 0 ? "" : fmt::format(", every = \"{} us\", times = {}", 90 + below(50), 1 + below(4));
  const std::string direction = below(4) == 0 ? fmt::format(", direction = \"{}\"", any_word("in", "out", "both")) : "";
  const std::string state = packets && below(3) == 0
                                ? any_word("loss = 0.01", "loss = 0.2", "ber = 1e-7", "rate = \"30 Gb/s\", loss = 0.001")
                            : below(3) == 0 ? "rate = \"20 Gb/s\""
                                            : "rate = \"0 b/s\"";
  return fmt::format("{{ {}, from = \"{} us\"{}{}{} }}", state, from, until, flap, direction);
}

/// A NIC that pauses its switch, or a host that is slow or stuck, for a while.
std::string failing_host() {
  const std::uint32_t from = below(60);
  return fmt::format("\"gpu {}\" = {{ {}, from = \"{} us\", until = \"{} us\"{} }}\n", below(16),
                     any_word("storm = true", "takes = \"0 b/s\"", "takes = \"10 Gb/s\"", "storm = true, takes = \"0 b/s\""),
                     from, from + 1 + below(80),
                     below(3) == 0 ? fmt::format(", every = \"{} us\", times = 2", 90 + below(50)) : "");
}

FailureCase failing_case() {
  FailureCase c;
  c.packets = below(3) != 0;
  const std::string policy = any_word("ecmp", "e-ecmp", "pinned", "adaptive", "spray", "flowlet");
  const std::string transport = any_word("roce", "roce", "infiniband", "tcp", "uec");
  const std::string topology = any_word("leaf-spine", "leaf-spine", "dual-tor", "multi-plane");
  c.is_balanced = !c.packets && (policy == "adaptive" || policy == "spray");
  c.has_host_faults = c.packets && below(3) == 0;
  const std::string watchdog =
      c.has_host_faults && transport == "roce" && below(2) == 0
          ? fmt::format(
                "pfc = {{ watchdog = true, watchdog_detection = \"{} us\", watchdog_restoration = \"5 us\", watchdog_poll = "
                "\"2 us\", watchdog_action = \"{}\" }}\n",
                5 + below(30), any_word("drop", "forward"))
          : "";
  c.base = fmt::format(
      "name = \"failure\"\n[traffic]\npattern = \"{}\"\nsize = \"{} KiB\"\n{}[cluster]\ngpus = 16\n[fabric]\ntopology = "
      "\"{}\"\n"
      "hosts_per_leaf = 4\nlink_rate = \"100 Gb/s\"\nlink_delay = \"500 ns\"\nswitch_latency = \"300 ns\"\nhost_latency = \"1 "
      "us\"\n"
      "buffer = \"16 MiB\"\n[routing]\npolicy = \"{}\"\n{}[transport]\nkind = \"{}\"\n{}[engine]\nfidelity = \"{}\"\nseed = "
      "{}\n",
      any_word("ring", "permutation", "all-to-all", "uniform"), 1 + below(160), "", topology, policy,
      (c.packets ? fmt::format("local_repair = \"{} us\"\nconvergence = \"{} us\"\n", below(20), 20 + below(100)) : "") +
          any_word("", "wcmp = true\n"),
      transport,
      c.packets ? fmt::format("retransmit_timeout = \"{} us\"\nretries = {}\n", 150 + below(200), any_word("3", "7")) + watchdog
                : "",
      c.packets ? "packet" : "flow", below(100));
  std::set<std::string> targets;
  for (std::uint32_t i = 0, count = 1 + below(3); i < count; i++) targets.insert(failing_target());
  c.failures = "[failures]\n";
  for (const std::string& target : targets) c.failures += fmt::format("\"{}\" = {}\n", target, failing_state(c.packets));
  if (c.has_host_faults) c.failures += failing_host();
  return c;
}

Result<Run> run_text(const std::string& text, unsigned threads) {
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return text; };
  const Result<Scenario> scenario = load_scenario("failure.toml", builtin_catalog(), {}, read);
  if (!scenario) return scenario.error();
  Progress progress;
  return simulate(*scenario, {.threads = threads}, progress);
}

Picoseconds last_delivery(const Run& run) {
  Picoseconds last;
  for (const Picoseconds one : run.traffic->delivered)
    if (one != Picoseconds::max()) last = std::max(last, one);
  return last;
}

void check_failed_run(const FailureCase& c, const Run& run, const Run& whole) {
  std::uint64_t missing = 0;
  Bytes arrived;
  for (std::size_t i = 0; i < run.traffic->messages.size(); i++) {
    if (run.traffic->delivered[i] == Picoseconds::max())
      missing++;
    else
      arrived += run.traffic->messages[i].size;
  }
  RC_ASSERT(run.traffic->telemetry.payload == arrived);
  const bool told = std::any_of(run.diagnostics.begin(), run.diagnostics.end(),
                                [](const Diagnostic& one) { return one.severity == Severity::error; });
  RC_ASSERT(told == (missing > 0));
  if (c.is_balanced && missing == 0) RC_ASSERT(last_delivery(run) >= last_delivery(whole));
  if (!run.traffic->telemetry.packets || missing > 0) return;
  const PacketRecord& record = *run.traffic->telemetry.packets;
  if (c.has_host_faults)
    RC_ASSERT(record.pauses >= record.resumes);  // a storm may outlast all messages
  else
    RC_ASSERT(record.pauses == record.resumes);
  RC_ASSERT((record.lost > 0) == !record.losses.empty());
}

RC_GTEST_PROP(Failures, end_and_lose_nothing_silently, ()) {
  const FailureCase c = failing_case();
  const std::string text = c.base + c.failures;
  RC_LOG() << text;
  const Result<Run> whole = run_text(c.base, 1);
  if (!whole) RC_LOG() << whole.error().front().message;
  RC_ASSERT(whole.has_value());
  const Result<Run> run = run_text(text, 1);
  if (!run) {
    const std::string code = run.error().front().code;
    RC_LOG() << run.error().front().message;
    RC_ASSERT(code == "RY-RUN-030" || code == "RY-RUN-031" || code == "RY-FAB-015" || code == "RY-FAB-016" ||
              (c.has_host_faults && code == "RY-RUN-056"));
    return;
  }
  check_failed_run(c, *run, *whole);
  if (!c.packets) return;
  const Result<Run> again = run_text(text, 2);
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->fingerprint == run->fingerprint);
}

/// Large messages, so that what lasts counts, over the fabric that is left.
std::string degraded(const std::string& pattern, const std::string& policy, const std::string& failures,
                     const std::string& fidelity, const std::string& routing) {
  return fmt::format(
      "name = \"degraded\"\n[traffic]\npattern = \"{}\"\nsize = \"{}\"\n[cluster]\ngpus = 32\n[fabric]\ntopology = "
      "\"leaf-spine\"\nhosts_per_leaf = 8\nspines = 4\nlink_rate = \"100 Gb/s\"\nlink_delay = \"500 ns\"\nswitch_latency = "
      "\"300 ns\"\nhost_latency = \"1 us\"\nbuffer = \"32 MiB\"\n[routing]\npolicy = \"{}\"\n{}[transport]\ndcqcn = "
      "{{ enabled = false }}\n[engine]\nfidelity = \"{}\"\n[failures]\n{}\n",
      pattern, pattern == "all-to-all" ? "256 KiB" : "4 MiB", policy, routing, fidelity, failures);
}

/// How long packets take, over what flows do.
double packets_over_flows(const std::string& pattern, const std::string& policy, const std::string& failures,
                          const std::string& routing = "") {
  const auto flows = run_text(degraded(pattern, policy, failures, "flow", routing), 1);
  const auto packets = run_text(degraded(pattern, policy, failures, "packet", routing), 1);
  EXPECT_TRUE(flows) << flows.error().front().message;
  EXPECT_TRUE(packets) << packets.error().front().message;
  return flows && packets ? seconds(last_delivery(*packets)) / seconds(last_delivery(*flows)) : 0;
}

TEST(DegradedFabric, flows_and_packets_agree_on_what_is_left) {
  EXPECT_NEAR(packets_over_flows("permutation", "spray", "\"spine 1\" = \"down\""), 1, 0.05);
  EXPECT_NEAR(packets_over_flows("ring", "ecmp", "\"gpu 9 port 0\" = { rate = \"50 Gb/s\" }"), 1, 0.05);
  EXPECT_NEAR(packets_over_flows("all-to-all", "spray", "\"spine 0\" = \"down\"\n\"spine 3\" = \"down\""), 1, 0.05);
  EXPECT_NEAR(packets_over_flows("all-to-all", "spray", "\"gpu 3 port 0\" = { rate = \"40 Gb/s\", direction = \"in\" }"), 1,
              0.05);
}

/// Leaves spray over four spines alike, and one of them has lost one of its two links to a leaf: a quarter of what goes there
/// from three of four leaves meets one link, 8 × 100 Gb/s × 24/31 / 4 = 155 Gb/s on 100. Flows balance as if spines knew.
TEST(DegradedFabric, spraying_does_not_know_of_links_beyond_the_next) {
  EXPECT_NEAR(packets_over_flows("all-to-all", "spray", "\"leaf 2 uplink 0\" = \"down\""), 1.5, 0.1);
}

/// With weights that spine gets a seventh of it and every live link as much as any other.
TEST(DegradedFabric, weighted_next_hops_spray_as_flows_balance) {
  EXPECT_NEAR(packets_over_flows("all-to-all", "spray", "\"leaf 2 uplink 0\" = \"down\"", "wcmp = true\n"), 1, 0.05);
}

}  // namespace
}  // namespace railyard
