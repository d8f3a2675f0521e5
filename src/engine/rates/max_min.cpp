#include "engine/rates/max_min.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace railyard {

namespace {

constexpr std::uint32_t kShared = 1U << 31;  // in a place: the rest is the number of a shared link

template<class T>
T value_or(std::span<const T> values, std::uint32_t index, T otherwise) {
  return values.empty() ? otherwise : values[index];
}

/// Without a branch: who shares links with whom is random, and a wrong guess costs more than both ways.
std::uint32_t choose(bool condition, std::uint32_t yes, std::uint32_t no) {
  return no ^ ((yes ^ no) & -static_cast<std::uint32_t>(condition));
}

/// What a flow gets on a link that it has to itself.
std::int64_t rate_alone(std::int64_t capacity, WeightedFlows::Crossing crossing) {
  const Int128 rate = (Int128(capacity) << 32) / crossing.fraction;
  return rate < kUnlimitedRate ? static_cast<std::int64_t>(rate) : kUnlimitedRate;
}

/// A link before its flows are put on it; whole flows are counted already.
void open_link(WholeFlows::Link& link, std::int64_t capacity, std::uint32_t crossings) { link = {capacity, crossings, 0}; }
void open_link(WeightedFlows::Link& link, std::int64_t capacity, std::uint32_t) { link = {Int128(capacity) << 32, 0, 0, 0}; }

}  // namespace

struct MaxMin::Problem {
  std::span<const std::int64_t> capacity;
  const FlowPaths& paths;
  std::span<const std::uint32_t> active;
  std::span<std::int64_t> rate;

  [[nodiscard]] bool carries(std::uint32_t index) const { return paths.fraction.empty() || paths.fraction[index] > 0; }

  template<class Kind>
  [[nodiscard]] typename Kind::Crossing crossing(std::uint32_t flow, std::uint32_t index, std::uint32_t link) const {
    if constexpr (Kind::kWhole) {
      return {link};
    } else {
      const std::uint32_t weight = value_or(paths.weight, flow, 1U);
      RY_CHECK(weight > 0, "a flow has a weight");
      return {link, weight, value_or(paths.fraction, index, kWholeFraction)};
    }
  }
};

void MaxMin::solve(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active,
                   std::span<std::int64_t> rate) {
  RY_CHECK(rate.size() == active.size(), "every active flow has a place for its rate");
  RY_CHECK(paths.link.size() < kShared, "paths take fewer than 2^31 links");
  const Problem problem{capacity, paths, active, rate};
  const bool whole = paths.fraction.empty() && paths.weight.empty() && paths.priority.empty();
  if (whole && is_dense(problem)) return dense_.solve(capacity, paths, active, rate);
  if (link_slot_.size() < capacity.size()) link_slot_.resize(capacity.size(), 0);
  sort_by_priority(problem);
  if (whole && active.size() >= many_flows_)
    solve_sorted(problem);
  else if (whole)
    solve_as(problem, whole_);
  else
    solve_as(problem, weighted_);
}

/// Whether links have many flows each, looking at no more than is needed to tell.
bool MaxMin::is_dense(const Problem& problem) const {
  std::size_t crossings = 0;
  for (const std::uint32_t flow : problem.active) crossings += problem.paths.first[flow + 1] - problem.paths.first[flow];
  return DenseMaxMin::suits(crossings, problem.capacity.size());
}

/// Solves the same problem with its flows in another order.
void MaxMin::solve_sorted(const Problem& problem) {
  sort_by_ends(problem);
  const FlowPaths paths = copy_sorted(problem);
  solve_as(Problem{problem.capacity, paths, sorted_.active, sorted_.rate}, whole_);
  for (std::size_t i = 0; i < sorted_.slot.size(); i++) problem.rate[sorted_.slot[i]] = sorted_.rate[i];
}

/// Orders the slots so that flows come together whose first links are near each other and whose last links are: what a round
/// needs of these links, and mostly of those between, is then found near the processor. All links of a large problem are not.
void MaxMin::sort_by_ends(const Problem& problem) {
  constexpr std::uint32_t kBits = 8;  // a key is a pair of so many
  std::uint32_t shift = 13;           // links that are near each other
  while (problem.capacity.size() >> shift >> kBits) shift++;
  const auto fraction = [shift](std::uint32_t link) { return std::min(link >> shift, (1U << kBits) - 1); };
  const auto key = [&problem, fraction](std::uint32_t flow) {
    const std::uint32_t begin = problem.paths.first[flow], end = problem.paths.first[flow + 1];
    return begin == end ? 0U : fraction(problem.paths.link[begin]) << kBits | fraction(problem.paths.link[end - 1]);
  };
  std::vector<std::uint32_t> link_slot((1U << (2 * kBits)) + 1, 0);
  for (const std::uint32_t flow : problem.active) link_slot[key(flow) + 1]++;
  for (std::size_t i = 1; i < link_slot.size(); i++) link_slot[i] += link_slot[i - 1];
  sorted_.slot.resize(problem.active.size());
  for (std::uint32_t slot = 0; slot < problem.active.size(); slot++)
    sorted_.slot[link_slot[key(problem.active[slot])]++] = slot;
}

