#include "engine/flow/dominated_links.h"

#include <algorithm>
#include <numeric>

#include "base/large_array.h"
#include "engine/rates/max_min.h"

namespace railyard {

namespace {

constexpr std::size_t kMostCompared = 64;  // links that one is compared with; most that are dominated are so by the first few

/// The links that matter, each with the flows that cross it in order.
class LinkRows {
 public:
  struct Crossing {
    std::uint32_t flow;
    std::uint64_t fraction;
  };

  LinkRows(std::size_t all_links, const FlowRows& flows, const std::vector<bool>& matters) : row_(all_links, 0) {
    for (std::uint32_t link = 0; link < all_links; link++)
      if (matters[link]) row_[link] = static_cast<std::uint32_t>(links_.size()), links_.push_back(link);
    first_.assign(links_.size() + 1, 0);
    for (const std::uint32_t link : flows.link)
      if (matters[link]) first_[row_[link] + 1]++;
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    crossings_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t flow = 0; flow + 1 < flows.first.size(); flow++)
      for (std::uint32_t i = flows.first[flow]; i < flows.first[flow + 1]; i++)
        if (matters[flows.link[i]])
          crossings_[next[row_[flows.link[i]]]++] = {flow, flows.fraction.empty() ? kWholeFraction : flows.fraction[i]};
  }

  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] std::uint32_t link(std::uint32_t row) const { return links_[row]; }
  [[nodiscard]] std::span<const Crossing> of(std::uint32_t row) const {
    return std::span(crossings_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

 private:
  std::vector<std::uint32_t> row_, links_;
  std::vector<std::uint32_t> first_;
  LargeArray<Crossing> crossings_;
};

/// Whether all crossings of `few` are among `many`, with no smaller fractions.
bool covers(std::span<const LinkRows::Crossing> many, std::span<const LinkRows::Crossing> few) {
  if (many.size() < few.size()) return false;
  auto at = many.begin();
  for (const LinkRows::Crossing& one : few) {
    while (at != many.end() && at->flow < one.flow) ++at;
    if (at == many.end() || at->flow != one.flow || at->fraction < one.fraction) return false;
    ++at;
  }
  return true;
}

/// Those that may dominate come before those they may dominate.
std::vector<std::uint32_t> most_crossed_first(const LinkRows& rows) {
  struct Weight {
    std::size_t flows;
    std::uint64_t sum;
  };
  std::vector<Weight> weight;
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < rows.size(); row++) {
    weight.push_back({rows.of(row).size(), 0});
    for (const LinkRows::Crossing& one : rows.of(row)) weight.back().sum += one.fraction;
    order.push_back(row);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (weight[a].flows != weight[b].flows) return weight[a].flows > weight[b].flows;
    return weight[a].sum != weight[b].sum ? weight[a].sum > weight[b].sum : a < b;
  });
  return order;
}

}  // namespace

void drop_dominated_links(std::span<const std::int64_t> capacity, const FlowRows& flows, std::vector<bool>& matters) {
  const LinkRows rows(capacity.size(), flows, matters);
  std::vector<std::vector<std::uint32_t>> kept(flows.first.size() - 1);  // by flow: rows that stay
  for (const std::uint32_t row : most_crossed_first(rows)) {
    const std::span<const LinkRows::Crossing> crossings = rows.of(row);
    const auto rarest = std::min_element(
        crossings.begin(), crossings.end(),
        [&](const LinkRows::Crossing& a, const LinkRows::Crossing& b) { return kept[a.flow].size() < kept[b.flow].size(); });
    const std::vector<std::uint32_t>& others = kept[rarest->flow];
    const auto end = others.begin() + static_cast<std::ptrdiff_t>(std::min(others.size(), kMostCompared));
    const bool dominated = std::any_of(others.begin(), end, [&](std::uint32_t other) {
      return capacity[rows.link(other)] <= capacity[rows.link(row)] && covers(rows.of(other), crossings);
    });
    if (dominated)
      matters[rows.link(row)] = false;
    else
      for (const LinkRows::Crossing& one : crossings) kept[one.flow].push_back(row);
  }
}

}  // namespace railyard
