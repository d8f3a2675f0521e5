#include "measured/snapshots.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "measured/text.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kEarly = {"before", "pre", "start", "begin", "initial", "t0", "snap0"};
constexpr std::array<std::string_view, 7> kLate = {"after", "post", "end", "stop", "final", "t1", "snap1"};
// Words of commands and of what they print: no names of devices.
constexpr std::array<std::string_view, 24> kGeneric = {
    "ethtool",  "s",     "counters", "counter", "stats", "statistics", "statistic", "rdma",
    "hw",       "sysfs", "show",     "pfc",     "pfcwd", "queue",      "watermark", "wredcounters",
    "snapshot", "snap",  "run",      "dump",    "out",   "output",     "json",      "metrics"};

template<std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words of a name, each with what parts it from the one before it.
std::vector<std::pair<char, std::string>> name_words(std::string_view name) {
  std::vector<std::pair<char, std::string>> out(1, {'_', ""});
  for (const char c : name)
    if (c == '_' || c == '.' || c == ' ' || c == '-')
      out.emplace_back(c, "");
    else
      out.back().second += c;
  return out;
}

bool is_interface(std::string_view word) {
  const bool has_digit = std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  for (const std::string_view start :
       {"eth", "enp", "ens", "eno", "enP", "ib", "bond", "mlx5", "swp", "Ethernet", "roce", "rdma"})
    if (has_digit && word.starts_with(start)) return true;
  return false;
}

/// 0: before a test, 1: not said, 2: after it.
int part_of_name(const std::string& file) {
  int out = 1;
  for (const fs::path& part : fs::path(file))
    for (const auto& [separator, word] : name_words(printed::lower_case(part.string()))) {
      if (is_among(kEarly, word)) out = 0;
      if (is_among(kLate, word)) out = 2;
    }
  return out;
}

bool is_snapshot_folder(const std::string& name) {
  const std::string plain = printed::lower_case(name);
  return is_among(kEarly, plain) || is_among(kLate, plain);
}

/// What stays of a file's name without words of commands, of snapshots, and interfaces; all of it if nothing does.
std::string named_device(const std::string& stem) {
  std::string out;
  for (const auto& [separator, word] : name_words(stem)) {
    const std::string plain = printed::lower_case(word);
    const std::string letters = plain.substr(0, plain.find_first_of("0123456789"));
    const bool numbered = letters != plain && is_among(kGeneric, letters);
    if (numbered || is_among(kGeneric, plain) || is_among(kEarly, plain) || is_among(kLate, plain) || is_interface(word))
      continue;
    if (!out.empty()) out += separator;
    out += word;
  }
  return out.empty() ? stem : out;
}

std::string key_of_sample(const CounterSample& sample) {
  std::string key = sample.device + '\n' + sample.port + '\n' + sample.name + '\n';
  if (sample.priority) key += std::to_string(*sample.priority);
  return key;
}

}  // namespace

std::string measured_device(const fs::path& root, const fs::path& file) {
  const fs::path below = file.lexically_relative(root);
  const auto depth = std::distance(below.begin(), below.end());
  const std::string folder = file.parent_path().filename().string();
  const bool nested = !below.empty() && depth > 1 && !is_snapshot_folder(folder);
  if (nested) return folder;
  const std::string name = file.filename().string();
  return named_device(name.substr(0, name.find('.', 1)));
}

std::string interface_in_name(std::string_view file) {
  for (const auto& [separator, word] : name_words(measured_text::last_part(file)))
    if (is_interface(word)) return word;
  return {};
}

void number_snapshots(Measurements& all, std::size_t first) {
  std::unordered_map<std::string, std::vector<std::size_t>> samples;
  std::unordered_map<std::string, int> parts;
  for (std::size_t i = first; i < all.counters.size(); i++) {
    const CounterSample& sample = all.counters[i];
    if (sample.time_s >= kFirstTime) continue;
    samples[key_of_sample(sample)].push_back(i);
    parts.try_emplace(sample.where.file, 0);
  }
  for (auto& [file, part] : parts) part = part_of_name(file);
  for (auto& [key, places] : samples) {
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
      return parts[all.counters[a].where.file] < parts[all.counters[b].where.file];
    });
    for (std::size_t i = 0; i < places.size(); i++) all.counters[places[i]].time_s = static_cast<double>(i);
  }
}

}  // namespace railyard
