#include "expected/late_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "expected/median.h"

namespace railyard {

namespace {

constexpr double kShort = 0.7;     // of the median of others' calls, for one that waits for nobody
constexpr double kLong = 1.15;     // times the median of others' compute
constexpr std::size_t kPeers = 3;  // to be compared at all

struct RankTime {
  double seconds = 0;
  std::string host;
  SourceSpan where;
};
using ByRank = std::map<std::uint32_t, RankTime>;

double median_of_ranks(const ByRank& ranks) {
  std::vector<double> all;
  for (const auto& [rank, one] : ranks) all.push_back(one.seconds);
  return median_of(all);
}

std::string rank_name(std::uint32_t rank, const RankTime& one) {
  return one.host.empty() ? std::to_string(rank) : fmt::format("{} ({})", rank, one.host);
}

/// "1.31 s" and "84.2 ms", as people say them.
std::string duration(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} us", seconds * 1e6);
}

/// Calls of one collective and size, by rank, from however many files.
class Calls {
 public:
  explicit Calls(const Measurements& measured) {
    for (const CollectiveTest& test : measured.tests)
      for (const CollectiveRow& row : test.rows)
        if (row.rank && row.time_s > 0) add(test, row);
  }

  /// The rank that is shortest by far, in most of what was called.
  void run(std::vector<Outlier>& out) const {
    std::map<std::uint32_t, std::size_t> shortest;
    std::size_t compared = 0;
    std::optional<Outlier> example;
    for (const auto& [what, times] : all_) {
      const ByRank ranks = medians(times);
      if (ranks.size() < kPeers) continue;
      compared++;
      const auto least = std::min_element(ranks.begin(), ranks.end(),
                                          [](const auto& a, const auto& b) { return a.second.seconds < b.second.seconds; });
      const double median = median_of_ranks(ranks);
      if (least->second.seconds > kShort * median) continue;
      if (++shortest[least->first] * 2 <= compared) continue;
      example = Outlier{"rank", rank_name(least->first, least->second),
                        fmt::format("is in {} for {} where the median of {} ranks is {}: the others wait for it",
                                    std::get<0>(what), duration(least->second.seconds), ranks.size(), duration(median)),
                        least->second.where};
    }
    const bool most = std::any_of(shortest.begin(), shortest.end(), [&](const auto& one) { return one.second * 2 > compared; });
    if (most && example) out.push_back(std::move(*example));
  }

 private:
  /// Collective, size and ranks of the group.
  using What = std::tuple<std::string, std::int64_t, std::uint32_t>;
  struct Times {
    std::vector<double> seconds;
    std::string host;
    SourceSpan where;
  };

  void add(const CollectiveTest& test, const CollectiveRow& row) {
    Times& times = all_[{test.collective, row.size.count(), test.ranks.value_or(0)}][*row.rank];
    times.seconds.push_back(row.time_s);
    times.where = row.where;
    for (const RankPlace& place : test.places)
      if (place.rank == *row.rank) times.host = place.host;
  }

  static ByRank medians(const std::map<std::uint32_t, Times>& times) {
    ByRank ranks;
    for (const auto& [rank, one] : times) ranks[rank] = {median_of(one.seconds), one.host, one.where};
    return ranks;
  }

  std::map<What, std::map<std::uint32_t, Times>> all_;
};

/// Traces of several ranks: who computes longest is waited for.
void traced(const Measurements& measured, std::vector<Outlier>& out) {
  ByRank ranks;
  for (const RankTrace& trace : measured.traces)
    if (trace.rank && trace.compute_s > 0) ranks[*trace.rank] = {trace.compute_s, trace.host, trace.where};
  if (ranks.size() < kPeers) return;
  const double median = median_of_ranks(ranks);
  for (const auto& [rank, one] : ranks)
    if (one.seconds > kLong * median)
      out.push_back({"rank", rank_name(rank, one),
                     fmt::format("computes {} where the median of {} ranks is {}: the others wait for it",
                                 duration(one.seconds), ranks.size(), duration(median)),
                     one.where});
}

}  // namespace

void late_ranks(const Measurements& measured, std::vector<Outlier>& out) {
  Calls(measured).run(out);
  traced(measured, out);
}

}  // namespace railyard
