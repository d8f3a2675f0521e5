#include "report/sparkline.h"

#include <algorithm>

namespace railyard {

std::string sparkline(const std::vector<double>& values, std::size_t most) {
  static constexpr const char* kLevels[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  const std::size_t count = std::min(most, values.size());
  for (std::size_t i = 0; i < count; i++) {
    const std::size_t begin = i * values.size() / count, end = std::max(begin + 1, (i + 1) * values.size() / count);
    double sum = 0;
    for (std::size_t k = begin; k < end; k++) sum += values[k];
    const double mean = std::clamp(sum / static_cast<double>(end - begin), 0.0, 1.0);
    line += kLevels[mean < 0.002 ? 0 : 1 + std::min<std::size_t>(7, static_cast<std::size_t>(mean * 8))];
  }
  return line;
}

}  // namespace railyard
