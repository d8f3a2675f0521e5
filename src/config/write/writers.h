// The writers of each dialect, for write.cpp alone. Each takes what limits.h let through.
#pragma once

#include <string>

#include "qos/device.h"

namespace railyard {

std::string write_sonic(const Device& device);
std::string write_nvue(const Device& device);
std::string write_eos(const Device& device);
std::string write_nxos(const Device& device);
std::string write_junos(const Device& device);
std::string write_mlnx(const Device& device);
std::string write_nicctl(const Device& device);
std::string write_environment(const Device& device);

}  // namespace railyard
