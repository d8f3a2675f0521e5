// The nodes of a cluster as its scheduler tells them: what they are called, whether they are free, which switches are above.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

struct ListedNode {
  std::string name;
  SourceSpan where = {};
  std::string state = {};                  // as the scheduler calls it; empty: the list does not tell
  bool is_free = true;                     // all of it can be given to a job
  std::vector<std::string> switches = {};  // above it, the top one first; empty: the list does not tell
};

struct ListedNodes {
  std::string format;  // "sinfo", for people
  bool tells_states = false, tells_switches = false;
  std::vector<ListedNode> nodes = {};  // in the order of the list; every name once
};

}  // namespace railyard
