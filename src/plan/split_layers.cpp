#include "plan/split_layers.h"

#include <numeric>

namespace railyard {

std::vector<std::uint32_t> split_layers(std::uint32_t layers, std::uint32_t parts, const std::vector<std::uint32_t>& given) {
  if (!given.empty()) {
    const std::uint64_t sum = std::accumulate(given.begin(), given.end(), std::uint64_t{0});
    return given.size() == parts && sum == layers ? given : std::vector<std::uint32_t>{};
  }
  for (std::uint32_t less = 0; less <= 2; less++) {
    if ((layers + less) % parts != 0 || (less > 0 && (parts == 1 || (layers + less) / parts < 1))) continue;
    std::vector<std::uint32_t> split(parts, (layers + less) / parts);
    if (less >= 1) split.back()--;
    if (less == 2) split.front()--;
    return split;
  }
  return {};
}

}  // namespace railyard
