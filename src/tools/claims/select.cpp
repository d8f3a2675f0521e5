#include "tools/claims/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace railyard {

namespace {

using Matches = std::vector<const Document*>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// As a choice writes it: text without quotes, everything else as JSON has it.
std::string written(const Document& value) { return value.text() ? *value.text() : value.summary(); }

/// "group=data, phase=forward": every member named must be there and read so.
bool chosen(const Document& item, std::string_view conditions) {
  while (!conditions.empty()) {
    const std::size_t end = std::min(conditions.find(','), conditions.size());
    const std::string_view one = conditions.substr(0, end);
    conditions.remove_prefix(std::min(end + 1, conditions.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) return false;
    const Document* member = item.find(trimmed(one.substr(0, equals)));
    if (!member || written(*member) != trimmed(one.substr(equals + 1))) return false;
  }
  return true;
}

void add_items(const Document& list, std::string_view choice, Matches& to) {
  const Document::Array* items = list.items();
  if (!items) return;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), index);
  if (error == std::errc() && end == choice.data() + choice.size()) {
    if (index < items->size()) to.push_back(&(*items)[index]);
    return;
  }
  for (const Document& item : *items)
    if (choice == "*" || chosen(item, choice)) to.push_back(&item);
}

Matches follow(const Document& results, std::string_view path) {
  Matches here{&results};
  while (!path.empty() && !here.empty()) {
    Matches next;
    if (path.front() == '[') {
      const std::size_t end = path.find(']');
      if (end == std::string_view::npos) return {};
      for (const Document* match : here) add_items(*match, path.substr(1, end - 1), next);
      path.remove_prefix(end + 1);
    } else {
      const std::size_t length = std::min(path.find_first_of(".["), path.size());
      for (const Document* match : here)
        if (const Document* member = match->find(path.substr(0, length))) next.push_back(member);
      path.remove_prefix(length);
    }
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    here = std::move(next);
  }
  return here;
}

double folded(const std::vector<double>& numbers, Fold fold) {
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  const auto largest = std::max_element(numbers.begin(), numbers.end());
  switch (fold) {
    case Fold::one:
    case Fold::max:
      return *largest;
    case Fold::sum:
      return sum;
    case Fold::mean:
      return sum / static_cast<double>(numbers.size());
    case Fold::min:
      return *std::min_element(numbers.begin(), numbers.end());
    case Fold::count:
      return static_cast<double>(numbers.size());
    case Fold::where_max:
      return static_cast<double>(largest - numbers.begin()) / static_cast<double>(numbers.size());
  }
  return 0;
}

}  // namespace

tl::expected<double, std::string> select_number(const Document& results, std::string_view path, Fold fold) {
  const Matches matches = follow(results, path);
  if (fold == Fold::count) return static_cast<double>(matches.size());
  if (matches.empty()) return tl::unexpected(fmt::format("the results have no {}", path));
  if (fold == Fold::one && matches.size() > 1)
    return tl::unexpected(fmt::format("{} leads to {} values; say how to fold them", path, matches.size()));
  std::vector<double> numbers;
  for (const Document* match : matches) {
    double storage = 0;
    const double* number = match->number(storage);
    if (!number) return tl::unexpected(fmt::format("{} leads to {}, not to a number", path, match->kind_name()));
    numbers.push_back(*number);
  }
  return folded(numbers, fold);
}

}  // namespace railyard
