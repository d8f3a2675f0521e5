// What was said on the command line of `tune`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace railyard {

struct TuneRequest {
  std::uint32_t generations = 40;  // at most
  std::uint32_t keep = 3;          // settings to list
  std::string folder = {};         // for the files of devices
};

}  // namespace railyard
