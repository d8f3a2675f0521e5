#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "base/schema.h"
#include "catalog/catalog.h"
#include "cli/commands.h"
#include "plan/choices.h"
#include "scenario/presets.h"
#include "scenario/read/keys.h"
#include "tools/claims/claim.h"

namespace railyard {

namespace {

using Words = std::vector<std::string>;

/// What a shell can say about a value.
struct Offer {
  Words words = {};
  bool files = false;       // of any name
  bool scenarios = false;   // files that end in .toml
  bool only_first = false;  // of places: other values follow this one
  bool operator==(const Offer&) const = default;
};

/// Every key of a scenario as --set takes it: "transport.mtu=".
Words scenario_keys() {
  Words keys;
  for (const Section& section : scenario_sections())
    for (const KeyInfo& key : section.keys) keys.push_back((section.path.empty() ? "" : section.path + ".") + key.name + "=");
  return keys;
}

Words section_names() {
  Words names;
  for (const Section& section : scenario_sections())
    if (!section.path.empty()) names.push_back(section.path);
  return names;
}

Words kind_names() {
  Words names;
  for (const CatalogKind& kind : catalog_kinds()) names.emplace_back(kind.name);
  return names;
}

Words command_names() {
  Words names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

template<class Choice>
Words choice_names() {
  return {std::begin(ChoiceNames<Choice>::names), std::end(ChoiceNames<Choice>::names)};
}

/// Values that the parser takes as text and the program knows more about. An empty command stands for all.
struct KnownValue {
  std::string_view command, name;
  Words (*words)();
  bool scenarios = false;
};
constexpr KnownValue kKnownValues[] = {
    {"", "--set", scenario_keys},
    {"", "SCENARIO", preset_names, true},
    {"", "--scenario", preset_names, true},
    {"catalog", "KIND", kind_names},
    {"collective", "COLLECTIVE", choice_names<CollectiveKind>},
    {"keys", "SECTION", section_names},
    {"claims", "--verdict", choice_names<Verdict>},
    {"help", "COMMAND", command_names},
};

Offer offer_of(const GrammarCommand& command, const GrammarOption& option) {
  if (!option.choices.empty()) return {.words = option.choices};
  for (const KnownValue& known : kKnownValues)
    if ((known.command.empty() || known.command == command.name) &&
        std::find(option.names.begin(), option.names.end(), known.name) != option.names.end())
      return {.words = known.words(), .scenarios = known.scenarios};
  return {.files = option.takes_text};
}

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

constexpr std::string_view kBash = R"(# railyard completion for bash: source it, or put it where bash-completion looks.
_railyard() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="${{COMP_WORDS[1]}}"
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
)";

std::string bash_offer(const Offer& offer) {
  std::string text = offer.only_first ? "[ \"$COMP_CWORD\" -eq 2 ] && " : "";
  text += "COMPREPLY=(";
  if (!offer.words.empty()) text += fmt::format("$(compgen -W \"{}\" -- \"$word\")", line_of(offer.words));
  if (offer.scenarios) text += R"( $(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word"))";
  if (offer.files) text += R"($(compgen -f -- "$word"))";
  text += ")";
  if (offer.files || offer.scenarios) text += "; compopt -o filenames";
  if (!offer.words.empty() && offer.words.front().ends_with('=')) text += "; compopt -o nospace";
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
  return fmt::format(fmt::runtime(kBash), fmt::arg("commands", command_words(grammar)),
                     fmt::arg("flags", line_of(flags_of(grammar.program))), fmt::arg("values", values),
                     fmt::arg("command_flags", flags), fmt::arg("places", places));
}

constexpr std::string_view kZsh = R"(#compdef railyard
# railyard completion for zsh: save as _railyard in a folder of $fpath.
_railyard() {{
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
                                offer.words.front().ends_with('=') ? "-S '' " : "", line_of(offer.words, true)));
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
  return fmt::format(fmt::runtime(kZsh), fmt::arg("commands", command_words(grammar)),
                     fmt::arg("flags", line_of(flags_of(grammar.program))), fmt::arg("values", values),
                     fmt::arg("command_flags", flags), fmt::arg("places", places));
}

/// " -s o -l output -r -a '…'"
std::string fish_option(const GrammarOption& option, const Offer& offer) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value) text += offer.files || offer.scenarios ? " -r" : " -x";
  if (!offer.words.empty()) text += fmt::format(" -a '{}'", line_of(offer.words, true));
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
