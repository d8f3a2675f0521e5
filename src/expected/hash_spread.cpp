#include "expected/hash_spread.h"

#include <algorithm>
#include <vector>

#include "base/rng.h"

namespace railyard {

double hashed_spread(std::uint32_t flows, std::uint32_t links) {
  constexpr std::uint64_t kSeed = 20261118, kClusters = 400;
  constexpr std::uint32_t kMostFlows = 4096;  // beyond, the busiest is within a few percent of the mean
  const std::uint32_t dealt = std::min(flows, kMostFlows);
  std::vector<std::uint32_t> busiest;
  for (std::uint64_t cluster = 0; cluster < kClusters; cluster++) {
    Rng rng(kSeed, "hashed-spread", cluster);
    std::vector<std::uint32_t> of_link(links, 0);
    for (std::uint32_t flow = 0; flow < dealt; flow++) of_link[rng.below(links)]++;
    busiest.push_back(*std::max_element(of_link.begin(), of_link.end()));
  }
  std::sort(busiest.begin(), busiest.end());
  return busiest[kClusters * 19 / 20] * static_cast<double>(links) / dealt;
}

}  // namespace railyard