/// The paths of the flows in the order of sorted_.slot, all of them active.
FlowPaths MaxMin::copy_sorted(const Problem& problem) {
  constexpr std::size_t kAhead = 16;  // flows: paths lie anywhere, and memory is asked for them before
  const std::size_t count = sorted_.slot.size();
  const auto flow = [&](std::size_t i) { return problem.active[sorted_.slot[i]]; };
  sorted_.first.resize(count + 1);
  sorted_.link.resize(problem.paths.link.size());
  sorted_.cap.resize(problem.paths.cap.empty() ? 0 : count);
  sorted_.rate.resize(count);
  sorted_.active.resize(count);
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < count; i++) {
    if (i + kAhead < count) __builtin_prefetch(problem.paths.link.data() + problem.paths.first[flow(i + kAhead)]);
    const std::uint32_t begin = problem.paths.first[flow(i)], crossings = problem.paths.first[flow(i) + 1] - begin;
    RY_CHECK(end + crossings <= sorted_.link.size(), "no flow is active twice");
    std::copy_n(problem.paths.link.begin() + begin, crossings, sorted_.link.begin() + end);
    if (!sorted_.cap.empty()) sorted_.cap[i] = problem.paths.cap[flow(i)];
    sorted_.active[i] = static_cast<std::uint32_t>(i);
    sorted_.first[i] = end;
    end += crossings;
  }
  sorted_.first[count] = end;
  FlowPaths paths;
  paths.first = sorted_.first;
  paths.link = std::span<const std::uint32_t>(sorted_.link).first(end);
  paths.cap = sorted_.cap;
  return paths;
}

template<class Kind>
void MaxMin::solve_as(const Problem& problem, Scratch<Kind>& scratch) {
  const std::size_t crossings = count_crossings(problem);
  RoundArrays<Kind> arrays = make_room(problem, scratch, crossings);
  open_links(problem, arrays);
  for (std::size_t i = 0; i + 1 < class_begin_.size(); i++) {
    open_flows(problem, arrays, class_begin_[i], class_begin_[i + 1]);
    freeze_all(arrays);
  }
  for_each_crossed(problem, [&](std::uint32_t link) { link_slot_[link] = 0; });
}

/// Leaves the number of crossings in each link's place, and in crossed_ the links that have any; returns the sum.
std::size_t MaxMin::count_crossings(const Problem& problem) {
  std::size_t sum = 0;
  for (const std::uint32_t flow : problem.active) sum += problem.paths.first[flow + 1] - problem.paths.first[flow];
  // Going through all links in order is faster than through most of them in disorder.
  sweep_ = sum >= problem.capacity.size() / 4;
  if (!sweep_ && crossed_.size() <= sum) crossed_.resize(sum + 1);
  crossed_count_ = 0;
  for (const std::uint32_t flow : problem.active) {
    for (std::uint32_t i = problem.paths.first[flow]; i < problem.paths.first[flow + 1]; i++) {
      const std::uint32_t link = problem.paths.link[i];
      RY_CHECK(link < problem.capacity.size(), "a path takes links that exist");
      if (!problem.carries(i)) continue;
      const std::uint32_t before = link_slot_[link]++;
      if (sweep_) continue;
      crossed_[crossed_count_] = link;
      crossed_count_ += before == 0;
    }
  }
  return sum;
}

/// Calls job(link) for every link with crossings, once; others may be among them.
template<class Job>
void MaxMin::for_each_crossed(const Problem& problem, Job job) const {
  const auto count = sweep_ ? static_cast<std::uint32_t>(problem.capacity.size()) : crossed_count_;
  for (std::uint32_t i = 0; i < count; i++) job(sweep_ ? i : crossed_[i]);
}

