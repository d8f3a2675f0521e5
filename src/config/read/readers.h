// The readers of each dialect, for read.cpp alone.
#pragma once

#include <vector>

#include "config/read/read.h"

namespace railyard {

std::vector<FileReader> sonic_readers();
std::vector<FileReader> nvue_readers();
std::vector<FileReader> eos_readers();
std::vector<FileReader> nxos_readers();
std::vector<FileReader> junos_readers();
std::vector<FileReader> os10_readers();
std::vector<FileReader> mlnx_readers();
std::vector<FileReader> other_nic_readers();
std::vector<FileReader> platform_readers();
std::vector<FileReader> nccl_topology_readers();
std::vector<FileReader> job_readers();
std::vector<FileReader> inventory_readers();

}  // namespace railyard
