// Causes in servers: the way between GPU and NIC, NICs that are not used or slow, scale-up links.
#include <fmt/format.h>

#include <algorithm>

#include "tools/diagnose/cause.h"

namespace railyard {

namespace {

std::vector<Variant> gpu_direct_off(const ClusterFacts& facts) {
  if (facts.nodes < 2) return {};
  std::vector<Variant> variants =
      at_shares("host.server_rate", facts.node_rate(), 0.015, 0.5, 12, "of its NICs pass through a server's memory");
  for (Variant& variant : variants) variant.set.emplace_back("host.latency=10 us");
  return variants;
}

std::vector<Variant> narrow_nics(const ClusterFacts& facts, double least, double most, std::size_t count) {
  if (facts.nodes < 2) return {};
  return at_shares("host.nic_rate", facts.nic_rate, least, most, count, "of a NIC's rate on the way to its GPU");
}

/// Redirected traffic gets four fifths to a third of its rate, and where translations miss all the time down to a tenth.
std::vector<Variant> redirected(const ClusterFacts& facts) {
  std::vector<Variant> variants = narrow_nics(facts, 0.1, 0.8, 12);
  for (std::size_t i = 0; i * 2 < variants.size(); i++) variants[i].weight = 0.3;
  return variants;
}
std::vector<Variant> unordered_off(const ClusterFacts& facts) { return narrow_nics(facts, 0.3, 0.8, 5); }

/// Slots are a quarter wider than their NIC needs, lose 15 % to headers, and narrow by halves.
std::vector<Variant> narrow_slot(const ClusterFacts& facts) {
  if (facts.nodes < 2) return {};
  std::vector<Variant> variants;
  for (const int part : {2, 4, 8})
    variants.push_back({.set = {rate_override("host.nic_rate", facts.nic_rate * 1.26 * 0.85 / part)},
                        .how = fmt::format("slots at 1/{} of their width or speed", part)});
  return variants;
}

std::vector<Variant> far_nics(const ClusterFacts& facts) {
  std::vector<Variant> variants = narrow_nics(facts, 0.45, 0.9, 5);
  for (Variant& variant : variants) variant.set.emplace_back("host.latency=2 us");
  return variants;
}

/// One port alone, or both by a hash that gives one of them more than its half.
std::vector<Variant> one_port(const ClusterFacts& facts) {
  if (facts.nodes < 2) return {};
  const auto at = [&](double share) { return std::vector{rate_override("host.nic_rate", facts.nic_rate * share)}; };
  return {{.set = at(0.5), .how = "half of every NIC"},
          {.set = at(0.5), .how = "both ports, one of them far busier", .weight = 0.5, .continues = true},
          {.set = at(0.8), .how = "both ports, one of them busier", .weight = 0.1}};
}

/// NICs that remain, and how much of their rate GPUs far from them get.
std::vector<Variant> some_nics(const ClusterFacts& facts, std::initializer_list<double> shares) {
  std::vector<Variant> variants;
  if (facts.nodes < 2) return variants;
  for (std::uint32_t nics = 1; nics < facts.nics_per_node; nics++)
    for (const double share : shares) {
      Variant variant{.set = {fmt::format("host.nics={}", nics)},
                      .how = fmt::format("{} of {} NICs", nics, facts.nics_per_node)};
      variant.weight = (nics == 1 || nics * 2 == facts.nics_per_node || nics + 1 == facts.nics_per_node ? 2.0 : 1.0) * share;
      if (share < 1) {
        variant.set.push_back(rate_override("host.nic_rate", facts.nic_rate * share));
        variant.how += fmt::format(" at {:.0f} %", share * 100);
      }
      variants.push_back(std::move(variant));
    }
  return variants;
}

std::vector<Variant> fewer_nics(const ClusterFacts& facts) { return some_nics(facts, {1.0, 0.5}); }
std::vector<Variant> rails_lost(const ClusterFacts& facts) { return some_nics(facts, {1.0, 0.5, 0.25, 0.1}); }

/// Buffers are dealt to NICs evenly, so that all wait for the slowest.
std::vector<Variant> one_slow_nic(const ClusterFacts& facts) {
  return at_shares("host.nic_rate", facts.nic_rate, 0.05, 0.8, facts.nodes < 2 ? 0 : 7, "of its rate on the slowest NIC");
}

std::vector<Variant> without_p2p(const ClusterFacts& facts) {
  std::vector<Variant> variants;
  if (facts.gpus_per_node < 2) return variants;
  for (const double rate : ratios(3e9, 40e9, 8))
    variants.push_back({.set = {"host.p2p=false", rate_override("host.p2p_rate", rate)},
                        .how = fmt::format("{:.0f} GB/s between GPUs of a server", rate / 1e9)});
  between_them(variants);
  return variants;
}

std::vector<Variant> without_nvls(const ClusterFacts& facts) {
  if (!facts.has_nvls) return {};
  return {{.set = {"host.nvls=false"}, .how = "rings and trees instead of the scale-up switch"}};
}

std::vector<Variant> late_one(const ClusterFacts& facts) {
  std::vector<Variant> variants;
  if (facts.nodes < 2) return variants;
  for (const int late : {20, 50, 100, 200, 500})
    variants.push_back(
        {.set = {fmt::format("host.latency={} us", late)}, .how = fmt::format("{} us later in every step", late)});
  between_them(variants);
  return variants;
}

constexpr SlowCause kServer[] = {
    {.id = "gpu-direct-off",
     .what = "NICs do not reach GPU memory: GPUDirect RDMA is off, and every byte is copied through host memory",
     .prior = 1,
     .variants = gpu_direct_off,
     .fix = "load nvidia_peermem (or use DMA-BUF), and let the library see it: NCCL_NET_GDR_LEVEL, NCCL 2.23 or later",
     .check = "lines `via NET/IB/…/GDRDMA` and `GPU Direct RDMA` in a log with NCCL_DEBUG=INFO"},
    {.id = "pcie-redirect",
     .what = "ACS or a translating IOMMU sends what GPUs and NICs exchange through the CPU's root complex",
     .prior = 1.5,
     .variants = redirected,
     .fix = "switch ACS off on the PCIe ports above GPUs and NICs (in virtual machines: ATS on), and boot with iommu=pt",
     .check = "ib_write_bw with --use_cuda at depth 1 to 8 and 16 to 128 KiB; ACSCtl in lspci -vvv; `Default domain type` in "
              "the kernel's log"},
    {.id = "pcie-width",
     .what = "PCIe slots of NICs run narrower or slower than they can",
     .prior = 0.5,
     .variants = narrow_slot,
     .fix = "reseat the card or riser, and look at the BIOS's bifurcation and link speed",
     .check = "LnkSta against LnkCap in lspci -vvv, for every NIC"},
    {.id = "numa",
     .what = "GPUs use NICs of another socket",
     .prior = 0.4,
     .variants = far_nics,
     .fix =
         "bind ranks to the socket of their GPU, and give the library the true topology (NCCL_TOPO_FILE in virtual machines)",
     .check = "nvidia-smi topo -m, and `Setting affinity` in a log with NCCL_DEBUG=INFO"},
    {.id = "relaxed-ordering-off",
     .what = "NICs write to memory in strict order: relaxed ordering is off",
     .prior = 0.2,
     .variants = unordered_off,
     .fix = "set PCI_WR_ORDERING=force_relax on the NIC, or NCCL_IB_PCI_RELAXED_ORDERING=1",
     .check = "[RO] in the line `NET/IB : Using`"},
    {.id = "one-port",
     .what = "one port of two-port or bonded NICs carries everything, or most",
     .prior = 0.5,
     .variants = one_port,
     .fix = "use both ports: NCCL_IB_QPS_PER_CONNECTION=2 or more on bonds, both functions in NCCL_IB_HCA",
     .check = "bytes of both ports of a NIC, before and after"},
    {.id = "nic-subset",
     .what = "the library uses fewer NICs than servers have",
     .prior = 1,
     .variants = fewer_nics,
     .fix = "let NCCL_IB_HCA name all NICs of the GPUs, or leave it out",
     .check = "the line `NET/IB : Using` in a log with NCCL_DEBUG=INFO"},
    {.id = "rails-unreachable",
     .what = "NICs of some rails do not reach their peers, and others carry their traffic",
     .prior = 0.5,
     .variants = rails_lost,
     .fix = "bring the rail's addresses, routes and links up",
     .check = "ping and ib_write_bw from every NIC to the same NIC of another server"},
    {.id = "slow-nic",
     .what = "one NIC runs at a part of its rate, and everybody waits for it",
     .prior = 0.7,
     .variants = one_slow_nic,
     .fix = "look at the link speed, cable and slot of that NIC; until then leave the server out",
     .check = "ib_write_bw of every NIC of every server, one after the other"},
    {.id = "p2p-off",
     .what = "GPUs of a server do not reach each other's memory and go through host memory",
     .prior = 0.5,
     .variants = without_p2p,
     .fix = "unset NCCL_P2P_DISABLE and NCCL_P2P_LEVEL; in containers give the driver's IPC and /dev/shm",
     .check = "`via P2P` or `via SHM` in a log with NCCL_DEBUG=INFO"},
    {.id = "nvls-off",
     .what = "the scale-up switch does not reduce: NVLS is off",
     .prior = 0.5,
     .variants = without_nvls,
     .fix = "unset NCCL_NVLS_ENABLE=0; look whether the fabric manager runs, and whether multicast is given to containers",
     .check = "`nvls channels` in a log with NCCL_DEBUG=INFO"},
    {.id = "straggler",
     .what = "one GPU or server is late in every step",
     .prior = 0.4,
     .variants = late_one,
     .fix = "find it by pairs of nodes, and exchange it",
     .check = "the same collective over halves of the nodes, again and again; a GEMM test per GPU"},
};

}  // namespace

std::span<const SlowCause> server_causes() { return kServer; }

}  // namespace railyard
