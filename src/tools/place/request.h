// What may be asked about a placement.
#pragma once

#include <string>
#include <vector>

#include "search/crew.h"

namespace railyard {

struct PlaceRequest {
  std::string scenario = {};  // a preset or a file
  std::vector<std::string> overrides = {};
  std::vector<std::string> nodes = {};  // files that tell which nodes are there, which are free, and the switches above them
  Crew crew = {};                       // the result does not depend on it
  std::string journal = {};             // a file that keeps what was simulated, to go on from
  // Files to write, or "-"; empty: none.
  std::string seats = {}, hostfile = {}, rankfile = {}, slurm = {};
};

}  // namespace railyard
