// Shell syntax of host_text.h: words of a command line, prompts, and what each command printed.
#include <algorithm>
#include <cctype>

#include "config/read/host_text.h"

namespace railyard::host_text {

namespace {

bool is_shell_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Replaces what stands at a dollar sign; returns where the text goes on. What is not known stays as written.
std::size_t expand(std::string_view line, std::size_t dollar, const Variables& variables, std::string& out) {
  std::size_t end = dollar + 1;
  const bool braces = end < line.size() && line[end] == '{';
  if (braces) end++;
  const std::size_t begin = end;
  while (end < line.size() && is_shell_name_letter(line[end])) end++;
  const std::string_view name = line.substr(begin, end - begin);
  std::string_view fallback;
  bool has_fallback = false;
  if (braces) {
    const std::size_t close = line.find('}', end);
    if (close == std::string_view::npos) {
      out += line.substr(dollar);
      return line.size();
    }
    const std::string_view rest = line.substr(end, close - end);
    has_fallback = rest.starts_with(":-");
    if (has_fallback) fallback = rest.substr(2);
    end = close + 1;
  }
  const auto known = variables.find(name);
  if (!name.empty() && known != variables.end())
    out += known->second;
  else if (has_fallback)
    out += fallback;
  else
    out += line.substr(dollar, std::max(end, dollar + 1) - dollar);
  return std::max(end, dollar + 1);
}

/// Cuts one line into words, character by character.
class WordCutter {
 public:
  WordCutter(std::string_view line, const Variables& variables) : line_(line), variables_(variables) {}

  std::vector<std::string> cut() {
    while (at_ < line_.size())
      if (!step()) break;
    end_word();
    return std::move(words_);
  }

 private:
  bool step() {
    const char c = line_[at_];
    if (quote_ != 0) {
      quoted(c);
      return true;
    }
    if (c == '#' && !open_) return false;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      end_word();
      at_++;
    } else if (c == '\'' || c == '"') {
      quote_ = c;
      open_ = true;
      at_++;
    } else if (c == ';' || c == '|' || c == '&' || c == '>' || c == '<') {
      end_word();
      words_.emplace_back(1, c);
      at_++;
    } else {
      plain(c);
    }
    return true;
  }

  void quoted(char c) {
    if (c == quote_) {
      quote_ = 0;
      at_++;
    } else if (quote_ == '"') {
      plain(c);
    } else {
      word_ += c;
      at_++;
    }
  }

  void plain(char c) {
    open_ = true;
    const std::size_t template_end = c == '{' && line_.substr(at_).starts_with("{{") ? line_.find("}}", at_) : line_.npos;
    if (template_end != line_.npos) {  // a templated value is one piece
      word_ += line_.substr(at_, template_end + 2 - at_);
      at_ = template_end + 2;
    } else if (c == '$') {
      at_ = expand(line_, at_, variables_, word_);
    } else if (c == '\\' && at_ + 1 < line_.size()) {
      word_ += line_[at_ + 1];
      at_ += 2;
    } else {
      word_ += c;
      at_++;
    }
  }

  void end_word() {
    if (open_) words_.push_back(std::move(word_));
    word_.clear();
    open_ = false;
  }

  std::string_view line_;
  const Variables& variables_;
  std::size_t at_ = 0;
  char quote_ = 0;
  bool open_ = false;
  std::string word_;
  std::vector<std::string> words_;
};

struct Prompt {
  bool found = false;
  std::string host;
  std::string_view command;
};

/// "gpu01" of "root@gpu01:~" or "[root@gpu01 ~]".
std::string prompt_host(std::string_view prompt) {
  const std::size_t at = prompt.find('@');
  if (at == std::string_view::npos) return {};
  const std::string_view host = prompt.substr(at + 1, prompt.find_first_of(": ])", at) - at - 1);
  const bool is_name = !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
  });
  return is_name ? std::string(host) : std::string();
}

