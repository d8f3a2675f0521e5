// Max-min rates on any small network: feasible, bottlenecked, independent of any order, and what a textbook says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "draw.h"
#include "engine/flow/dominated_links.h"
#include "engine/flow/flow_rates.h"
#include "engine/rates/dense_max_min.h"
#include "engine/rates/incremental.h"
#include "engine/rates/max_min.h"

namespace railyard {
namespace {

/// Up to 12 links, with 500 that nobody takes or without, and 20 flows. `first` and what follows are in the form of the solver.
struct SharedLinks {
  std::vector<std::int64_t> capacity;
  std::uint32_t used_links = 0;  // the first of them
  std::vector<std::uint32_t> first{0}, link;
  std::vector<std::uint64_t> fraction;
  std::vector<std::int64_t> cap;
  std::vector<std::uint32_t> weight;
  std::vector<std::uint8_t> priority;

  [[nodiscard]] std::uint32_t flows() const { return static_cast<std::uint32_t>(first.size() - 1); }
  [[nodiscard]] FlowPaths paths() const { return {first, link, fraction, cap, weight, priority}; }
  [[nodiscard]] std::uint64_t fraction_of(std::uint32_t crossing) const {
    return fraction.empty() ? kWholeFraction : fraction[crossing];
  }
  [[nodiscard]] std::uint32_t weight_of(std::uint32_t flow) const { return weight.empty() ? 1 : weight[flow]; }
  [[nodiscard]] std::int64_t cap_of(std::uint32_t flow) const { return cap.empty() ? kUnlimitedRate : cap[flow]; }
  [[nodiscard]] int priority_of(std::uint32_t flow) const { return priority.empty() ? 0 : priority[flow]; }
};

enum class Kind { plain, capped, parted, any };
enum class Size { units, gigabits };  // small numbers meet ties and rounding, large ones compare with real numbers

SharedLinks random_network(Kind kind, Size size, std::uint32_t flows = 0) {
  const auto amount = [&] {
    return size == Size::units ? *rc::gen::inRange<std::int64_t>(0, 40)
                               : *rc::gen::inRange<std::int64_t>(100, 800) * 1'000'000'000 * kRateUnitsPerBit;
  };
  SharedLinks n;
  n.used_links = 1 + below(12);
  n.capacity.resize(n.used_links + (below(2) ? 0 : 500));  // whether most links are crossed takes another way to them
  for (auto& capacity : n.capacity) capacity = amount();
  if (flows == 0) flows = 1 + below(20);
  const bool caps = kind != Kind::plain, any = kind == Kind::any, fractions = (any || kind == Kind::parted) && below(2),
             weights = any && below(2), priorities = any && below(2);
  for (std::uint32_t f = 0; f < flows; f++) {
    for (std::uint32_t k = below(6); k > 0; k--) {
      n.link.push_back(below(n.used_links));
      if (fractions) n.fraction.push_back(kWholeFraction * (1 + below(12)) / (1 + below(6)));
    }
    n.first.push_back(static_cast<std::uint32_t>(n.link.size()));
    if (caps) n.cap.push_back(below(2) ? kUnlimitedRate : amount());
    if (weights) n.weight.push_back(1 + below(7));
    if (priorities) n.priority.push_back(static_cast<std::uint8_t>(below(3)));
  }
  return n;
}

std::vector<std::int64_t> solve(const SharedLinks& n) {
  std::vector<std::uint32_t> active(n.flows());
  std::iota(active.begin(), active.end(), 0U);
  std::vector<std::int64_t> rate(active.size(), -1);
  MaxMin().solve(n.capacity, n.paths(), active, rate);
  return rate;
}

/// Progressive filling as in Bertsekas and Gallager, Data Networks, 6.5.2, in real numbers: all open flows grow together, each
/// by its weight, until a link is full or a cap is met; whoever is held back there is out.
std::vector<double> textbook(const SharedLinks& n) {
  std::vector<double> rate(n.flows(), 0), left(n.capacity.begin(), n.capacity.end());
  for (int priority = 0; priority < 3; priority++) {
    std::vector<bool> open(n.flows());
    for (std::uint32_t f = 0; f < n.flows(); f++) open[f] = n.priority_of(f) == priority;
    while (std::find(open.begin(), open.end(), true) != open.end()) {
      std::vector<double> growth(left.size(), 0);
      double step = INFINITY;
      for (std::uint32_t f = 0; f < n.flows(); f++) {
        if (!open[f]) continue;
        step = std::min(step, (static_cast<double>(n.cap_of(f)) - rate[f]) / n.weight_of(f));
        for (std::uint32_t k = n.first[f]; k < n.first[f + 1]; k++)
          growth[n.link[k]] += static_cast<double>(n.fraction_of(k)) / static_cast<double>(kWholeFraction) * n.weight_of(f);
      }
      for (std::size_t l = 0; l < left.size(); l++)
        if (growth[l] > 0) step = std::min(step, left[l] / growth[l]);
      for (std::size_t l = 0; l < left.size(); l++) left[l] = std::max(0.0, left[l] - step * growth[l]);
      for (std::uint32_t f = 0; f < n.flows(); f++) {
        if (!open[f]) continue;
        rate[f] += step * n.weight_of(f);
        open[f] = rate[f] < static_cast<double>(n.cap_of(f)) * (1 - 1e-12);
        for (std::uint32_t k = n.first[f]; k < n.first[f + 1]; k++)
          open[f] = open[f] && left[n.link[k]] > 1e-12 * static_cast<double>(n.capacity[n.link[k]]);
      }
    }
  }
  return rate;
}

/// Per link, in 2^-32 of a unit.
std::vector<Int128> loads(const SharedLinks& n, const std::vector<std::int64_t>& rate) {
  std::vector<Int128> load(n.capacity.size(), 0);
  for (std::uint32_t f = 0; f < n.flows(); f++)
    for (std::uint32_t k = n.first[f]; k < n.first[f + 1]; k++) load[n.link[k]] += Int128(rate[f]) * n.fraction_of(k);
  return load;
}

/// Whether one more unit of level would not fit on a link, and flow f is served there as well as anybody of its priority.
bool holds_back(const SharedLinks& n, const std::vector<std::int64_t>& rate, const std::vector<Int128>& load,
                std::uint32_t link, std::uint32_t f) {
  Int128 demand = 0;
  for (std::uint32_t g = 0; g < n.flows(); g++)
    for (std::uint32_t k = n.first[g]; k < n.first[g + 1]; k++) {
      if (n.link[k] != link || n.priority_of(g) > n.priority_of(f)) continue;
      demand += Int128(n.fraction_of(k)) * n.weight_of(g);
      // A unit of level is the grain: what is alone on a link, or at its cap, is not a multiple of its weight.
      if (n.priority_of(g) == n.priority_of(f) && rate[g] / n.weight_of(g) > rate[f] / n.weight_of(f)) return false;
    }
  return (Int128(n.capacity[link]) << 32) - load[link] < demand;
}

RC_GTEST_PROP(MaxMin, no_link_carries_more_than_its_capacity, ()) {
  const SharedLinks n = random_network(Kind::any, below(2) ? Size::units : Size::gigabits);
  const std::vector<Int128> load = loads(n, solve(n));
  for (std::size_t l = 0; l < load.size(); l++) RC_ASSERT(load[l] <= Int128(n.capacity[l]) << 32);
}

RC_GTEST_PROP(MaxMin, every_flow_is_at_its_cap_or_held_back, ()) {
  const SharedLinks n = random_network(Kind::any, below(2) ? Size::units : Size::gigabits);
  const std::vector<std::int64_t> rate = solve(n);
  const std::vector<Int128> load = loads(n, rate);
  for (std::uint32_t f = 0; f < n.flows(); f++) {
    bool held = rate[f] == n.cap_of(f);
    for (std::uint32_t k = n.first[f]; k < n.first[f + 1] && !held; k++) held = holds_back(n, rate, load, n.link[k], f);
    RC_ASSERT(held);
  }
}

RC_GTEST_PROP(MaxMin, rates_are_those_of_progressive_filling, ()) {
  const SharedLinks n = random_network(Kind::any, Size::gigabits);
  const std::vector<std::int64_t> rate = solve(n);
  const std::vector<double> expected = textbook(n);
  constexpr double kSmallestLink = 100e9 * kRateUnitsPerBit;  // where nothing is left, rounding leaves something
  for (std::uint32_t f = 0; f < n.flows(); f++)
    RC_ASSERT(std::abs(static_cast<double>(rate[f]) - expected[f]) <= 1e-9 * std::max(expected[f], kSmallestLink));
}

/// The same network with its flows in another order, their paths backwards, and other names of links.
SharedLinks renamed(const SharedLinks& n, const std::vector<std::uint32_t>& flow_order,
                    const std::vector<std::uint32_t>& link_name) {
  SharedLinks m;
  m.capacity.resize(n.capacity.size());
  for (std::size_t l = 0; l < link_name.size(); l++) m.capacity[link_name[l]] = n.capacity[l];
  for (const std::uint32_t f : flow_order) {
    for (std::uint32_t k = n.first[f + 1]; k > n.first[f]; k--) {
      m.link.push_back(link_name[n.link[k - 1]]);
      if (!n.fraction.empty()) m.fraction.push_back(n.fraction[k - 1]);
    }
    m.first.push_back(static_cast<std::uint32_t>(m.link.size()));
    if (!n.cap.empty()) m.cap.push_back(n.cap[f]);
    if (!n.weight.empty()) m.weight.push_back(n.weight[f]);
    if (!n.priority.empty()) m.priority.push_back(n.priority[f]);
  }
  return m;
}

std::vector<std::uint32_t> random_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; i--) std::swap(order[i - 1], order[below(static_cast<std::uint32_t>(i))]);
  return order;
}

