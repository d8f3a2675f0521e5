#include "workload/expert_loads.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace railyard {

namespace {

using Rows = std::vector<std::vector<double>>;

double sum_of_shares(std::span<const double> shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

/// What one rank of tokens sends to every rank of experts, over the mean.
std::vector<double> row_of(const ExpertRanks& group, std::span<const double> shares) {
  const double sum = sum_of_shares(shares);
  RY_CHECK(sum > 0, "every rank has tokens");
  const std::uint32_t held = group.experts / group.ranks;
  std::vector<double> row;
  for (std::uint32_t rank = 0; rank < group.ranks; rank++)
    row.push_back(sum_of_shares(shares.subspan(std::size_t{rank} * held, held)) / sum * group.ranks);
  return row;
}

/// Experts that are full take in no more: what is sent to them is cut in proportion.
void cut_to_capacity(const ExpertRanks& group, Rows& rows) {
  for (std::uint32_t rank = 0; rank < group.ranks; rank++) {
    double load = 0;
    for (const std::vector<double>& row : rows) load += row[rank] / static_cast<double>(rows.size());
    if (load <= group.capacity) continue;
    for (std::vector<double>& row : rows) row[rank] *= group.capacity / load;
  }
}

bool is_even(const Rows& rows) {
  constexpr double kRounding = 1e-12;
  for (const std::vector<double>& row : rows)
    for (const double share : row)
      if (std::abs(share - 1) > kRounding) return false;
  return true;
}

/// The busiest rank, by what it sends and what it receives of those for which `counts` says yes.
template<typename Counts>
double busiest_rank(const ExpertRanks& group, const ExpertLoads& loads, const Counts& counts) {
  double most = 0;
  for (std::uint32_t rank = 0; rank < group.ranks; rank++) {
    double out = 0, in = 0, others = 0;
    for (std::uint32_t other = 0; other < group.ranks; other++) {
      if (!counts(rank, other)) continue;
      out += loads.between(rank, other), in += loads.between(other, rank), others++;
    }
    if (others > 0) most = std::max(most, std::max(out, in) / others);
  }
  return most;
}

/// The same for NICs where a token goes to a domain once, on the rail it comes from, and is handed on there.
double busiest_rail(const ExpertRanks& group, const ExpertLoads& loads) {
  const auto to_domain = [&](std::uint32_t rank, std::uint32_t domain) {
    const std::uint32_t first = domain * group.local, end = std::min(group.ranks, first + group.local);
    double sum = 0;
    for (std::uint32_t other = first; other < end; other++) sum += loads.between(rank, other);
    return sum / (end - first);
  };
  const std::uint32_t domains = (group.ranks + group.local - 1) / group.local;
  double most = 0;
  for (std::uint32_t rank = 0; rank < group.ranks; rank++) {
    double out = 0, in = 0;
    for (std::uint32_t domain = 0; domain < domains; domain++) {
      if (domain == rank / group.local) continue;
      out += to_domain(rank, domain);
      in += to_domain(std::min(group.ranks - 1, domain * group.local + rank % group.local), rank / group.local);
    }
    most = std::max(most, std::max(out, in) / std::max(1U, domains - 1));
  }
  return most;
}

}  // namespace

ExpertLoads expert_loads(const ExpertRanks& group, std::span<const double> shares) {
  RY_CHECK(group.experts % group.ranks == 0 && shares.size() % group.experts == 0, "experts are spread evenly over ranks");
  ExpertLoads loads{.pairs = {}, .all = std::min(1.0, group.capacity), .remote = std::min(1.0, group.capacity)};
  if (shares.empty()) return loads;
  for (std::size_t at = 0; at < shares.size(); at += group.experts)
    loads.pairs.push_back(row_of(group, shares.subspan(at, group.experts)));
  const bool alike = loads.pairs.size() == 1;
  RY_CHECK(alike || loads.pairs.size() == group.ranks, "every rank of tokens has a row, or all share one");
  if (is_even(loads.pairs)) loads.pairs.clear();
  if (!loads.uneven()) return loads;
  const double busiest = *std::max_element(loads.pairs[0].begin(), loads.pairs[0].end());
  cut_to_capacity(group, loads.pairs);
  const auto is_other = [](std::uint32_t a, std::uint32_t b) { return a != b; };
  const auto is_away = [&](std::uint32_t a, std::uint32_t b) { return a / group.local != b / group.local; };
  // Where all send alike nobody sends more than the busiest rank receives, and it does so from everywhere.
  loads.all = alike ? std::min(busiest, group.capacity) : busiest_rank(group, loads, is_other);
  loads.remote = group.dispatch == Dispatch::deduplicated ? busiest_rail(group, loads)
                 : alike                                  ? loads.all
                                                          : busiest_rank(group, loads, is_away);
  return loads;
}

std::vector<double> expert_totals(std::uint32_t experts, std::span<const double> shares) {
  if (shares.size() <= experts) return {shares.begin(), shares.end()};
  std::vector<double> totals(experts, 0);
  for (std::size_t at = 0; at < shares.size(); at += experts) {
    const double sum = sum_of_shares(shares.subspan(at, experts));
    for (std::uint32_t expert = 0; expert < experts; expert++) totals[expert] += shares[at + expert] / sum;
  }
  return totals;
}

}  // namespace railyard
