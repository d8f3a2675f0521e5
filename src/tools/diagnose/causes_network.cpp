// Causes in the network: loss, hashing, too few links, other traffic.
#include <fmt/format.h>

#include "tools/diagnose/cause.h"

namespace railyard {

namespace {

/// A share of the network is left; buffers of switches hide it from small collectives.
std::vector<Variant> collapse(const ClusterFacts& facts, double least, double most, std::size_t count) {
  if (facts.nodes < 2) return {};
  std::vector<Variant> all;
  for (const Bytes from : {0_B, 32_MiB, 128_MiB}) {
    std::vector<Variant> variants =
        at_shares("host.server_rate", facts.node_rate(), least, most, count, "of the network is left");
    for (Variant& variant : variants) {
      variant.from = from;
      variant.weight = from == 0_B ? 1 : 0.5;
    }
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

std::vector<Variant> lossy(const ClusterFacts& facts) {
  return facts.is_roce ? collapse(facts, 0.002, 0.5, 10) : std::vector<Variant>{};
}
std::vector<Variant> cable(const ClusterFacts& facts) { return collapse(facts, 0.01, 0.8, 8); }
std::vector<Variant> storm(const ClusterFacts& facts) {
  return facts.is_roce ? collapse(facts, 0.005, 0.5, 8) : std::vector<Variant>{};
}

std::vector<Variant> shared(const ClusterFacts& facts, double least, double most) {
  if (facts.nodes < 2) return {};
  return at_shares("host.server_rate", facts.node_rate(), least, most, 6, "of the network is left");
}
std::vector<Variant> timid(const ClusterFacts& facts) { return shared(facts, 0.4, 0.9); }
std::vector<Variant> neighbour(const ClusterFacts& facts) { return shared(facts, 0.3, 0.9); }
std::vector<Variant> crossed(const ClusterFacts& facts) {
  return facts.has_rails ? shared(facts, 0.4, 0.9) : std::vector<Variant>{};
}

std::vector<Variant> collisions(const ClusterFacts& facts) {
  std::vector<Variant> variants;
  if (!facts.has_spines || facts.nodes < 2) return variants;
  for (int seed = 1; seed <= 6; seed++)
    variants.push_back({.set = {"routing.policy=ecmp", "transport.qps_per_connection=1", fmt::format("engine.seed={}", seed)},
                        .how = fmt::format("one queue pair per connection, hash seed {}", seed)});
  return variants;
}

std::vector<Variant> polarised(const ClusterFacts& facts) {
  if (!facts.has_tiers || !facts.hashes || facts.nodes < 2) return {};
  return {{.set = {"routing.seeds=[7, 7, 7]"}, .how = "the same hash seed in leaves, spines and cores"}};
}

std::vector<Variant> too_few_uplinks(const ClusterFacts& facts) {
  std::vector<Variant> variants;
  if (!facts.has_spines || facts.nodes < 2) return variants;
  for (const int ratio : {2, 3, 4, 8})
    variants.push_back(
        {.set = {fmt::format("fabric.oversubscription={}", ratio)}, .how = fmt::format("{}:1 above the leaves", ratio)});
  return variants;
}

std::vector<Variant> small_packets(const ClusterFacts& facts) {
  if (facts.nodes < 2) return {};
  std::vector<Variant> variants;
  for (const double share : {1.0, 0.9, 0.8, 0.7}) {
    Variant variant{.set = {"transport.mtu=1024"}, .how = "packets of 1,024 bytes"};
    if (share < 1) variant.set.push_back(rate_override("host.nic_rate", facts.nic_rate * share));
    variants.push_back(std::move(variant));
  }
  return variants;
}

constexpr SlowCause kNetwork[] = {
    {.id = "loss",
     .what = "the network loses packets: flow control or marking is missing somewhere",
     .in = CauseIn::network,
     .prior = 1,
     .variants = lossy,
     .fix =
         "PFC and ECN for the class of RoCE on every hop (`railyard lint` on the configurations, `railyard settings` for what "
         "they should be)",
     .check = "out_of_sequence, packet_seq_err and roce_adp_retrans of NICs before and after; drops of switch queues"},
    {.id = "wrong-class",
     .what = "RoCE travels in a class that is not lossless: DSCP, traffic class or trust is wrong",
     .in = CauseIn::network,
     .prior = 0.7,
     .variants = lossy,
     .fix =
         "one class end to end: NCCL_IB_TC = DSCP × 4, trust dscp, and a lossless queue for it on every hop (`railyard lint`)",
     .check = "bytes per priority of a NIC (rx_prio0_bytes …) before and after; `railyard lint` on job, NICs and switches"},
    {.id = "bad-cable",
     .what = "a cable or an optic corrupts packets, and one link holds everybody up",
     .in = CauseIn::network,
     .prior = 0.6,
     .variants = cable,
     .fix = "clean or exchange the cable or optic of the port whose errors grow",
     .check = "symbol errors, uncorrectable FEC and rx_icrc_encapsulated of every port before and after"},
    {.id = "ecmp-collision",
     .what = "flows meet on few links: too few queue pairs, or a hash that sees too little of them",
     .in = CauseIn::network,
     .prior = 1,
     .variants = collisions,
     .fix = "NCCL_IB_QPS_PER_CONNECTION=4 or more with the queue pair in the hash, or adaptive routing",
     .check = "bytes of every uplink of a leaf before and after; the same test with NCCL_IB_QPS_PER_CONNECTION=4"},
    {.id = "hash-polarised",
     .what = "adjacent tiers hash with the same seed, and half of the links stay idle",
     .in = CauseIn::network,
     .prior = 0.3,
     .variants = polarised,
     .fix = "a seed of its own for every tier",
     .check = "bytes of every uplink of a spine; hash seeds in the configurations (`railyard lint`)"},
    {.id = "oversubscription",
     .what = "there are fewer links above the leaves than the scenario says",
     .in = CauseIn::network,
     .prior = 0.5,
     .variants = too_few_uplinks,
     .fix = "bring all uplinks up, or add some",
     .check = "the number of uplinks that are up, and their rate, per leaf"},
    {.id = "cross-rail",
     .what = "rails are crossed: NICs of one number do not share a leaf, or ranks use NICs of other rails",
     .in = CauseIn::network,
     .prior = 0.3,
     .variants = crossed,
     .fix = "cable NIC i of every server to leaf i, and keep the order of GPUs and NICs",
     .check = "LLDP neighbours of every NIC; both ends of `via NET` lines"},
    {.id = "mtu",
     .what = "packets are small: the path MTU is 1,024 bytes",
     .in = CauseIn::network,
     .prior = 0.5,
     .variants = small_packets,
     .fix = "MTU 4200 or more on hosts and 9216 on switches, so that the path MTU is 4,096",
     .check = "active_mtu of ibv_devinfo, `Mtu` of perftest"},
    {.id = "timid-control",
     .what = "congestion control slows senders more than the network needs",
     .in = CauseIn::network,
     .prior = 0.4,
     .variants = timid,
     .fix = "higher Kmin and Kmax, or other DCQCN parameters (`railyard settings`)",
     .check = "rp_cnp_handled of senders and marks of switches before and after"},
    {.id = "pfc-storm",
     .what = "a slow receiver pauses the network",
     .in = CauseIn::network,
     .prior = 0.3,
     .variants = storm,
     .fix = "isolate the host whose port sends pauses and receives none; PFC watchdog with action drop",
     .check = "pause frames sent and received by every port: the first that receives without sending"},
    {.id = "other-traffic",
     .what = "other jobs or storage share the links",
     .in = CauseIn::network,
     .prior = 0.4,
     .variants = neighbour,
     .fix = "give the job leaves of its own, or a class of its own",
     .check = "bytes of uplinks while the test does not run"},
};

}  // namespace

std::span<const SlowCause> network_causes() { return kNetwork; }

}  // namespace railyard