RC_GTEST_PROP(MaxMin, names_and_order_do_not_show, ()) {
  const SharedLinks n = random_network(Kind::any, Size::units);
  const std::vector<std::uint32_t> order = random_order(n.flows());
  const std::vector<std::int64_t> rate = solve(n), other = solve(renamed(n, order, random_order(n.capacity.size())));
  for (std::uint32_t f = 0; f < n.flows(); f++) RC_ASSERT(other[f] == rate[order[f]]);
}

RC_GTEST_PROP(MaxMin, both_arithmetics_agree_to_the_unit, ()) {
  const SharedLinks n = random_network(Kind::capped, Size::units);
  SharedLinks weighted = n;
  weighted.weight.assign(n.flows(), 1);
  RC_ASSERT(solve(n) == solve(weighted));
}

/// The same network with its links far apart, with such between that nobody takes.
SharedLinks spread(const SharedLinks& n) {
  constexpr std::uint32_t kApart = 10'000;
  SharedLinks far = n;
  far.capacity.assign(std::size_t{n.used_links} * kApart, 0);
  for (std::uint32_t link = 0; link < n.used_links; link++) far.capacity[link * kApart] = n.capacity[link];
  for (std::uint32_t& link : far.link) link *= kApart;
  return far;
}

RC_GTEST_PROP(MaxMin, sorting_flows_by_their_links_does_not_show, ()) {
  const SharedLinks n = spread(random_network(Kind::capped, Size::units));
  std::vector<std::uint32_t> active = random_order(n.flows());
  active.resize(1 + below(n.flows()));
  std::vector<std::int64_t> rate(active.size(), -1), sorted(active.size(), -1);
  MaxMin().solve(n.capacity, n.paths(), active, rate);
  MaxMin(0).solve(n.capacity, n.paths(), active, sorted);
  RC_ASSERT(sorted == rate);
}

