// What bounds a server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace railyard {

struct ServeLimits {
  std::size_t parallel = 1;                // runs at a time
  std::size_t queue = 32;                  // runs that wait
  std::size_t keep = 200;                  // runs that have ended; the oldest go first
  std::size_t checks = 2;                  // checks and comparisons at a time
  std::size_t streams = 64;                // of events
  std::uint64_t memory = 0;                // bytes of one run; zero: no limit
  unsigned threads = 1;                    // of one run
  std::chrono::seconds longest{3600};      // of one run
  std::chrono::seconds longest_check{20};  // of a check or comparison, with its turn
  std::size_t largest_body = std::size_t{1} << 20;
};

}  // namespace railyard
