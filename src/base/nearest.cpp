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
    if (c != '-' && c != '_' && c != ' ' && c != '.') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

constexpr std::size_t kShortestPart = 3;

/// Letters left out, the first and the last kept: CX7 for ConnectX-7.
bool is_abbreviation(const std::string& word, const std::string& of) {
  if (of.size() <= word.size() || of.front() != word.front() || of.back() != word.back()) return false;
  std::size_t found = 0;
  for (const char c : of) found += found < word.size() && c == word[found] ? 1 : 0;
  return found == word.size();
}

/// One of several, or several of one: retry and retries.
bool is_other_form(const std::string& a, const std::string& b) {
  const std::string& one = a.size() < b.size() ? a : b;
  const std::string& several = a.size() < b.size() ? b : a;
  return one.size() >= 3 && one.back() == 'y' && several == one.substr(0, one.size() - 1) + "ies";
}

/// Whether both begin with one name that has a number in it: H100-80GB and H100-SXM-80.
bool is_same_family(std::string_view a, std::string_view b) {
  const auto family = [](std::string_view word) { return folded(word.substr(0, word.find_first_of("-_ ."))); };
  const std::string of_a = family(a);
  const bool has_number = std::any_of(of_a.begin(), of_a.end(), [](char c) { return c >= '0' && c <= '9'; });
  return has_number && of_a.size() >= kShortestPart && of_a == family(b);
}

/// How far a candidate is from a word, `most` being the most that is worth suggesting: one that begins with it is nearest, then
/// come those that have it in them, its plural, its family and what it abbreviates, or letters that differ.
std::size_t distance(std::string_view written, std::string_view candidate, std::size_t letters, std::size_t most) {
  const std::string word = folded(written), other = folded(candidate);
  if (word.size() < kShortestPart) return letters;
  if (other.starts_with(word)) return 0;
  if (other.find(word) != std::string::npos) return std::min<std::size_t>(letters, 1);
  const bool is_near = is_other_form(word, other) || is_abbreviation(word, other) || is_same_family(written, candidate);
  return is_near ? std::min(letters, most) : letters;
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
    const std::pair found(distance(word, candidate, letters, most), letters);
    if (found < best_distance) best = candidate, best_distance = found;
  }
  return best;
}

}  // namespace railyard
