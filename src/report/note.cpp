#include <algorithm>
#include <cctype>

#include "report/report.h"

namespace railyard {

namespace {

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Whether a column is called that: the label is its title, or whole words of it.
bool is_called(const std::string& title, const std::string& label) {
  const std::string spaced = " " + in_lower_case(title) + " ";
  return spaced.find(" " + in_lower_case(label) + " ") != std::string::npos;
}

/// "Constraint, found: what …" has the labels "Constraint" and "found"; a sentence without a colon has none.
std::vector<std::string> labels_of(std::string_view sentence) {
  std::vector<std::string> labels;
  const std::size_t colon = sentence.find(": ");
  if (colon == std::string_view::npos) return labels;
  for (std::string_view rest = sentence.substr(0, colon); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    labels.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return labels;
}

bool names_one(const std::vector<std::string>& labels, const std::vector<std::string>& titles) {
  return std::any_of(labels.begin(), labels.end(), [&](const std::string& label) {
    return std::any_of(titles.begin(), titles.end(), [&](const std::string& title) { return is_called(title, label); });
  });
}

}  // namespace

std::string note_without(const std::string& note, const std::vector<std::string>& kept,
                         const std::vector<std::string>& dropped) {
  constexpr std::string_view kEnd = ". ";
  std::string out;
  for (std::string_view rest = note; !rest.empty();) {
    const std::size_t end = rest.find(kEnd);
    const std::string_view sentence = rest.substr(0, end == std::string_view::npos ? end : end + 1);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kEnd.size());
    const std::vector<std::string> labels = labels_of(sentence);
    if (names_one(labels, dropped) && !names_one(labels, kept)) continue;
    out += (out.empty() ? "" : " ") + std::string(sentence);
  }
  return out;
}

}  // namespace railyard
