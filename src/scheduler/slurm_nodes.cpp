// Nodes and their states as Slurm prints them: sinfo, and scontrol show nodes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/printed_text.h"
#include "scheduler/readers.h"

namespace railyard {

namespace {

using Line = printed::NumberedLine;

/// Short and long forms, as sinfo writes them without their flags.
constexpr std::string_view kStates[] = {
    "idle",    "alloc",    "allocated", "mix",           "mixed",        "down",        "drain",        "drained",
    "drng",    "draining", "comp",      "completing",    "resv",         "reserved",    "maint",        "fail",
    "failing", "failg",    "err",       "error",         "unk",          "unknown",     "futr",         "future",
    "plnd",    "planned",  "pow_dn",    "powering_down", "pow_up",       "powering_up", "boot",         "reboot",
    "npc",     "perfctrs", "inval",     "blocked",       "powered_down", "rboot",       "reboot_issued"};

/// "idle" of "IDLE*".
std::string bare_state(std::string_view state) {
  while (!state.empty() && std::string_view("*~#!%$@^-").find(state.back()) != std::string_view::npos) state.remove_suffix(1);
  return printed::lower_case(state);
}

bool is_state(std::string_view word) {
  const std::string first = bare_state(word.substr(0, word.find('+')));
  return std::find(std::begin(kStates), std::end(kStates), first) != std::end(kStates);
}

/// Lines with something in them, without the first of `sinfo -N -l`, which is a date.
std::vector<Line> rows_of(std::string_view text) {
  std::vector<Line> rows;
  for (const Line& line : printed::numbered_lines(text))
    if (!printed::without_blanks(line.text).empty()) rows.push_back(line);
  const auto has_colons = [](std::string_view word) { return std::count(word.begin(), word.end(), ':') == 2; };
  if (rows.size() > 1) {
    const auto words = printed::words_of(rows.front().text);
    if (words.size() == 5 && has_colons(words[3])) rows.erase(rows.begin());
  }
  return rows;
}

/// Which words of a row are the names and the state.
struct SinfoColumns {
  std::size_t name = 0, state = 0;
  bool has_header = false;
};

std::optional<SinfoColumns> sinfo_header(const std::vector<std::string_view>& words) {
  std::optional<std::size_t> name, state;
  for (std::size_t i = 0; i < words.size(); i++) {
    if (words[i] == "NODELIST" || words[i] == "HOSTNAMES" || words[i] == "HOSTNAME" || words[i] == "NODEHOST") name = i;
    if (words[i] == "STATE" || words[i] == "STATECOMPACT" || words[i] == "STATELONG") state = i;
  }
  if (!name || !state) return std::nullopt;
  return SinfoColumns{*name, *state, true};
}

std::optional<SinfoColumns> sinfo_columns(std::string_view text) {
  const std::vector<Line> rows = rows_of(text);
  if (rows.empty()) return std::nullopt;
  const auto words = printed::words_of(rows.front().text);
  if (auto header = sinfo_header(words)) return header;
  // sinfo -h: PARTITION AVAIL TIMELIMIT NODES STATE NODELIST
  if (words.size() == 6 && (words[1] == "up" || words[1] == "down" || words[1] == "drain" || words[1] == "inact"))
    return SinfoColumns{5, 4, false};
  for (std::size_t i = words.size(); i-- > 0;)
    if (is_state(words[i]) && words.size() > 1) return SinfoColumns{i == 0 ? std::size_t{1} : 0, i, false};
  return std::nullopt;
}

/// The value of "State=" in a line of scontrol, none if it has no such key.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  for (const std::string_view word : printed::words_of(line))
    if (word.size() > key.size() && word[key.size()] == '=' && word.starts_with(key)) return word.substr(key.size() + 1);
  return std::nullopt;
}

}  // namespace

bool is_free_state(std::string_view state) {
  const std::string text = printed::lower_case(state);
  if (text == "idle" || text == "idle~" || text == "idle#") return true;
  if (!text.starts_with("idle+")) return false;  // as scontrol writes flags
  for (const std::string_view flag : printed::split_at(text, '+'))
    if (flag != "idle" && flag != "cloud" && flag != "powered_down" && flag != "powering_up" && flag != "dynamic_norm")
      return false;
  return true;
}

bool is_sinfo(std::string_view text) { return sinfo_columns(text).has_value(); }

Result<ListedNodes> read_sinfo(std::string_view text, const std::string& file) {
  const SinfoColumns columns = *sinfo_columns(text);
  NodeCollector found(file);
  bool is_first = true;
  for (const Line& line : rows_of(text)) {
    if (std::exchange(is_first, false) && columns.has_header) continue;
    const auto words = printed::words_of(line.text);
    if (words.size() <= std::max(columns.name, columns.state) || !is_state(words[columns.state])) {
      found.complain(line.number, "RY-PLC-003", "this line does not tell a node and its state",
                     "give the table as sinfo prints it, such as sinfo -N -o \"%N %t\"");
      continue;
    }
    if (words[columns.name] == "n/a") continue;  // states that no node has
    const std::string state(words[columns.state]);
    found.add(words[columns.name], {"", {file, line.number, 0}, state, is_free_state(state)}, true);
  }
  return found.finish({.format = "sinfo", .tells_states = true});
}

Result<ListedNodes> read_scontrol_nodes(std::string_view text, const std::string& file) {
  struct Said {
    std::string_view hosts, state;
    std::uint32_t line = 0;
  };
  std::vector<Said> nodes;
  for (const Line& line : printed::numbered_lines(text)) {
    if (const auto name = value_of(line.text, "NodeName")) nodes.push_back({*name, {}, line.number});
    if (const auto state = value_of(line.text, "State"); state && !nodes.empty()) nodes.back().state = *state;
  }
  NodeCollector found(file);
  for (const Said& node : nodes) {
    if (node.hosts == "DEFAULT") continue;
    if (node.state.empty())
      found.complain(node.line, "RY-PLC-003", fmt::format("State= of {} is missing", printable(node.hosts)),
                     "give all that scontrol show nodes prints");
    else
      found.add(node.hosts, {"", {file, node.line, 0}, printable(node.state), is_free_state(node.state)}, true);
  }
  return found.finish({.format = "scontrol show nodes", .tells_states = true});
}

}  // namespace railyard
