// Columns and rows of a table of nccl-tests. Rows are read by the header's columns; tags of mpirun in between are left out.
#include <algorithm>
#include <array>
#include <cctype>

#include "measured/nccl_tests.h"
#include "measured/text.h"

namespace railyard::nccl_tests {

namespace {

using namespace measured_text;

constexpr double kMicrosecond = 1e-6, kGigabyte = 1e9;

struct ElementType {
  std::string_view name;
  std::uint32_t bytes;
};
constexpr std::array<ElementType, 20> kTypes = {
    {{"float", 4},    {"half", 2},     {"bfloat16", 2}, {"double", 8},  {"int8", 1},    {"uint8", 1},  {"int32", 4},
     {"uint32", 4},   {"int64", 8},    {"uint64", 8},   {"char", 1},    {"int", 4},     {"f8e4m3", 1}, {"f8e5m2", 1},
     {"fp8_e4m3", 1}, {"fp8_e5m2", 1}, {"float16", 2},  {"float32", 4}, {"float64", 8}, {"bf16", 2}}};

bool is_tag_character(char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == ','; }

/// The line with blanks for "[0]" and "[1,0]<stdout>:", wherever mpirun put them.
std::string without_tags(std::string_view line) {
  std::string out(line);
  for (std::size_t at = out.find('['); at != std::string::npos; at = out.find('[', at + 1)) {
    std::size_t end = at + 1;
    while (end < out.size() && is_tag_character(out[end])) end++;
    if (end == at + 1 || end >= out.size() || out[end] != ']') continue;
    end++;
    for (const std::string_view stream : {"<stdout>", "<stderr>"})
      if (out.compare(end, stream.size(), stream) == 0) end += stream.size();
    if (end < out.size() && out[end] == ':') end++;
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(at), out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
  return out;
}

bool is_value(std::string_view word) { return decimal(word).has_value() || word == "N/A" || word == "nan" || word == "inf"; }

std::optional<std::int64_t> root_of(std::string_view word) {
  const bool negative = word.starts_with('-');
  const auto value = small_number(word.substr(negative ? 1 : 0));
  if (!value) return std::nullopt;
  return negative ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
}

/// Time and bandwidths that begin at `at`; none unless what is wrong stands behind them, for the last word may be cut.
std::optional<CollectiveRow> group_at(const std::vector<std::string_view>& words, std::size_t at, bool is_checked) {
  if (at + (is_checked ? 3 : 2) >= words.size()) return std::nullopt;
  const auto time = decimal(words[at]), algorithm = decimal(words[at + 1]), bus = decimal(words[at + 2]);
  if (!time || !algorithm || !bus || *time < 0 || *algorithm < 0 || *bus < 0) return std::nullopt;
  CollectiveRow row;
  row.time_s = *time * kMicrosecond;
  row.algorithm_bandwidth = *algorithm * kGigabyte;
  row.bus_bandwidth = *bus * kGigabyte;
  if (const auto wrong = is_checked ? decimal(words[at + 3]) : std::nullopt; wrong && *wrong >= 0 && *wrong < 1e18)
    row.wrong = static_cast<std::uint64_t>(*wrong);
  return row;
}

/// Where the groups of times begin among the value columns.
std::vector<std::size_t> group_starts(const Columns& columns) {
  if (!columns.known) return {0, 4};
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < columns.values.size(); i++)
    if (columns.values[i] == "time") out.push_back(i);
  return out;
}

/// Takes the reduction and the root away from the words behind the type.
void take_names(std::vector<std::string_view>& rest, const Columns& columns, Row& row) {
  if (!rest.empty() && !is_value(rest.front())) {
    row.redop = rest.front();
    rest.erase(rest.begin());
  }
  const bool has_root =
      columns.known ? columns.root : rest.size() == 9 || rest.size() == 5 || (!rest.empty() && rest[0] == "-1");
  if (!has_root || rest.empty()) return;
  row.root = root_of(rest.front());
  if (row.root) rest.erase(rest.begin());
}

void read_groups(const std::vector<std::string_view>& rest, const Columns& columns, Row& row) {
  const std::vector<std::size_t> starts = group_starts(columns);
  for (std::size_t group = 0; group < starts.size(); group++) {
    const std::size_t behind = starts[group] + 3;
    const bool is_checked = !columns.known || (behind < columns.values.size() && columns.values[behind] != "time");
    auto result = group_at(rest, starts[group], is_checked);
    if (!result) {
      row.cut_off = true;
      return;
    }
    result->size = Bytes(static_cast<std::int64_t>(row.size));
    result->in_place = group == 1 || columns.starts_in_place;
    row.results.push_back(*result);
  }
}

}  // namespace

std::uint32_t element_size(std::string_view type) {
  for (const ElementType& one : kTypes)
    if (one.name == type) return one.bytes;
  return 0;
}

std::optional<Columns> columns_of(std::string_view line) {
  if (!contains(line, "algbw") || !contains(line, "busbw")) return std::nullopt;
  const std::string plain = without_tags(line);
  const std::vector<std::string_view> words = words_of(plain);
  const auto type = std::find(words.begin(), words.end(), "type");
  if (type == words.end()) return std::nullopt;
  Columns out;
  out.known = true;
  for (auto word = type + 1; word != words.end(); ++word) {
    if (*word == "root")
      out.root = true;
    else if (*word == "cputime")
      out.values.emplace_back("time");
    else if (*word == "redop")
      out.redop = true;
    else
      out.values.emplace_back(*word);
  }
  return out;
}

std::optional<Row> row_of(std::string_view line, const Columns& columns) {
  constexpr std::uint64_t kLargest = 1'000'000'000'000'000'000;
  const std::string plain = without_tags(line);
  const std::vector<std::string_view> words = words_of(plain);
  for (std::size_t at = 0; at + 2 < words.size(); at++) {
    if (element_size(words[at + 2]) == 0) continue;
    const auto size = digits(words[at]);
    const auto count = decimal(words[at + 1]);
    if (!size || *size > kLargest || !count || *count < 0 || *count > static_cast<double>(kLargest)) continue;
    Row row;
    row.size = *size;
    row.count = static_cast<std::uint64_t>(*count);
    row.type = words[at + 2];
    std::vector<std::string_view> rest(words.begin() + static_cast<std::ptrdiff_t>(at) + 3, words.end());
    take_names(rest, columns, row);
    read_groups(rest, columns, row);
    return row;
  }
  return std::nullopt;
}

std::string collective_of(std::string_view program) {
  const std::string_view name = last_part(program);
  const std::size_t end = name.find("_perf");
  if (end == std::string_view::npos || end == 0) return {};
  const std::string_view after = name.substr(end + 5);
  if (!after.empty() && (std::isalpha(static_cast<unsigned char>(after.front())) || (after.front() == '_' && after != "_mpi")))
    return {};
  const std::string_view collective = name.substr(0, end);
  const bool is_name = std::all_of(collective.begin(), collective.end(),
                                   [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; });
  return is_name ? std::string(collective) : std::string();
}

std::string version_of_code(std::uint64_t code) {
  if (code == 0) return {};
  const std::uint64_t wide = code >= 10'000 ? 10'000 : 1'000;  // before 2.9 one digit less
  return std::to_string(code / wide) + "." + std::to_string(code % wide / 100) + "." + std::to_string(code % 100);
}

std::optional<RankPlace> place_of(std::string_view line) {
  const auto rank = small_number(word_behind(line, " Rank "));
  const auto device = small_number(word_behind(line, " device "));
  const std::string_view host = word_behind(line, " on ");
  if (!rank || !device || host.empty() || !contains(line, " Pid ")) return std::nullopt;
  RankPlace out{*rank, short_text(host), *device, {}, {}};
  const std::string_view rest = *behind(line, " device ");
  const std::size_t open = rest.find('['), close = rest.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return out;
  out.bus = short_text(rest.substr(open + 1, close - open - 1));
  out.gpu = short_text(without_blanks(rest.substr(close + 1)));
  return out;
}

}  // namespace railyard::nccl_tests
