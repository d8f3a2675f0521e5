// Any network that can be described, with any collective on it, is refused with a reason or keeps to physics: simulate() itself
// stops the program if a bound is beaten, a port runs above its rate or a byte is missing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenario/load.h"
#include "sim/simulate.h"
#include "sim/supported.h"

namespace railyard {
namespace {

template<class... Words>
std::string one_of(Words... words) {
  return *rc::gen::element(std::string(words)...);
}

std::string maybe(const std::string& line) { return *rc::gen::arbitrary<bool>() ? line + "\n" : std::string(); }

std::string random_collective(bool gpu) {
  const std::string kind =
      one_of("all_reduce", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "send");
  return fmt::format("[collective]\nkind = \"{}\"\nalgorithm = \"{}\"\nsizes = [\"{}\", \"{}\"]\n", kind,
                     one_of("auto", "auto", "auto", "ring", "tree", "halving-doubling", "direct", "hierarchical", "pxn", "nvls",
                            "in-network"),
                     one_of("1 B", "64 B", "3000 B", "1 MiB"), one_of("7 MB", "1 GiB", "16 GiB")) +
         maybe(fmt::format("group = {}", *rc::gen::inRange(2, 20))) + (gpu ? maybe("library = \"none\"") : "") +
         (kind == "all_to_all" ? maybe("skew = 0.7") : "");
}

std::string random_cluster(bool gpu) {
  const int per_node = *rc::gen::element(1, 2, 4, 8), nodes = *rc::gen::inRange(2, 13);
  const std::string scale_up =
      gpu ? maybe("scale_up_rate = \"" + one_of("900 Gb/s", "3600 Gb/s") + "\"")
          : fmt::format("scale_up_domain = {}\nscale_up_rate = \"3600 Gb/s\"\n", *rc::gen::element(1, 2, 4, 8, 12, 16));
  return fmt::format("[cluster]\ngpus = {}\ngpus_per_node = {}\n", per_node * nodes, per_node) +
         (gpu ? "gpu = \"" + one_of("A100-SXM-80", "H100-SXM-80", "B200-SXM", "GB200", "MI300X") + "\"\n" : "") +
         maybe(fmt::format("nics_per_node = {}", *rc::gen::element(1, per_node, 2 * per_node))) +
         maybe("host_nics_per_node = 1") + scale_up + maybe("scale_up_latency = \"50 us\"") +
         maybe("scale_up = \"" + one_of("switched", "mesh") + "\"");
}

std::string random_fabric() {
  const std::string topology = one_of("star", "leaf-spine", "clos3", "fat-tree", "rail-optimized", "rail-only", "multi-plane",
                                      "dual-tor", "hybrid", "optical");
  const bool split = topology == "multi-plane" || topology == "dual-tor";
  std::string text =
      fmt::format("[fabric]\ntopology = \"{}\"\nlink_rate = \"{}\"\nlink_delay = \"100 ns\"\nswitch_latency = \"900 ns\"\n",
                  topology, one_of("100 Gb/s", "400 Gb/s"));
  text += maybe("switching = \"store-and-forward\"");
  if (topology == "star") return text;
  text += fmt::format("radix = {}\n", *rc::gen::element(16, 64, 100, 128)) + maybe("uplink_rate = \"200 Gb/s\"") +
          maybe(fmt::format("oversubscription = {}", *rc::gen::element(1, 2, 4)));
  if (topology == "clos3" || topology == "optical")
    text += maybe(fmt::format("hosts_per_pod = {}", *rc::gen::element(16, 32, 48)));
  if (topology == "optical") text += "circuits = \"" + one_of("ring", "demand") + "\"\n";
  if (split) text += maybe("planes = 2");
  if (topology != "fat-tree") text += maybe(fmt::format("hosts_per_leaf = {}", *rc::gen::element(4, 8, 16)));
  return topology == "rail-only" ? text : text + maybe("rails = true");
}

std::string random_routing() {
  return fmt::format("[routing]\npolicy = \"{}\"\nhash = \"{}\"\n[placement]\npolicy = \"{}\"\n[transport]\n",
                     one_of("ecmp", "e-ecmp", "pinned", "adaptive", "spray", "flowlet"),
                     one_of("crc16-ccitt", "crc32", "xor", "murmur3"),
                     one_of("in-order", "round-robin", "random", "along-rails", "fragmented")) +
         maybe(fmt::format("qps_per_connection = {}", *rc::gen::inRange(1, 9))) +
         maybe("qp_use = \"" + one_of("split", "round-robin") + "\"");
}

/// Runs one random scenario; says whether it was not refused.
bool ran() {
  const bool gpu = *rc::gen::arbitrary<bool>();
  const std::string text =
      "name = \"random\"\n" + random_collective(gpu) + random_cluster(gpu) + random_fabric() + random_routing();
  RC_LOG() << text;
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return text; };
  const Result<Scenario> scenario = load_scenario("random.toml", builtin_catalog(), {}, read);
  if (!scenario) return RC_ASSERT(!scenario.error().empty()), false;
  (void)remarks_on(*scenario);
  Progress progress;
  const Result<Run> run = simulate(*scenario, {.threads = 1}, progress);
  if (!run) return RC_ASSERT(!run.error().empty()), false;
  for (const CollectiveRun& point : run->collectives) RC_ASSERT(point.time >= point.bound && point.time > Picoseconds::zero());
  RC_ASSERT(run->collectives[0].time <= run->collectives[1].time);
  return true;
}

TEST(Network, any_collective_on_any_fabric_is_refused_or_keeps_to_physics) {
  std::size_t runs = 0, all = 0;
  EXPECT_TRUE(rc::check("any network", [&] {
    all++;
    runs += ran() ? 1 : 0;
  }));
  EXPECT_GT(runs, all / 4) << "most are not refused";
}

}  // namespace
}  // namespace railyard
