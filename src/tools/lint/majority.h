// Who differs from most others.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace railyard {

template<class T>
struct OddOne {
  T value;
  std::string own, most;  // what it has, and what most have
};

/// Those of `all` whose text differs from the one that more than half have; none if there are fewer than three, or no such
/// text. An empty text is not known, and does not count.
template<class T, class F>
std::vector<OddOne<T>> odd_ones(const std::vector<T>& all, F text_of) {
  std::vector<std::string> texts;
  std::map<std::string, std::size_t> counts;
  std::size_t known = 0;
  for (const T& one : all) {
    const std::string& text = texts.emplace_back(text_of(one));
    if (!text.empty()) counts[text]++, known++;
  }
  std::vector<OddOne<T>> odd;
  if (known < 3) return odd;
  for (const auto& [most, count] : counts) {
    if (count * 2 <= known) continue;
    for (std::size_t i = 0; i < all.size(); i++)
      if (!texts[i].empty() && texts[i] != most) odd.push_back({all[i], texts[i], most});
  }
  return odd;
}

}  // namespace railyard