RC_GTEST_PROP(MaxMin, link_by_link_rates_are_those_found_flow_by_flow, ()) {
  for (int networks = 0; networks < 20; networks++) {
    const SharedLinks n = random_network(Kind::capped, below(4) ? Size::units : Size::gigabits);
    const std::vector<std::uint32_t> order = random_order(n.flows());
    std::vector<std::int64_t> dense(order.size()), rate(order.size());
    DenseMaxMin().solve(n.capacity, n.paths(), order, dense);
    MaxMin().solve(n.capacity, n.paths(), order, rate);
    RC_ASSERT(dense == rate);
  }
}

RC_GTEST_PROP(MaxMin, a_faster_link_does_not_lower_the_lowest_rate, ()) {
  SharedLinks n = random_network(Kind::capped, Size::units);
  const std::vector<std::int64_t> before = solve(n);
  n.capacity[below(n.used_links)] += 1 + below(20);
  const std::vector<std::int64_t> after = solve(n);
  RC_ASSERT(*std::min_element(after.begin(), after.end()) >= *std::min_element(before.begin(), before.end()));
}

RC_GTEST_PROP(MaxMin, a_faster_link_lowers_no_rate_if_it_is_the_only_one, ()) {
  SharedLinks n = random_network(Kind::capped, Size::gigabits);
  n.capacity.resize(1);
  std::fill(n.link.begin(), n.link.end(), 0U);
  const std::vector<std::int64_t> before = solve(n);
  n.capacity[0] += below(1'000'000);
  const std::vector<std::int64_t> after = solve(n);
  for (std::uint32_t f = 0; f < n.flows(); f++) RC_ASSERT(after[f] >= before[f]);
}

