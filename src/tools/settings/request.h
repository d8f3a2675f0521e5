// What `railyard settings` is asked.
#pragma once

#include <string>
#include <vector>

namespace railyard {

struct SettingsRequest {
  std::vector<std::string> languages;  // "sonic", "mlnx", "nccl"; none: the sheet alone
  std::string folder;                  // that files go to; empty: standard output
};

}  // namespace railyard
