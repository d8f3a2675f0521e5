#include "engine/analytic/sole_links.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/rates/max_min.h"

namespace railyard {

namespace {

/// Sets of paths, joined as links are found that two of them cross.
class PathSets {
 public:
  explicit PathSets(std::uint32_t paths) : above_(paths) { std::iota(above_.begin(), above_.end(), 0U); }
  [[nodiscard]] std::uint32_t find(std::uint32_t path) {
    while (above_[path] != path) path = above_[path] = above_[above_[path]];
    return path;
  }
  /// The lower number stands for both.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  LargeArray<std::uint32_t> above_;
};

class SoleLinkSearch {
 public:
  explicit SoleLinkSearch(const AnalyticPaths& paths) : paths_(paths), sets_(paths.size()), links_(paths.links()) {}

  SoleLinks find() {
    look_at_caps();
    join_paths();
    sets_of_paths_.resize(paths_.size());
    for (std::uint32_t path = 0; path < paths_.size(); path++) count(path);
    for (std::uint32_t path = 0; path < paths_.size(); path++) choose(path);
    for (std::uint32_t path = 0; path < paths_.size(); path++) check(path);
    return number();
  }

 private:
  struct Link {
    Int128 most = 0;              // what its paths put on it at their caps
    std::uint32_t crossings = 0;  // of paths
    std::uint32_t seen_by = SoleLinks::kNone;
  };
  struct Set {
    std::uint32_t paths = 0;
    std::uint32_t sole = SoleLinks::kNone;  // the slowest link that all its paths cross
    std::int64_t cap = 0;
    bool good = true;
  };

  [[nodiscard]] std::int64_t capacity(std::uint32_t link) const { return paths_.rate(link).count() * kRateUnitsPerBit; }
  [[nodiscard]] bool may_fill(std::uint32_t link) const { return links_[link].most > capacity(link); }
  [[nodiscard]] std::span<const std::uint32_t> links_of(std::uint32_t path) const {
    const std::uint32_t first = paths_.path_firsts()[path];
    return paths_.path_links().subspan(first, paths_.path_firsts()[path + 1] - first);
  }

  void look_at_caps() {
    caps_.reserve(paths_.size());
    for (std::uint32_t path = 0; path < paths_.size(); path++) {
      caps_.push_back(paths_.cap(path));
      for (const std::uint32_t link : links_of(path)) links_[link].most += caps_.back(), links_[link].crossings++;
    }
  }

  void join_paths() {
    for (std::uint32_t path = 0; path < paths_.size(); path++)
      for (const std::uint32_t link : links_of(path)) {
        if (!may_fill(link)) continue;
        if (links_[link].seen_by != SoleLinks::kNone) sets_.join(path, links_[link].seen_by);
        links_[link].seen_by = path;
      }
  }

  void count(std::uint32_t path) {
    Set& set = sets_of_paths_[sets_.find(path)];
    if (set.paths++ == 0) set.cap = caps_[path];
    set.good = set.good && set.cap == caps_[path];
  }

  void choose(std::uint32_t path) {
    Set& set = sets_of_paths_[sets_.find(path)];
    for (const std::uint32_t link : links_of(path)) {
      if (!may_fill(link) || links_[link].crossings != set.paths) continue;
      if (set.sole == SoleLinks::kNone || capacity(link) < capacity(set.sole)) set.sole = link;
    }
  }

  void check(std::uint32_t path) {
    Set& set = sets_of_paths_[sets_.find(path)];
    const std::span<const std::uint32_t> links = links_of(path);
    for (const std::uint32_t link : links) {
      if (!may_fill(link)) continue;
      set.good = set.good && set.sole != SoleLinks::kNone && capacity(link) >= capacity(set.sole);
      set.good = set.good && std::count(links.begin(), links.end(), link) == 1;
    }
  }

  SoleLinks number() {
    SoleLinks found;
    std::vector<std::uint32_t> number(paths_.size(), SoleLinks::kNone);  // by set
    for (std::uint32_t path = 0; path < paths_.size(); path++) {
      const std::uint32_t of = sets_.find(path);
      const Set& set = sets_of_paths_[of];
      if (set.good && number[of] == SoleLinks::kNone) {
        number[of] = static_cast<std::uint32_t>(found.groups.size());
        found.groups.push_back({set.sole == SoleLinks::kNone ? kUnlimitedRate : capacity(set.sole), set.cap, set.paths});
      }
      found.of_path.push_back(number[of]);
    }
    return found;
  }

  const AnalyticPaths& paths_;
  PathSets sets_;
  std::vector<Link> links_;
  LargeArray<std::int64_t> caps_;  // by path
  std::vector<Set> sets_of_paths_;
};

}  // namespace

SoleLinks find_sole_links(const AnalyticPaths& paths) { return paths.are_whole() ? SoleLinkSearch(paths).find() : SoleLinks{}; }

}  // namespace railyard