/// Rates of some of the flows, by flow; -1 for the others.
std::vector<std::int64_t> solve_some(const SharedLinks& n, const std::vector<std::uint32_t>& active) {
  std::vector<std::int64_t> rate(active.size()), by_flow(n.flows(), -1);
  MaxMin().solve(n.capacity, n.paths(), active, rate);
  for (std::size_t i = 0; i < active.size(); i++) by_flow[active[i]] = rate[i];
  return by_flow;
}

/// Flows come and go, and capacities grow: rates stay those of the solver.
void follow_changes(SharedLinks n) {
  IncrementalMaxMin rates(n.capacity, n.paths());
  std::vector<std::int64_t> before(n.flows(), -1);
  for (std::uint32_t step = 0; step < 30; step++) {
    for (std::uint32_t i = below(3); i > 0; i--) {
      const std::uint32_t flow = below(n.flows());
      rates.active(flow) ? rates.remove(flow) : rates.add(flow);
    }
    if (below(5) == 0) {
      const std::uint32_t link = below(n.used_links);
      n.capacity[link] += below(10);
      rates.capacity_changed(link);
    }
    rates.solve();
    std::vector<std::uint32_t> active;
    for (std::uint32_t f = 0; f < n.flows(); f++)
      if (rates.active(f)) active.push_back(f);
    const std::vector<std::int64_t> expected = solve_some(n, active);
    for (const std::uint32_t f : active) {
      RC_ASSERT(rates.rate(f) == expected[f]);
      if (expected[f] != before[f])
        RC_ASSERT(std::find(rates.changed().begin(), rates.changed().end(), f) != rates.changed().end());
    }
    for (const std::uint32_t f : rates.changed()) RC_ASSERT(rates.active(f));
    before = expected;
  }
}

RC_GTEST_PROP(IncrementalMaxMin, follows_every_change_to_the_unit, ()) {
  for (int networks = 0; networks < 20; networks++)  // one in a thousand meets a tie that is hard to get right
    follow_changes(random_network(below(2) ? Kind::parted : Kind::capped, below(4) ? Size::units : Size::gigabits));
}

