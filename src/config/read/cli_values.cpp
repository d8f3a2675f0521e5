#include "config/read/cli_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace railyard {

namespace {

std::string cli_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_cli_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::string_view> split_cli_list(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(mark), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Adds "3" or "0-2" to the values that are set. Values are read by the function, so that names can stand for them.
template<class Read>
void add_cli_values(std::string_view list, std::size_t limit, const Read& read, std::vector<bool>& set) {
  for (const std::string_view part : split_cli_list(list, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = read(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : read(part.substr(dash + 1));
    if (!first || !last || *last >= limit) continue;
    for (std::size_t i = *first; i <= *last; i++) set[i] = true;
  }
}

std::vector<std::uint8_t> cli_values_set(const std::vector<bool>& set) {
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i < set.size(); i++)
    if (set[i]) out.push_back(static_cast<std::uint8_t>(i));
  return out;
}

/// Names of ports that other devices have: letters, then a digit or "-", then digits and "/:-_.".
bool looks_like_port(std::string_view text) {
  static constexpr std::string_view kinds[] = {"ethernet", "eth",   "et-",  "et",  "xe-", "swp", "ens",
                                               "enp",      "mlx5_", "port", "nic", "gpu", "po",  "te",
                                               "hu",       "fo",    "ge-",  "e",   "p",   "twe", "ae"};
  const std::string low = cli_lower(text);
  for (const std::string_view kind : kinds) {
    if (!low.starts_with(kind) || low.size() == kind.size()) continue;
    const std::string_view rest = std::string_view(low).substr(kind.size());
    if (is_cli_digit(rest[0]) && rest.find_first_not_of("0123456789/:.-_snpf") == std::string_view::npos) return true;
  }
  return is_cli_digit(low.empty() ? ' ' : low[0]) && low.find('/') != std::string::npos &&
         low.find_first_not_of("0123456789/:") == std::string::npos;
}

bool may_name_device(std::string_view text) {
  static constexpr std::string_view not_devices[] = {"breakout", "port", "interface", "link", "uplink", "channel", "unused"};
  if (text.empty() || std::isalnum(static_cast<unsigned char>(text[0])) == 0 || text.find(' ') != std::string_view::npos)
    return false;
  return std::find(std::begin(not_devices), std::end(not_devices), cli_lower(text)) == std::end(not_devices);
}

/// "leaf1_Ethernet3", "leaf1:et-0/0/3", "leaf1 Ethernet3" or "leaf1": the device, and the port if the end looks like one.
DescribedNeighbour described_device(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at++) {
    if (std::string_view(" :_,.").find(text[at]) == std::string_view::npos) continue;
    const std::string_view port = text.substr(at + 1);
    if (may_name_device(text.substr(0, at)) && looks_like_port(port))
      return {std::string(text.substr(0, at)), std::string(port)};
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> cli_whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> cli_decimal(std::string_view text) {
  double value = 0;
  if (text.empty() || !is_cli_digit(text[0])) return std::nullopt;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value > 1e15) return std::nullopt;
  return value;
}

Picoseconds cli_milliseconds(double span) {
  constexpr double kDay = 86'400'000;
  return Picoseconds(std::llround(std::min(span, kDay) * 1e9));
}

std::optional<std::uint8_t> cli_number_below(std::string_view text, std::size_t limit) {
  const auto value = cli_whole_number(text);
  if (!value || *value >= limit || *value > 255) return std::nullopt;
  return static_cast<std::uint8_t>(*value);
}

std::vector<std::uint8_t> cli_numbers_below(const CliStatement& statement, std::size_t from, std::size_t limit) {
  std::vector<bool> set(limit);
  for (std::size_t i = from; i < statement.words.size(); i++)
    add_cli_values(
        statement.words[i], limit, [&](std::string_view one) { return cli_number_below(one, limit); }, set);
  return cli_values_set(set);
}

std::optional<std::uint8_t> cli_dscp(std::string_view text) {
  if (const auto value = cli_number_below(text, kDscps)) return value;
  const std::string name = cli_lower(text);
  if (name == "default" || name == "be") return 0;
  if (name == "ef") return 46;
  if (name == "nc1") return 48;
  if (name == "nc2") return 56;
  if (name == "va" || name == "voice-admit") return 44;
  if (name.size() == 3 && name.starts_with("cs") && name[2] >= '0' && name[2] <= '7')
    return static_cast<std::uint8_t>((name[2] - '0') * 8);
  if (name.size() == 4 && name.starts_with("af") && name[2] >= '1' && name[2] <= '4' && name[3] >= '1' && name[3] <= '3')
    return static_cast<std::uint8_t>((name[2] - '0') * 8 + (name[3] - '0') * 2);  // RFC 2597
  return std::nullopt;
}

std::vector<std::uint8_t> cli_dscps(const CliStatement& statement, std::size_t from) {
  std::vector<bool> set(kDscps);
  for (std::size_t i = from; i < statement.words.size(); i++) add_cli_values(statement.words[i], kDscps, cli_dscp, set);
  return cli_values_set(set);
}

std::optional<BitsPerSecond> cli_speed(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_cli_digit(text[digits])) digits++;
  const auto value = cli_whole_number(text.substr(0, digits));
  if (!value || *value == 0 || *value > 10'000'000) return std::nullopt;
  if (digits == text.size()) return BitsPerSecond(static_cast<std::int64_t>(*value) * 1'000'000);
  const char unit = static_cast<char>(std::tolower(static_cast<unsigned char>(text[digits])));
  if (unit == 'g') return BitsPerSecond(static_cast<std::int64_t>(*value) * 1'000'000'000);
  if (unit == 'm') return BitsPerSecond(static_cast<std::int64_t>(*value) * 1'000'000);
  return std::nullopt;
}

std::optional<Threshold> cli_threshold(std::string_view number, std::string_view unit) {
  const auto value = cli_decimal(number);
  if (!value || *value > 1e12) return std::nullopt;
  static constexpr struct {
    std::string_view name;
    ThresholdUnit unit;
    double factor;
  } units[] = {{"bytes", ThresholdUnit::bytes, 1},         {"kbytes", ThresholdUnit::bytes, 1e3},
               {"mbytes", ThresholdUnit::bytes, 1e6},      {"segments", ThresholdUnit::cells, 1},
               {"cells", ThresholdUnit::cells, 1},         {"percent", ThresholdUnit::percent, 1},
               {"milliseconds", ThresholdUnit::time, 1e3}, {"ms", ThresholdUnit::time, 1e3},
               {"microseconds", ThresholdUnit::time, 1},   {"us", ThresholdUnit::time, 1}};
  for (const auto& one : units)
    if (one.name == unit) return Threshold{one.unit, *value * one.factor};
  return std::nullopt;
}

DescribedNeighbour described_neighbour(std::string_view description) {
  const std::string low = cli_lower(description);
  for (const std::string_view mark :
       {"facing_", "facing ", "facing-", "link_to_", "link to ", " to ", "_to_", "-> ", "peer_"}) {
    const std::size_t at = low.rfind(mark);
    if (at == std::string::npos) continue;
    const std::string_view rest = description.substr(at + mark.size());
    if (DescribedNeighbour both = described_device(rest); !both.device.empty()) return both;
    if (may_name_device(rest)) return {std::string(rest), {}};
  }
  for (const std::string_view mark : {"to ", "to_", "to.", "to-", "to:", "p2p_"}) {
    if (!low.starts_with(mark)) continue;
    const std::string_view rest = description.substr(mark.size());
    if (DescribedNeighbour both = described_device(rest); !both.device.empty()) return both;
    if (may_name_device(rest)) return {std::string(rest), {}};
  }
  return described_device(description);
}

void set_paused_groups(QosPolicy& policy, const std::vector<PausedGroup>& paused) {
  const auto permute = [](std::array<std::uint8_t, kPriorities>& map,
                          const std::vector<std::pair<std::uint8_t, std::uint8_t>>& said) {
    std::array<bool, kPriorities> given = {}, taken = {};
    for (const auto& [from, to] : said) {
      map[from] = to;
      given[from] = taken[to] = true;
    }
    for (std::size_t i = 0; i < kPriorities; i++)
      if (!given[i] && !taken[i]) map[i] = static_cast<std::uint8_t>(i), given[i] = taken[i] = true;
    for (std::size_t i = 0; i < kPriorities; i++) {
      if (given[i]) continue;
      const auto free = std::find(taken.begin(), taken.end(), false);
      map[i] = free == taken.end() ? static_cast<std::uint8_t>(i) : static_cast<std::uint8_t>(free - taken.begin());
      if (free != taken.end()) *free = true;
    }
  };
  std::vector<std::pair<std::uint8_t, std::uint8_t>> priorities, queues;
  for (const PausedGroup& one : paused) {
    priorities.emplace_back(one.group, one.priority);
    queues.emplace_back(one.priority, one.queue);
  }
  permute(policy.priority_of_group, priorities);
  permute(policy.queue_of_priority, queues);
}

}  // namespace railyard
