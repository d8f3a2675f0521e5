#include "plan/split_layers.h"

#include <numeric>

namespace railyard {

std::vector<std::uint32_t> split_layers(std::uint32_t layers, std::uint32_t virtual_stages,
                                        const std::vector<std::uint32_t>& given) {
  if (!given.empty()) {
    const std::uint64_t sum = std::accumulate(given.begin(), given.end(), std::uint64_t{0});
    return given.size() == virtual_stages && sum == layers ? given : std::vector<std::uint32_t>{};
  }
  for (std::uint32_t less = 0; less <= 2; less++) {
    if ((layers + less) % virtual_stages != 0 || (less > 0 && (virtual_stages == 1 || (layers + less) / virtual_stages < 1)))
      continue;
    std::vector<std::uint32_t> split(virtual_stages, (layers + less) / virtual_stages);
    if (less >= 1) split.back()--;
    if (less == 2) split.front()--;
    return split;
  }
  return {};
}

}  // namespace railyard