RC_GTEST_PROP(IncrementalMaxMin, goes_on_from_rates_that_were_solved, ()) {
  const SharedLinks n = random_network(Kind::parted, Size::units);
  const std::vector<std::uint32_t> order = random_order(n.flows());
  const std::vector<std::uint32_t> some(order.begin(), order.begin() + 1 + below(n.flows()));
  std::vector<std::int64_t> rate;
  const std::vector<std::int64_t> solved = solve_some(n, some);
  for (const std::uint32_t f : some) rate.push_back(solved[f]);
  const SharedLinks other = random_network(Kind::parted, Size::units);  // larger or smaller
  IncrementalMaxMin rates(other.capacity, other.paths());
  for (std::uint32_t f = 0; f < other.flows(); f++) rates.add(f);
  rates.solve();
  rates.restart(n.capacity, n.paths(), some, rate);
  for (const std::uint32_t f : some) RC_ASSERT(rates.rate(f) == solved[f]);
  rates.remove(some.front());
  rates.solve();
  const std::vector<std::int64_t> expected = solve_some(n, {some.begin() + 1, some.end()});
  for (std::size_t i = 1; i < some.size(); i++) RC_ASSERT(rates.rate(some[i]) == expected[some[i]]);
}

/// The same without what `keeps` denies, given link and whether its flow has it already.
SharedLinks without_links(const SharedLinks& n, const std::function<bool(std::uint32_t link, bool again)>& keeps) {
  SharedLinks some = n;
  some.first.assign(1, 0), some.link.clear(), some.fraction.clear();
  for (std::uint32_t f = 0; f < n.flows(); f++) {
    for (std::uint32_t i = n.first[f]; i < n.first[f + 1]; i++) {
      const bool again = std::find(some.link.begin() + some.first[f], some.link.end(), n.link[i]) != some.link.end();
      if (!keeps(n.link[i], again)) continue;
      some.link.push_back(n.link[i]);
      some.fraction.push_back(n.fraction_of(i));
    }
    some.first.push_back(static_cast<std::uint32_t>(some.link.size()));
  }
  return some;
}

RC_GTEST_PROP(MaxMin, rates_are_the_same_without_links_that_others_dominate, ()) {
  for (int networks = 0; networks < 20; networks++) {
    const SharedLinks n = without_links(random_network(Kind::any, below(4) ? Size::units : Size::gigabits),
                                        [](std::uint32_t, bool again) { return !again; });
    std::vector<bool> matters(n.capacity.size(), false);
    for (const std::uint32_t link : n.link) matters[link] = true;
    drop_dominated_links(n.capacity, {n.first, n.link, n.fraction}, matters);
    const std::vector<std::uint32_t> order = random_order(n.flows());
    const std::vector<std::uint32_t> some(order.begin(), order.begin() + 1 + below(n.flows()));
    const SharedLinks fewer = without_links(n, [&](std::uint32_t link, bool) { return matters[link]; });
    RC_ASSERT(solve_some(fewer, some) == solve_some(n, some));
  }
}

/// Ports fail and come back: flows stay, and what they cross becomes more or less.
RC_GTEST_PROP(FlowRates, follow_flows_over_paths_that_change, ()) {
  constexpr std::uint32_t kFlows = 100;  // enough to be followed
  FlowRates rates(false);
  std::vector<bool> active(kFlows, false);
  std::vector<std::int64_t> rate(kFlows, -1);
  Telemetry::Solving solving;
  SharedLinks n;
  const auto change = [&](std::uint32_t f) {
    active[f] ? rates.remove(FlowId(f)) : rates.add(FlowId(f));
    active[f] = !active[f];
  };
  for (std::uint32_t f = 0; f < kFlows; f++) change(f);
  for (std::uint32_t step = 0; step < 20; step++) {
    if (step % 5 == 0) {
      n = random_network(Kind::capped, Size::units, kFlows);
      rates.bind(n.capacity, n.paths(), true);
    }
    for (std::uint32_t i = below(4); i > 0; i--) change(below(kFlows));
    const FoundRates found = rates.update(solving);
    for (std::size_t i = 0; i < found.flow.size(); i++) rate[found.flow[i]] = found.rate[i];
    std::vector<std::uint32_t> some;
    for (std::uint32_t f = 0; f < kFlows; f++)
      if (active[f]) some.push_back(f);
    const std::vector<std::int64_t> expected = solve_some(n, some);
    for (const std::uint32_t f : some) RC_ASSERT(rate[f] == expected[f]);
  }
}

}  // namespace
}  // namespace railyard