/// "$ command", "# command" after user@host, "+ command" as `set -x` traces it.
Prompt prompt_of(std::string_view line) {
  if (line.starts_with("+ ") || line.starts_with("$ ")) return {true, {}, trimmed(line.substr(2))};
  const std::size_t end = line.find_first_of("$#");
  if (end == std::string_view::npos || end == 0 || end > 80) return {};
  const std::string_view before = line.substr(0, end);
  const std::string host = prompt_host(before);
  const bool is_prompt = !host.empty() && (end + 1 == line.size() || line[end + 1] == ' ') && before.find('=') == before.npos;
  if (!is_prompt) return {};
  return {true, host, trimmed(line.substr(end + 1))};
}

/// Programs whose command lines in a script say something of a host.
bool is_host_command(std::string_view line) {
  while (starts_with_any(line, {"sudo ", "nsenter "})) line = trimmed(line.substr(line.find(' ')));
  return starts_with_any(line, {"mlnx_qos ", "cma_roce_tos ", "mlxconfig ", "mstconfig ", "echo ", "cat /sys", "ip link set ",
                                "dcb ", "niccli ", "nicctl ", "bnxt_setupcc.sh ", "show_gids", "ibdev2netdev", "ethtool -",
                                "lspci ", "nvidia-smi ", "rocm-smi ", "export NCCL_", "export RCCL_"});
}

void remember_assignments(const std::vector<std::string>& words, Variables& variables) {
  for (const std::string& word : words) {
    const std::string_view name = assigned_name(word);
    if (name.empty() && word != "export") return;
    if (!name.empty()) variables[std::string(name)] = word.substr(name.size() + 1);
  }
}

/// One level of `sh -c '…'` taken off.
std::vector<std::string> inner_command(std::vector<std::string> words, const Variables& variables) {
  for (std::size_t i = 0; i + 2 < words.size(); i++)
    if ((words[i] == "sh" || words[i] == "bash") && words[i + 1] == "-c") return shell_words(words[i + 2], variables);
  return words;
}

/// The commands of one line: "a; b && c" are three. A pipe is one.
std::vector<std::vector<std::string>> commands_of(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> commands(1);
  for (const std::string& word : words)
    if (word != ";" && word != "&")
      commands.back().push_back(word);
    else if (!commands.back().empty())
      commands.emplace_back();
  if (commands.size() > 1 && commands.back().empty()) commands.pop_back();
  return commands;
}

}  // namespace

std::vector<std::string> shell_words(std::string_view line, const Variables& variables) {
  return WordCutter(line, variables).cut();
}

bool Block::runs(std::string_view program) const {
  for (const std::string& word : command) {
    const std::string_view name = std::string_view(word).substr(word.rfind('/') == std::string::npos ? 0 : word.rfind('/') + 1);
    if (name == program) return true;
    if (name != "sudo" && assigned_name(word).empty()) return false;
  }
  return false;
}

std::string Block::option(std::initializer_list<std::string_view> names) const {
  for (std::size_t i = 0; i < command.size(); i++)
    for (const std::string_view name : names) {
      if (command[i] == name && i + 1 < command.size()) return command[i + 1];
      if (command[i].size() > name.size() && command[i].starts_with(name) && command[i][name.size()] == '=')
        return command[i].substr(name.size() + 1);
    }
  return {};
}

std::vector<Block> blocks_of(std::string_view text) {
  std::vector<Block> blocks(1);
  Variables variables;
  std::string host;
  std::uint32_t number = 0;
  for (const std::string_view raw : lines_of(text)) {
    number++;
    const std::string_view line = trimmed(raw);
    Prompt prompt = prompt_of(line);
    if (!prompt.found && is_host_command(line)) prompt = {true, host, line};
    if (!prompt.found) {
      const std::string_view name = assigned_name(line);
      if (!name.empty()) remember_assignments(shell_words(line, variables), variables);
      blocks.back().lines.push_back(
          {line, number, static_cast<std::uint32_t>(std::min(raw.find_first_not_of(" \t"), raw.size()))});
      continue;
    }
    if (!prompt.host.empty()) host = prompt.host;
    for (std::vector<std::string>& command : commands_of(inner_command(shell_words(prompt.command, variables), variables))) {
      remember_assignments(command, variables);
      Block& block = blocks.emplace_back();
      block.host = host;
      block.number = number;
      block.command = std::move(command);
    }
  }
  return blocks;
}

}  // namespace railyard::host_text
