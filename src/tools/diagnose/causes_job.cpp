// Causes in the job: what was asked of the library, and what it fell back to.
#include <fmt/format.h>

#include "tools/diagnose/cause.h"

namespace railyard {

namespace {

std::vector<Variant> forced(const ClusterFacts&) {
  std::vector<Variant> variants;
  for (const char* algorithm : {"ring", "tree"})
    variants.push_back(
        {.set = {fmt::format("collective.algorithm={}", algorithm)}, .how = fmt::format("NCCL_ALGO={}", algorithm)});
  for (const char* protocol : {"LL", "LL128", "Simple"})
    variants.push_back(
        {.set = {fmt::format("collective.protocol={}", protocol)}, .how = fmt::format("NCCL_PROTO={}", protocol)});
  for (const double share : ratios(0.2, 0.8, 5))
    variants.push_back({.set = {},
                        .how = fmt::format("{:.0f} % of what the fastest algorithm does", share * 100),
                        .weight = 0.4,
                        .continues = share < 0.8,
                        .slowdown = 1 / share});
  return variants;
}

std::vector<Variant> few_channels(const ClusterFacts&) {
  std::vector<Variant> variants;
  for (const int channels : {1, 2, 4, 8})
    variants.push_back({.set = {fmt::format("host.channels={}", channels)}, .how = fmt::format("{} channels", channels)});
  return variants;
}

std::vector<Variant> split_data(const ClusterFacts& facts) {
  if (facts.nodes < 2) return {};
  return at_shares("host.nic_rate", facts.nic_rate, 0.3, 0.9, 6, "of a NIC's rate");
}

std::vector<Variant> sockets(const ClusterFacts& facts) {
  std::vector<Variant> variants;
  if (facts.nodes < 2) return variants;
  for (const double rate : ratios(0.5e9, 20e9, 8))
    variants.push_back({.set = {rate_override("host.server_rate", rate), "host.latency=20 us"},
                        .how = fmt::format("{:.1f} GB/s of a server over TCP", rate / 1e9)});
  between_them(variants);
  return variants;
}

std::vector<Variant> without_pxn(const ClusterFacts& facts) {
  if (!facts.has_exchange || !facts.has_rails || facts.nodes < 2) return {};
  return {{.set = {"host.pxn=false"}, .how = "messages cross rails in the network"}};
}

constexpr SlowCause kJob[] = {
    {.id = "algorithm",
     .what = "an algorithm or a protocol is used that is not the fastest here: forced, or the library's own choice",
     .in = CauseIn::job,
     .prior = 0.3,
     .variants = forced,
     .fix = "unset NCCL_ALGO and NCCL_PROTO; where they are not set, try NCCL_ALGO=Tree and NCCL_ALGO=Ring",
     .check = "`set by environment` in a log with NCCL_DEBUG=INFO; /etc/nccl.conf and ~/.nccl.conf; the same test with each "
              "NCCL_ALGO"},
    {.id = "few-channels",
     .what = "the library has too few channels to drive its links",
     .in = CauseIn::job,
     .prior = 0.4,
     .variants = few_channels,
     .fix = "unset NCCL_MAX_NCHANNELS (and NCCL_MIN_NCHANNELS)",
     .check = "`coll channels` in a log with NCCL_DEBUG=INFO"},
    {.id = "split-data",
     .what = "NCCL_IB_SPLIT_DATA_ON_QPS=1 cuts messages so small that queue pairs have too little in flight",
     .in = CauseIn::job,
     .prior = 0.2,
     .variants = split_data,
     .fix = "NCCL_IB_SPLIT_DATA_ON_QPS=0, which is the default",
     .check = "the same test with NCCL_IB_SPLIT_DATA_ON_QPS=0"},
    {.id = "socket",
     .what = "the library does not use RDMA: it fell back to TCP sockets",
     .in = CauseIn::job,
     .prior = 0.7,
     .variants = sockets,
     .fix = "make RDMA devices visible in the container, load the verbs library, unset NCCL_IB_DISABLE",
     .check = "`Using network` in a log with NCCL_DEBUG=INFO"},
    {.id = "pxn-off",
     .what = "PXN is off, so that an all-to-all crosses rails in the network instead of inside servers",
     .in = CauseIn::job,
     .prior = 0.4,
     .variants = without_pxn,
     .fix = "NCCL_PXN_DISABLE=0 (RCCL has PXN off by default)",
     .check = "`/0(2)` in lines `via NET` of a log with NCCL_DEBUG=INFO"},
};

}  // namespace

std::span<const SlowCause> job_causes() { return kJob; }

}  // namespace railyard