/// Numbers the links that are shared, and notes the capacities of those that are not: a run of equal ones only once, so that
/// flows find them near the processor. What would hold for the next shared link is written in any case.
template<class Kind>
void MaxMin::open_links(const Problem& problem, RoundArrays<Kind>& arrays) {
  std::uint32_t shared = 0, alone = 0;
  std::int64_t capacity_before = kUnlimitedRate;
  alone_.assign(1, capacity_before);
  for_each_crossed(problem, [&, link_slot = link_slot_.data(), links = arrays.link](std::uint32_t link) {
    const std::int64_t capacity = problem.capacity[link];
    const std::uint32_t crossings = link_slot[link];
    RY_CHECK(capacity >= 0, "a link has no negative capacity");
    if (capacity != capacity_before) {
      alone_.push_back(capacity_before = capacity);
      alone++;
    }
    open_link(links[shared], capacity, crossings);
    link_slot[link] = choose(crossings > 1, kShared | shared, choose(crossings == 1, alone, 0U));
    shared += crossings > 1;
  });
  for (std::uint32_t link = 0; link < shared; link++) {
    arrays.level[link] = Kind::kWhole ? Kind::share(arrays.link[link]) : kNoLevel;
    arrays.waiting[link] = arrays.link[link].crossings;
  }
}

template<class Kind>
RoundArrays<Kind> MaxMin::make_room(const Problem& problem, Scratch<Kind>& scratch, std::size_t crossings) {
  const auto grow = [](auto& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  };
  const std::size_t shared = std::min(crossings / 2, problem.capacity.size()) + 1;  // one is written in advance
  grow(scratch.links, shared);
  grow(scratch.crossings, crossings + 1);
  grow(flows_, problem.active.size());
  grow(path_, problem.active.size());
  grow(level_, shared);
  grow(waiting_, shared);
  grow(stale_, shared);
  return {flows_.data(),        path_.data(),  scratch.crossings.data(), level_.data(), waiting_.data(),
          scratch.links.data(), stale_.data(), problem.rate.data()};
}

/// Orders the slots of `active` by priority, stable, and says where each priority begins and ends.
void MaxMin::sort_by_priority(const Problem& problem) {
  const auto count = static_cast<std::uint32_t>(problem.active.size());
  order_.clear();
  class_begin_.assign(1, 0);
  if (problem.paths.priority.empty()) return class_begin_.push_back(count);
  std::array<std::uint32_t, 257> begin{};
  for (const std::uint32_t flow : problem.active) begin[problem.paths.priority[flow] + 1U]++;
  for (std::size_t i = 1; i < begin.size(); i++) {
    begin[i] += begin[i - 1];
    if (begin[i] > begin[i - 1]) class_begin_.push_back(begin[i]);
  }
  order_.resize(count);
  for (std::uint32_t slot = 0; slot < count; slot++) order_[begin[problem.paths.priority[problem.active[slot]]]++] = slot;
}

/// Asks memory for the places that the paths of the next flows need, as far as these lie behind each other: links lie anywhere,
/// and waiting for each in turn would take longer than all the rest.
void MaxMin::prefetch_link_slots(std::span<const std::uint32_t> links, std::uint32_t from) const {
  constexpr std::size_t kAhead = 24, kOnce = 6;  // links; as many as most paths have
  const std::size_t end = std::min(from + kAhead + kOnce, links.size());
  for (std::size_t k = from + kAhead; k < end; k++) __builtin_prefetch(link_slot_.data() + links[k]);
}

/// Puts the flows of one priority on their links; those that share none with others are frozen at once.
template<class Kind>
void MaxMin::open_flows(const Problem& problem, RoundArrays<Kind>& arrays, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t crossings = 0;
  for (std::uint32_t i = begin; i < end; i++) {
    const std::uint32_t slot = order_.empty() ? i : order_[i], flow = problem.active[slot];
    const std::uint32_t first = crossings;
    std::int64_t cap = value_or(problem.paths.cap, flow, kUnlimitedRate);
    RY_CHECK(cap >= 0, "a flow has no negative cap");
    prefetch_link_slots(problem.paths.link, problem.paths.first[flow]);
    for (std::uint32_t k = problem.paths.first[flow]; k < problem.paths.first[flow + 1]; k++) {
      if (!problem.carries(k)) continue;
      const std::uint32_t link_slot = link_slot_[problem.paths.link[k]];
      const bool shared = link_slot & kShared;
      const typename Kind::Crossing crossing = problem.template crossing<Kind>(flow, k, link_slot & ~kShared);
      arrays.crossing[crossings] = crossing;
      crossings += shared;
      if constexpr (Kind::kWhole)
        cap = std::min(cap, alone_[choose(shared, 0U, link_slot)]);
      else if (shared)
        enter_link(arrays, crossing);
      else
        cap = std::min(cap, rate_alone(alone_[link_slot], crossing));
    }
    problem.rate[slot] = cap;
    arrays.path[slot] = {first, crossings - first};
    arrays.flow[arrays.flows] = {kNoLevel, arrays.crossing[first].link, slot};
    arrays.flows += crossings > first;
  }
}

}  // namespace railyard
