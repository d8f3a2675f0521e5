// What `railyard cost` is asked beside its scenario.
#pragma once

#include <string>

namespace railyard {

struct CostRequest {
  std::string prices;       // a file with [prices] and [cost]
  std::string csv, cables;  // files, or "-"
  bool links = false, no_links = false;
};

}  // namespace railyard
