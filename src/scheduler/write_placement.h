// Files that tell launchers which rank goes to which node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace railyard {

/// Where a rank goes: a node, by its index into a list of names, and which of its GPUs.
struct RankSeat {
  std::uint32_t node = 0, gpu = 0;
};

/// "gpu003 slots=8" for every node, in the order of its first rank: Open MPI's --hostfile, which torchrun's and DeepSpeed's
/// launchers read too. Says all where the ranks of every node follow each other.
std::string write_hostfile(const std::vector<std::string>& names, const std::vector<RankSeat>& seats);

/// Whether the ranks of every node follow each other.
bool is_consecutive(const std::vector<RankSeat>& seats);

/// "rank 0=gpu003 slot=0" for every rank: Open MPI's --rankfile.
std::string write_rankfile(const std::vector<std::string>& names, const std::vector<RankSeat>& seats);

/// A line for every task: what SLURM_HOSTFILE names for srun --distribution=arbitrary.
std::string write_slurm_hosts(const std::vector<std::string>& names, const std::vector<RankSeat>& seats);

}  // namespace railyard
