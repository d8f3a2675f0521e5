#include "sim/collective/uneven_pairs.h"

#include <algorithm>
#include <cmath>

namespace railyard {

std::vector<Bytes> uneven_pairs(std::uint32_t ranks, Bytes size, double skew) {
  double sum = 0;
  for (std::uint32_t i = 0; i < ranks; i++) sum += std::pow(i + 1, -skew);
  std::vector<Bytes> row;
  double share = 0;
  Bytes given;  // rounded where the running sum is, so that the parts add up
  for (std::uint32_t to = 0; to < ranks; to++) {
    share += std::pow(to + 1, -skew) / sum;
    const Bytes end = to + 1 == ranks ? size : std::min(size, Bytes(std::llround(static_cast<double>(size.count()) * share)));
    row.push_back(end - given);
    given = end;
  }
  std::vector<Bytes> pairs;
  for (std::uint32_t from = 0; from < ranks; from++) pairs.insert(pairs.end(), row.begin(), row.end());
  return pairs;
}

}  // namespace railyard
