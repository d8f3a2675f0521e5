#include "tools/tune/workloads.h"

#include <fmt/format.h>

#include <algorithm>

#include "workload/step.h"

namespace railyard {

namespace {

constexpr Bytes kLeast = 16_KiB, kMost = 4_MiB;

/// Bytes of one message, of what a job sends; what is usual where there is no job.
struct JobSizes {
  Bytes gradients = 2_MiB, exchange = 128_KiB;
  bool is_from_job = false;
};

Bytes within(Bytes size) { return std::clamp(size, kLeast, kMost); }

JobSizes sizes_of(const Scenario& scenario) {
  JobSizes sizes;
  if (!scenario.workload.model || !scenario.workload.gpu || scenario.workload.serving) return sizes;
  const Result<Step> step = build_step(scenario.workload, scenario.keys, false);
  if (!step) return sizes;
  sizes.is_from_job = true;
  Bytes gradients, exchange;
  for (const StageWork& stage : step->stages)
    for (const std::vector<Op>& chunk : stage.gradients)
      for (const Op& op : chunk)
        if (op.kind == OpKind::collective) gradients = std::max(gradients, Bytes(op.size.count() / op.group.size));
  for (const VirtualStageWork& work : step->works)
    for (const Segment& segment : work.forward)
      for (const Op& op : segment.ops)
        if (op.kind == OpKind::collective && op.collective == CollectiveKind::all_to_all)
          exchange = std::max(exchange, Bytes(op.size.count() / op.group.size));
  if (gradients > Bytes::zero()) sizes.gradients = within(gradients);
  if (exchange > Bytes::zero()) sizes.exchange = within(exchange);
  return sizes;
}

std::string bytes_text(Bytes size) { return fmt::format("{} B", size.count()); }

/// Hosts of the network that patterns are played on.
std::uint32_t hosts_of(const Scenario& scenario) { return scenario.workload.gpus.value_or(scenario.fabric.endpoints); }

bool has_uplinks(const Scenario& scenario) {
  return scenario.fabric.topology == Topology::leaf_spine || scenario.fabric.topology == Topology::clos3 ||
         scenario.fabric.topology == Topology::fat_tree || scenario.fabric.topology == Topology::rail_optimized;
}

void add_incasts(std::uint32_t hosts, const Scenario& scenario, std::vector<TuneWorkload>& out) {
  for (const auto& [fan_in, size] : {std::pair{8U, "1 MB"}, {32U, "2 MB"}}) {
    if (fan_in >= hosts) continue;
    out.push_back({fmt::format("incast, {} to 1", fan_in),
                   "a gather, or a parameter server",
                   {"traffic.pattern=incast", fmt::format("traffic.fan_in={}", fan_in), fmt::format("traffic.size={}", size)},
                   TailOf::pattern,
                   true});
  }
  const std::uint32_t some = std::min(16U, hosts - 1);
  out.push_back({"microbursts",
                 "short incasts, one after the other, at receivers drawn at random",
                 {"traffic.pattern=microburst", fmt::format("traffic.fan_in={}", some), "traffic.burst=1 MB",
                  "traffic.bursts=20", "traffic.interval=200 us"},
                 TailOf::pattern,
                 true});
  const std::uint32_t priority = scenario.packet.classes[kDataClass].priority;
  out.push_back({"bystanders of an incast",
                 "small messages between other hosts, in the queue of an incast",
                 {"traffic.pattern=incast", fmt::format("traffic.fan_in={}", std::min(32U, hosts - 1)), "traffic.size=2 MB",
                  "traffic.background=0.05", fmt::format("transport.classes.background_priority={}", priority)},
                 TailOf::bystanders,
                 true});
}

}  // namespace

std::vector<TuneWorkload> tune_workloads(const Scenario& network, const Scenario& job) {
  const std::uint32_t hosts = hosts_of(network);
  const JobSizes sizes = sizes_of(job);
  const std::string whose = sizes.is_from_job ? "of the job" : "of usual size";
  std::vector<TuneWorkload> out;
  if (hosts < 4) return out;
  add_incasts(hosts, network, out);
  out.push_back({"gradients",
                 "a ring of gradients, messages " + whose,
                 {"traffic.pattern=ring", "traffic.size=" + bytes_text(sizes.gradients)}});
  out.push_back({"all-to-all",
                 "an exchange between experts, messages " + whose,
                 {"traffic.pattern=all-to-all", fmt::format("traffic.hosts={}", std::min(hosts, 64U)),
                  "traffic.size=" + bytes_text(std::min(sizes.exchange, Bytes(8'000'000 / std::min(hosts, 64U))))}});
  if (hosts >= 16)
    out.push_back({"data beside a checkpoint",
                   "a permutation while hosts write to four servers",
                   {"traffic.pattern=permutation", "traffic.size=2 MB", "traffic.storage.servers=4",
                    "traffic.storage.checkpoint=4 MB", "traffic.storage.size=1 MB",
                    fmt::format("transport.pfc.priorities=[{}, {}]", network.packet.classes[kDataClass].priority,
                                network.packet.classes[kStorageClass].priority)}});
  if (has_uplinks(network))
    out.push_back({"a failed link",
                   "a permutation, one uplink of the first leaf is down",
                   {"traffic.pattern=permutation", "traffic.size=2 MB", "failures.\"leaf 0 uplink 0\"=down"}});
  return out;
}

}  // namespace railyard
