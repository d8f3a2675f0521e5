// What was said on the command line of `serve`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace railyard {

struct ServeRequest {
  std::string listen = "127.0.0.1:8421";
  std::string data = "railyard-data";
  std::string token_file;
  std::vector<std::string> names;
  std::string memory;  // "4 GiB"; empty: three quarters of the machine's, shared by runs at a time
  std::uint32_t parallel = 1, queue = 32, keep = 200, time_limit_s = 3600;
};

}  // namespace railyard
