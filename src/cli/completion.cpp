#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/completion_words.h"

namespace railyard {

namespace {

/// The words as a shell takes them. bash cannot offer a word with a space in it; zsh and fish take it in quotes.
std::string line_of(const Words& words, bool quotes = false) {
  std::string line;
  for (const std::string& word : words) {
    const bool spaced = word.find(' ') != std::string::npos;
    if (spaced && !quotes) continue;
    line += (line.empty() ? "" : " ") + (spaced ? '"' + word + '"' : word);
  }
  return line;
}

Words flags_of(const GrammarCommand& command) {
  Words flags;
  for (const GrammarOption& option : command.options)
    if (!option.is_place) flags.insert(flags.end(), option.names.begin(), option.names.end());
  return flags;
}

/// Patterns of a case statement that share what is offered: commands have options in common, and lists of keys are long.
struct SharedOffer {
  Offer offer;
  Words patterns;
};

void add(std::vector<SharedOffer>& all, const Offer& offer, std::string pattern) {
  auto same = std::find_if(all.begin(), all.end(), [&](const SharedOffer& one) { return one.offer == offer; });
  if (same == all.end()) same = all.insert(all.end(), SharedOffer{.offer = offer, .patterns = {}});
  same->patterns.push_back(std::move(pattern));
}

/// What follows an option, by "run --set".
std::vector<SharedOffer> offers_of_options(const Grammar& grammar) {
  std::vector<SharedOffer> all;
  for (const GrammarCommand& command : grammar.commands)
    for (const GrammarOption& option : command.options)
      if (!option.is_place && option.takes_value)
        for (const std::string& name : option.names)
          add(all, offer_of(command, option), fmt::format("\"{} {}\"", command.name, name));
  return all;
}

/// What stands at the place of a value, by "run". Of several places only the first is told apart.
std::vector<SharedOffer> offers_of_places(const Grammar& grammar) {
  std::vector<SharedOffer> all;
  for (const GrammarCommand& command : grammar.commands) {
    std::vector<Offer> offers;
    for (const GrammarOption& option : command.options)
      if (option.is_place) offers.push_back(offer_of(command, option));
    if (offers.empty()) continue;
    offers.front().only_first = offers.size() > 1;
    add(all, offers.front(), command.name);
  }
  return all;
}

std::string command_words(const Grammar& grammar) {
  Words names;
  for (const GrammarCommand& command : grammar.commands) names.push_back(command.name);
  return line_of(names);
}

/// Values of keys as branches of a case statement; keys with the same values share one. `offer` has {} for the values.
std::string value_branches(std::string_view indent, std::string_view offer) {
  std::vector<SharedOffer> all;
  for (const auto& [key, values] : known_key_values()) add(all, {.words = values}, key);
  std::string out;
  for (const SharedOffer& shared : all)
    out += fmt::format("{}{}) {} ;;\n", indent, fmt::join(shared.patterns, " | "),
                       fmt::format(fmt::runtime(offer), line_of(shared.offer.words)));
  return out;
}

constexpr std::string_view kBash = R"sh(# railyard completion for bash: source it, or put it where bash-completion looks.
_railyard_values() {{
  case "$1" in
{key_values}  esac
}}
_railyard() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="${{COMP_WORDS[1]}}"
  # --set KEY=VALUE is one word or, where = breaks words, three.
  if [ "$COMP_CWORD" -gt 3 ] && [ "$before" = "=" ] && [ "${{COMP_WORDS[COMP_CWORD-3]}}" = "--set" ]; then
    COMPREPLY=($(compgen -W "$(_railyard_values "${{COMP_WORDS[COMP_CWORD-2]}}")" -- "$word")); return
  fi
  if [ "$COMP_CWORD" -gt 2 ] && [ "$word" = "=" ] && [ "${{COMP_WORDS[COMP_CWORD-2]}}" = "--set" ]; then
    COMPREPLY=($(compgen -W "$(_railyard_values "$before")")); return
  fi
  if [ "$before" = "--set" ] && [ "${{word#*=}}" != "$word" ]; then
    COMPREPLY=($(compgen -P "${{word%%=*}}=" -W "$(_railyard_values "${{word%%=*}}")" -- "${{word#*=}}")); return
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} {flags}" -- "$word")); return
  fi
  case "$command $before" in
{values}  esac
  case "$word" in
    -*) case "$command" in
{command_flags}    esac; return ;;
  esac
  case "$command" in
{places}  esac
}}
complete -F _railyard railyard
)sh";

std::string bash_offer(const Offer& offer) {
  std::string text = offer.only_first ? "[ \"$COMP_CWORD\" -eq 2 ] && " : "";
  text += "COMPREPLY=(";
  if (!offer.words.empty()) text += fmt::format("$(compgen -W \"{}\" -- \"$word\")", line_of(offer.words));
  if (offer.scenarios) text += R"( $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word"))";
  if (offer.files) text += R"($(compgen -f -- "$word"))";
  text += ")";
  if (offer.files || offer.scenarios) text += "; compopt -o filenames";
  if (offer.is_keys()) text += "; compopt -o nospace";
  return text;
}

