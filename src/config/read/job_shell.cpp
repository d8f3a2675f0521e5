#include <algorithm>

#include "config/read/job_text.h"

namespace railyard::host_text {

namespace {

std::string_view without_quotes(std::string_view value) {
  const bool is_quoted = value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

/// Where lists are cut: commas outside brackets.
std::vector<std::string_view> outer_parts(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); i++) {
    if (i < list.size() && list[i] == '[') depth++;
    if (i < list.size() && list[i] == ']') depth--;
    if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
    if (i > begin) parts.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

/// "01-03" as 01, 02, 03: as many digits as the first has.
void add_range(std::string_view before, std::string_view range, std::string_view after, std::vector<std::string>& hosts) {
  constexpr std::size_t kMostHosts = 65'536;
  const std::size_t dash = range.find('-');
  const auto first = whole_number(range.substr(0, dash), 1'000'000);
  const auto last = dash == std::string_view::npos ? first : whole_number(range.substr(dash + 1), 1'000'000);
  if (!first || !last) return;
  const std::size_t digits = std::min(dash, range.size());
  for (std::uint64_t n = *first; n <= *last && hosts.size() < kMostHosts; n++) {
    std::string number = std::to_string(n);
    if (number.size() < digits) number.insert(0, digits - number.size(), '0');
    hosts.push_back(std::string(before) + number + std::string(after));
  }
}

}  // namespace

std::vector<std::string> hosts_of(std::string_view list) {
  std::vector<std::string> hosts;
  for (const std::string_view part : outer_parts(list)) {
    const std::size_t open = part.find('['), close = part.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
      hosts.emplace_back(part);
      continue;
    }
    for (const std::string_view range : split_at(part.substr(open + 1, close - open - 1), ','))
      add_range(part.substr(0, open), range, part.substr(close + 1), hosts);
  }
  return hosts;
}

SourceSpan JobShell::place_of(std::string_view name, std::uint32_t first, std::uint32_t last) const {
  for (std::uint32_t line = std::max(first, 1U); line <= last && line <= lines_.size(); line++)
    if (contains(lines_[line - 1], name)) return {file_, line, 0};
  return {file_, first, 0};
}

void JobShell::set(std::string_view name, std::string_view value, std::uint32_t first, std::uint32_t last) {
  variables_[std::string(name)] = std::string(value);
  if (is_library_variable(name)) set_environment(job_, name, value, place_of(name, first, last));
}

/// Slurm cuts at commas: what follows one is the next variable.
void JobShell::read_export(std::string_view list, std::uint32_t first, std::uint32_t last) {
  for (const std::string_view part : split_at(list, ',')) {
    const std::string_view name = assigned_name(part);
    if (!name.empty()) set(name, part.substr(name.size() + 1), first, last);
  }
}

void JobShell::read_words(const std::vector<std::string>& words, std::uint32_t first, std::uint32_t last) {
  if (words.empty() || words[0] == "echo" || words[0] == "printf") return;
  if ((words[0] == "source" || words[0] == ".") && words.size() > 1) add_unread(job_, "source " + words[1], {file_, first, 0});
  for (std::size_t i = 0; i < words.size(); i++) {
    const std::string& word = words[i];
    const bool has_pair = i + 2 < words.size();
    if (words[0] == "unset" && i > 0) {
      job_.environment.erase(word);
      variables_.erase(word);
    } else if (word.starts_with("--export=")) {
      read_export(std::string_view(word).substr(9), first, last);
    } else if (word == "--export" && i + 1 < words.size()) {
      read_export(words[++i], first, last);
    } else if (word.starts_with("--env=")) {
      const std::string_view one = std::string_view(word).substr(6), name = assigned_name(one);
      if (!name.empty()) set(name, one.substr(name.size() + 1), first, last);
    } else if ((word == "-genv" || word == "-env" || (word == "setenv" && i == 0)) && has_pair) {
      set(words[i + 1], words[i + 2], first, last);
      i += 2;
    } else if (const std::string_view name = assigned_name(word); !name.empty()) {
      set(name, std::string_view(word).substr(name.size() + 1), first, last);
    }
  }
}

/// "#SBATCH --nodelist=gpu[01-04] --export=ALL,NCCL_DEBUG=INFO"
void JobShell::read_slurm(std::string_view line, std::uint32_t number) {
  const auto words = shell_words(line.substr(7), variables_);
  for (std::size_t i = 0; i < words.size(); i++) {
    std::string_view list;
    if (words[i].starts_with("--nodelist="))
      list = std::string_view(words[i]).substr(11);
    else if ((words[i] == "--nodelist" || words[i] == "-w") && i + 1 < words.size())
      list = words[++i];
    for (std::string& host : hosts_of(list)) job_.nodes.push_back(std::move(host));
  }
  read_words(words, number, number);
}

void JobShell::read_script(std::string_view text, std::uint32_t first) {
  const auto script = script_lines(text);
  for (std::size_t i = 0; i < script.size(); i++) {
    const std::uint32_t begin = first + script[i].number - 1;
    const std::uint32_t end = i + 1 < script.size() ? first + script[i + 1].number - 2 : begin + 256;
    if (script[i].text.starts_with("#SBATCH")) {
      read_slurm(script[i].text, begin);
      continue;
    }
    std::vector<std::string> command;
    for (std::string& word : shell_words(script[i].text, variables_)) {
      const bool ends = word == ";" || word == "&" || word == "|";
      if (!ends) command.push_back(std::move(word));
      if (!ends || command.empty()) continue;
      read_words(command, begin, end);
      command.clear();
    }
    read_words(command, begin, end);
  }
}

void JobShell::read_plain(std::string_view text) {
  std::uint32_t number = 0;
  for (const std::string_view raw : lines_of(text)) {
    number++;
    const std::string_view line = trimmed(raw), name = assigned_name(line);
    if (name.empty() || line.starts_with('#')) continue;
    if (!job_.environment.contains(name)) set(name, without_quotes(line.substr(name.size() + 1)), number, number);
  }
}

}  // namespace railyard::host_text
