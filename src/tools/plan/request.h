// What was said on the command line of `plan`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace railyard {

struct PlanRequest {
  std::vector<std::string> vary = {};  // axes, as read_axis() takes them
  bool only = false;                   // these axes and no other
  bool exhaustive = false;             // every plan that may fit, with all care
  std::uint32_t keep = 10;             // plans to list
  double memory = 1;                   // of a GPU that a plan may use
  std::string journal = {};            // a file to go on from
};

}  // namespace railyard