std::string bash_script(const Grammar& grammar) {
  std::string values, flags, places;
  for (const SharedOffer& shared : offers_of_options(grammar))
    values += fmt::format("    {}) {}; return ;;\n", fmt::join(shared.patterns, " | "), bash_offer(shared.offer));
  for (const GrammarCommand& command : grammar.commands)
    flags +=
        fmt::format("      {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n", command.name, line_of(flags_of(command)));
  for (const SharedOffer& shared : offers_of_places(grammar))
    places += fmt::format("    {}) {} ;;\n", fmt::join(shared.patterns, " | "), bash_offer(shared.offer));
  return fmt::format(fmt::runtime(kBash), fmt::arg("key_values", value_branches("    ", "echo \"{}\"")),
                     fmt::arg("commands", command_words(grammar)), fmt::arg("flags", line_of(flags_of(grammar.program))),
                     fmt::arg("values", values), fmt::arg("command_flags", flags), fmt::arg("places", places));
}

constexpr std::string_view kZsh = R"(#compdef railyard
# railyard completion for zsh: save as _railyard in a folder of $fpath.
_railyard() {{
  if [[ ${{words[CURRENT-1]}} == --set && $PREFIX == *=* ]]; then
    local key=${{PREFIX%%=*}}
    compset -P '*='
    case $key in
{key_values}    esac
    return
  fi
  if (( CURRENT == 2 )); then compadd -- {commands} {flags}; return; fi
  case "${{words[2]}} ${{words[CURRENT-1]}}" in
{values}  esac
  if [[ $PREFIX == -* ]]; then
    case ${{words[2]}} in
{command_flags}    esac
    return
  fi
  case ${{words[2]}} in
{places}  esac
}}
compdef _railyard railyard
)";

std::string zsh_offer(const Offer& offer) {
  Words steps;
  if (!offer.words.empty())
    steps.push_back(fmt::format("{}compadd {}-- {}", offer.only_first ? "(( CURRENT == 3 )) && " : "",
                                offer.is_keys() ? "-S '' " : "", line_of(offer.words, true)));
  if (offer.scenarios) steps.emplace_back("_files -g '*.toml'");
  if (offer.files) steps.emplace_back("_files");
  return steps.empty() ? "true" : fmt::format("{}", fmt::join(steps, "; "));
}

std::string zsh_script(const Grammar& grammar) {
  std::string values, flags, places;
  for (const SharedOffer& shared : offers_of_options(grammar))
    values += fmt::format("    {}) {}; return ;;\n", fmt::join(shared.patterns, " | "), zsh_offer(shared.offer));
  for (const GrammarCommand& command : grammar.commands)
    flags += fmt::format("      {}) compadd -- {} ;;\n", command.name, line_of(flags_of(command)));
  for (const SharedOffer& shared : offers_of_places(grammar))
    places += fmt::format("    {}) {} ;;\n", fmt::join(shared.patterns, " | "), zsh_offer(shared.offer));
  return fmt::format(fmt::runtime(kZsh), fmt::arg("key_values", value_branches("      ", "compadd -- {}")),
                     fmt::arg("commands", command_words(grammar)), fmt::arg("flags", line_of(flags_of(grammar.program))),
                     fmt::arg("values", values), fmt::arg("command_flags", flags), fmt::arg("places", places));
}

/// " -s o -l output -r -a '…'"
std::string fish_option(const GrammarOption& option, const Offer& offer) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value) text += offer.files || offer.scenarios ? " -r" : " -x";
  Words words = offer.words;  // fish compares whole words: keys, and keys with each of their values
  if (offer.is_keys())
    for (const auto& [key, values] : known_key_values())
      for (const std::string& value : values) words.push_back(key + "=" + value);
  if (!words.empty()) text += fmt::format(" -a '{}'", line_of(words, true));
  return text;
}

std::string fish_script(const Grammar& grammar) {
  std::string script = "# railyard completion for fish: save as ~/.config/fish/completions/railyard.fish\n";
  const std::string before = "complete -c railyard -n '__fish_use_subcommand'";
  script += fmt::format("{} -f -a '{}'\n", before, command_words(grammar));
  for (const GrammarOption& option : grammar.program.options) script += before + fish_option(option, {}) + "\n";
  std::vector<std::pair<std::string, Words>> lines;  // commands that share what goes after them
  const auto line = [&](const std::string& text, const std::string& command) {
    auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return one.first == text; });
    if (same == lines.end()) same = lines.insert(lines.end(), {text, {}});
    same->second.push_back(command);
  };
  for (const GrammarCommand& command : grammar.commands)
    for (const GrammarOption& option : command.options) {
      const Offer offer = option.takes_value ? offer_of(command, option) : Offer{};
      if (!option.is_place) line(fish_option(option, offer), command.name);
      if (option.is_place && !offer.words.empty())
        line(fmt::format("{} -a '{}'", offer.scenarios ? "" : " -f", line_of(offer.words, true)), command.name);
    }
  for (const auto& [text, commands] : lines)
    script += fmt::format("complete -c railyard -n '__fish_seen_subcommand_from {}'{}\n", fmt::join(commands, " "), text);
  return script;
}

}  // namespace

int completion_command(const Options& options) {
  const Grammar& grammar = options.grammar;
  std::cout << (options.kind == "bash"  ? bash_script(grammar)
                : options.kind == "zsh" ? zsh_script(grammar)
                                        : fish_script(grammar));
  return kFine;
}

}  // namespace railyard
