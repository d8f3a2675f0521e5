#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace railyard {

namespace {

constexpr std::size_t kShortWord = 3;     // two other letters make another word of it
constexpr std::size_t kLongestWord = 64;  // beyond that nobody mistyped; also bounds the work

std::string folded(std::string_view word) {
  std::string plain;
  for (const char c : word)
    if (c != '-' && c != '_' && c != ' ') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

bool is_part(const std::string& word, const std::string& of) { return word.size() >= 3 && of.find(word) != std::string::npos; }

/// One of several, or several of one: retry and retries.
bool is_other_form(const std::string& a, const std::string& b) {
  const std::string& one = a.size() < b.size() ? a : b;
  const std::string& several = a.size() < b.size() ? b : a;
  return one.size() >= 3 && one.back() == 'y' && several == one.substr(0, one.size() - 1) + "ies";
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  const std::string a = folded(left), b = folded(right);
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); i++) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > kLongestWord) return {};
  std::string best;
  const std::size_t most = word.size() <= kShortWord ? 1 : std::max<std::size_t>(2, word.size() / 3);
  std::pair best_distance(most + 1, std::size_t{0});
  for (const std::string& candidate : candidates) {
    const std::size_t letters = edit_distance(word, candidate);
    const bool is_near = is_part(folded(word), folded(candidate)) || is_other_form(folded(word), folded(candidate));
    const std::pair distance(is_near ? std::min(letters, most) : letters, letters);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

}  // namespace railyard
