#include "engine/flow/flow_table.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/flow/dominated_links.h"
#include "engine/flow/set_key.h"

namespace railyard {

namespace {

constexpr std::size_t kShortPath = 32;  // links

}  // namespace

FlowId FlowTable::add(const LinkFractions& sum, std::uint8_t priority) {
  const bool whole = std::all_of(sum.fractions().begin(), sum.fractions().end(),
                                 [](std::uint64_t fraction) { return fraction == kWholeFraction; });
  if (!whole && fraction_.empty()) fraction_.assign(link_.size(), kWholeFraction);
  link_.insert(link_.end(), sum.links().begin(), sum.links().end());
  if (!whole || !fraction_.empty()) fraction_.insert(fraction_.end(), sum.fractions().begin(), sum.fractions().end());
  RY_CHECK(link_.size() < std::numeric_limits<std::uint32_t>::max(), "flows cross fewer than 2^32 links in all");
  first_.push_back(static_cast<std::uint32_t>(link_.size()));
  priority_.push_back(priority);
  return FlowId(static_cast<std::uint32_t>(size() - 1));
}

void FlowTable::clear() {
  first_.assign(1, 0);
  link_.clear();
  fraction_.clear();
  priority_.clear();
}

std::span<const std::uint32_t> FlowTable::links(FlowId flow) const {
  return std::span(link_).subspan(first_[flow.index()], first_[flow.index() + 1] - first_[flow.index()]);
}

void FlowTable::find_caps(std::span<const std::int64_t> capacity, std::int64_t cap, std::span<const std::int64_t> caps) {
  cap_.assign(size(), cap);
  for (std::size_t s = 0; s < caps.size(); s++) cap_[s] = std::min(cap, caps[s]);
  for (std::size_t s = 0; s < size(); s++)
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      const Int128 most =
          fraction_at(i) == kWholeFraction ? capacity[link_[i]] : (Int128(capacity[link_[i]]) << 32) / fraction_at(i);
      if (most < cap_[s]) cap_[s] = static_cast<std::int64_t>(most);
    }
}

namespace {

/// Links by what crosses them: open addressing, since there may be a million.
class LinksByKey {
 public:
  explicit LinksByKey(std::span<const SetKey> keys) : keys_(keys), slots_(std::bit_ceil(2 * keys.size() + 2), kNobody) {}

  /// Which one stands for all with this one's key; itself if it is the first.
  std::uint32_t& find(std::uint32_t index) {
    for (std::size_t at = SetKey::Hash()(keys_[index]);; at++) {
      std::uint32_t& slot = slots_[at & (slots_.size() - 1)];
      if (slot == kNobody) slot = index;
      if (keys_[slot] == keys_[index]) return slot;
    }
  }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  std::span<const SetKey> keys_;
  LargeArray<std::uint32_t> slots_;
};

}  // namespace

/// Calls job(flow, crossing, value of its link) in order. Links lie anywhere: memory is asked for some in advance.
template<class T, class Job>
void FlowTable::for_each_crossing(LargeArray<T>& of_link, Job job) const {
  constexpr std::uint32_t kAhead = 16;
  for (std::uint32_t s = 0; s < size(); s++)
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      if (i + kAhead < link_.size()) __builtin_prefetch(&of_link[link_[i + kAhead]], 1);
      job(s, i, of_link[link_[i]]);
    }
}

/// Links that all flows together could fill, each at the most it can reach.
std::vector<std::uint32_t> FlowTable::links_to_fill(std::span<const std::int64_t> capacity) const {
  LargeArray<std::int64_t> left(capacity.begin(), capacity.end());
  for_each_crossing(left, [&](std::uint32_t flow, std::uint32_t i, std::int64_t& of_link) {
    const Int128 most = fraction_at(i) == kWholeFraction ? cap_[flow] : (Int128(cap_[flow]) * fraction_at(i)) >> 32;
    of_link = of_link < most ? -1 : of_link - static_cast<std::int64_t>(most);
  });
  std::vector<std::uint32_t> links;
  for (std::uint32_t link = 0; link < capacity.size(); link++)
    if (left[link] < 0) links.push_back(link);
  return links;
}

std::vector<bool> FlowTable::links_that_matter(std::span<const std::int64_t> capacity) const {
  const std::vector<std::uint32_t> links = links_to_fill(capacity);
  LargeArray<std::uint32_t> link_index(capacity.size(), 0);  // behind that in `links`; 0: not there
  for (std::uint32_t i = 0; i < links.size(); i++) link_index[links[i]] = i + 1;
  LargeArray<SetKey> crossed(links.size() + 1);  // by whom, and with which fractions
  for_each_crossing(link_index, [&](std::uint32_t flow, std::uint32_t i, std::uint32_t of_link) {
    if (of_link > 0) crossed[of_link - 1].add((std::uint64_t{flow} << 32) ^ fraction_at(i) * 0x9E3779B97F4A7C15U);
  });
  std::vector<bool> matters(capacity.size(), false);
  LinksByKey narrowest(std::span<const SetKey>(crossed).first(links.size()));
  for (std::uint32_t i = 0; i < links.size(); i++) {
    std::uint32_t& known = narrowest.find(i);
    if (known != i && capacity[links[i]] >= capacity[links[known]]) continue;
    matters[links[known]] = false;
    known = i;
    matters[links[i]] = true;
  }
  return matters;
}

std::size_t FlowTable::count_crossings(const std::vector<bool>& matters) const {
  std::size_t crossings = 0;
  for (const std::uint32_t link : link_) crossings += matters[link];
  return crossings;
}

FlowPaths FlowTable::paths(std::span<const std::int64_t> capacity, std::int64_t cap, std::span<const std::int64_t> caps) {
  find_caps(capacity, cap, caps);
  std::vector<bool> matters = links_that_matter(capacity);
  has_short_paths_ = count_crossings(matters) < kShortPath * first_.size();
  if (!has_short_paths_) drop_dominated_links(capacity, {first_, link_, fraction_}, matters);
  const bool one_class =
      std::all_of(priority_.begin(), priority_.end(), [&](std::uint8_t p) { return p == priority_.front(); });
  const std::span<const std::uint8_t> priority = one_class ? std::span<const std::uint8_t>() : priority_;
  if (count_crossings(matters) == link_.size()) {
    give_back(kept_first_), give_back(kept_link_), give_back(kept_fraction_);
    return {.first = first_, .link = link_, .fraction = fraction_, .cap = cap_, .weight = {}, .priority = priority};
  }
  kept_first_.assign(1, 0);
  kept_link_.clear();
  kept_fraction_.clear();
  bool plain = true;
  for (std::size_t s = 0; s < size(); s++) {
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      if (!matters[link_[i]]) continue;
      kept_link_.push_back(link_[i]);
      if (!fraction_.empty()) kept_fraction_.push_back(fraction_[i]);
      plain &= fraction_at(i) == kWholeFraction;
    }
    kept_first_.push_back(static_cast<std::uint32_t>(kept_link_.size()));
  }
  return {.first = kept_first_,
          .link = kept_link_,
          .fraction = plain ? std::span<const std::uint64_t>() : kept_fraction_,
          .cap = cap_,
          .weight = {},
          .priority = priority};
}

}  // namespace railyard
