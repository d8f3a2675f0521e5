// A cluster in the files that schedulers and communication libraries read: Slurm's topology.conf, NCCL's topology of a server.
#pragma once

#include <string>

#include "fabric/fabric.h"

namespace railyard {

/// Slurm's topology.conf (topology/tree), servers named "server0" as cable lists and failures count them. Slurm wants a tree
/// with every node below one switch, so a line stands for what lies at one place of the network: servers with the same leaves,
/// then the spines above them, then the cores. A comment says which switches each is.
std::string slurm_topology(const Fabric& fabric);

/// What NCCL wants to know of a server.
struct NcclServer {
  std::uint32_t gpus = 8, nics = 8;
  BitsPerSecond nic_rate;
  bool is_amd = false;
  BitsPerSecond scale_up_rate;  // of a GPU, one direction; zero without
  bool scale_up_switched = true;
};

/// The XML that NCCL_TOPO_FILE names: GPUs and NICs in order, each pair behind a PCIe bridge of its own, half of them on each
/// of two processors, NVLink or xGMI between GPUs. Addresses are made up: those of a real server have to be put in.
std::string nccl_topology(const NcclServer& shape);

}  // namespace railyard
