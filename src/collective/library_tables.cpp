// NCCL's tuning tables. Facts of NVIDIA/nccl v2.30.7, src/graph/tuning.cc, unless a line says otherwise.
#include <algorithm>

#include "base/check.h"
#include "collective/library_parts.h"

namespace railyard::library {

namespace {

constexpr Tables kAmpere{
    .tree_base = {6.8, 14.0, 8.4},
    .ring_base = {6.6, 14.0, 8.4},
    .tree_hop = {0.6, 1.25, 4.0},
    .ring_hop = {0.6, 1.9, 3.4},
    .tree_net = {5.0, 8.5, 14.0},
    .ring_net = {2.7, 4.0, 14.0},
    .nvls = 25,
    .nvls_net = 20.9,
    .collnet_net = 31,
    .post = 1,
    .ll_limit = {22.5, 19.0},
    .ll128_channel = 20,
    .tree_channel = {24, 23.6, 17.8},
    .tree_ll128_channel = {20, 20, 20},
    .link_share = 0.8,  // 20 of 25 GB/s per NVLink
    .nvls_share = 0,
};

constexpr Tables hopper() {
  Tables t = kAmpere;
  t.ll_limit = {45, 35};
  t.ll128_channel = 36.7;
  t.tree_channel = {38.7, 41.4, 36};
  t.tree_ll128_channel = {36.7, 36.7, 29};
  t.link_share = 0.8;    // 20.6 of 25 GB/s per NVLink, rounded down to whole channels
  t.nvls_share = 0.504;  // 0.85 in the tables; here where published picks change: rings on four H200, NVLS on five
  return t;
}

constexpr Tables blackwell() {
  Tables t = hopper();
  t.ll_limit = {90, 70};
  t.ll128_channel = 40;
  t.tree_channel = {70, 42.8, 24};
  t.tree_ll128_channel = {55.6, 31.67, 20};
  t.link_share = 0.8;    // 40.1 of 50 GB/s per NVLink
  t.nvls_share = 0.493;  // 0.74 in the tables; rings on five B200, NVLS on six
  return t;
}

/// RCCL is built on NCCL and keeps its rule. Its own numbers were not read: Hopper's stand in, with its links.
constexpr Tables cdna() {
  Tables t = hopper();
  t.link_share = 0.75;  // 48 of 64 GB/s per xGMI link (ROCm/rccl, issue 1210)
  t.nvls_share = 0;
  return t;
}

constexpr Tables kTables[] = {kAmpere, hopper(), blackwell(), cdna()};

// Powers of two from 64 B to 512 MB.
constexpr std::array<double, 24> kTreeCorrection[] = {
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}};

}  // namespace

const Tables& tables(TuningTable generation) { return kTables[static_cast<std::size_t>(generation)]; }

double tree_correction(Protocol protocol, Bytes size) {
  const auto units = static_cast<std::uint64_t>(std::max<std::int64_t>(size.count() >> 6, 1));
  const auto power = static_cast<std::size_t>(std::bit_width(units) - 1);
  const auto& factors = kTreeCorrection[row(protocol)];
  return power < factors.size() ? factors[power] : 1;
}

}  // namespace railyard::library
