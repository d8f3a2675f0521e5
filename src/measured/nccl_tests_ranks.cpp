// How many ranks ran a test, and which one it was: from counts and sizes, and from the ratio of both bandwidths.
#include <algorithm>
#include <cmath>
#include <set>

#include "measured/nccl_tests.h"

namespace railyard::nccl_tests {

namespace {

constexpr double kMostRanks = 1 << 20;

/// Numbers of ranks that the bandwidths of a test allow for.
struct Range {
  double least = 1, most = kMostRanks;
  [[nodiscard]] bool has(double ranks) const { return ranks >= least && ranks <= most; }
};

bool gathers(const std::string& collective) {
  return collective == "all_gather" || collective == "reduce_scatter" || collective.starts_with("alltoall") ||
         collective == "gather" || collective == "scatter";
}

/// What a bandwidth in GB/s may have lost when it was printed: two digits behind the point, one of thousands.
double rounding(double bandwidth) { return bandwidth >= 1000 ? 0.051 : 0.0051; }

/// busbw / algbw is 2 (n - 1) / n of an all-reduce, (n - 1) / n of those that gather. Each row leaves
/// a range.
Range range_of(const CollectiveTest& test) {
  const double factor = test.collective == "all_reduce" ? 2 : gathers(test.collective) ? 1 : 0;
  Range out;
  if (factor == 0) return out;
  for (const CollectiveRow& row : test.rows) {
    const double algorithm = row.algorithm_bandwidth / 1e9, bus = row.bus_bandwidth / 1e9;
    if (algorithm < 1 || bus <= 0) continue;
    const double least = (bus - rounding(bus)) / (algorithm + rounding(algorithm));
    const double most = (bus + rounding(bus)) / (algorithm - rounding(algorithm));
    if (least >= factor || most <= 0) continue;
    out.least = std::max(out.least, factor / (factor - std::max(least, 0.0)));
    if (most < factor) out.most = std::min(out.most, factor / (factor - most));
  }
  return out;
}

/// size / (bytes of an element × count), where all rows agree.
std::optional<std::uint32_t> ranks_by_count(const RankEvidence& evidence) {
  std::optional<std::uint64_t> agreed;
  for (const Row& row : evidence.rows) {
    const std::uint64_t part = row.count * element_size(row.type);
    if (row.count == 0 || part == 0 || row.size % part != 0) continue;
    const std::uint64_t ranks = row.size / part;
    if (agreed && *agreed != ranks) return std::nullopt;
    agreed = ranks;
  }
  if (!agreed || *agreed == 0 || *agreed > static_cast<std::uint64_t>(kMostRanks)) return std::nullopt;
  return static_cast<std::uint32_t>(*agreed);
}

}  // namespace

std::optional<std::uint32_t> ranks_of(const CollectiveTest& test, const RankEvidence& evidence) {
  std::vector<std::uint32_t> told;
  if (const auto by_count = ranks_by_count(evidence); by_count && (gathers(test.collective) || *by_count > 1))
    told.push_back(*by_count);
  told.insert(told.end(), evidence.told.begin(), evidence.told.end());
  const Range range = range_of(test);
  for (const std::uint32_t one : told)
    if (range.has(one)) return one;
  const double least = std::ceil(range.least), most = std::floor(range.most);
  if (least == most && least > 1) return static_cast<std::uint32_t>(least);
  if (told.empty()) return std::nullopt;
  return told.front();
}

std::string guessed_collective(const RankEvidence& evidence) {
  const auto shown = std::find_if(evidence.rows.begin(), evidence.rows.end(), [](const Row& row) { return row.count > 0; });
  if (shown == evidence.rows.end()) return {};
  const bool reduces = !shown->redop.empty() && shown->redop != "none";
  const bool has_root = shown->root.value_or(-1) >= 0;
  const bool gathered = shown->size > shown->count * element_size(shown->type);
  if (reduces) return gathered ? "reduce_scatter" : has_root ? "reduce" : "all_reduce";
  if (has_root && !gathered) return "broadcast";
  if (evidence.columns.known && !evidence.columns.root && gathered)  // tables before 2.12
    return evidence.columns.redop ? "alltoall" : "all_gather";
  return {};  // all-gather and all-to-all print the same
}

std::optional<std::uint32_t> nodes_of(const CollectiveTest& test) {
  std::set<std::uint32_t> ranks, devices;
  std::set<std::string> hosts;
  for (const RankPlace& place : test.places) {
    ranks.insert(place.rank);
    devices.insert(place.device);
    hosts.insert(place.host);
  }
  const std::uint64_t all = test.ranks.value_or(0);
  if (ranks.empty() || all == 0) return std::nullopt;
  const std::uint64_t per_host = std::uint64_t{*devices.rbegin()} + 1;
  if (ranks.size() != all && hosts.size() * per_host != all) return std::nullopt;
  return static_cast<std::uint32_t>(hosts.size());
}

}  // namespace railyard::nccl_tests
