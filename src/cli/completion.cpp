#include "cli/completion.h"

#include <fmt/format.h>

#include <iostream>
#include <string>

#include "base/schema.h"
#include "catalog/catalog.h"
#include "cli/commands.h"
#include "scenario/read/keys.h"

namespace railyard {

namespace {

/// The words a script offers, made from the tables the program itself works with.
struct Words {
  std::string commands, keys, sections, kinds;
  std::string bash_flags, zsh_flags;  // one line of a case statement per command
};

void append(std::string& list, std::string_view word) { list += (list.empty() ? "" : " ") + std::string(word); }

std::string flags_of(Takes takes) {
  std::string flags = "--help";
  if (has(takes, Takes::overrides)) append(flags, "--set --seed");
  if (has(takes, Takes::threads)) append(flags, "--threads");
  if (has(takes, Takes::json)) append(flags, "--json");
  if (has(takes, Takes::page)) append(flags, "--output");
  if (has(takes, Takes::pictures)) append(flags, "--svg --dot");
  if (has(takes, Takes::quiet)) append(flags, "--quiet");
  if (has(takes, Takes::section)) append(flags, "--markdown");
  if (has(takes, Takes::transport)) append(flags, "--write");
  if (has(takes, Takes::claims)) append(flags, "--recorded --verdict --topic --write --markdown");
  if (has(takes, Takes::table)) append(flags, "--engine --table --csv");
  if (has(takes, Takes::sweep)) append(flags, "--scenario --minbytes --maxbytes --stepfactor --stepbytes");
  if (has(takes, Takes::experts))
    append(flags, "--scenario --ranks --tokens --hidden --experts --top-k --node-limit --low-latency --bf16-dispatch");
  return flags;
}

Words words() {
  Words all;
  for (const Command& command : commands()) {
    append(all.commands, command.name);
    all.bash_flags += fmt::format("    {}) flags=\"{}\" ;;\n", command.name, flags_of(command.takes));
    all.zsh_flags += fmt::format("    {}) compadd -- {} ;;\n", command.name, flags_of(command.takes));
  }
  for (const Section& section : scenario_sections()) {
    if (!section.path.empty()) append(all.sections, section.path);
    for (const KeyInfo& key : section.keys) append(all.keys, (section.path.empty() ? "" : section.path + ".") + key.name + "=");
  }
  for (const CatalogKind& kind : catalog_kinds()) append(all.kinds, kind.name);
  return all;
}

constexpr std::string_view kBash = R"(# railyard completion for bash: source it, or put it where bash-completion looks.
_railyard() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="${{COMP_WORDS[1]}}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$word")); return
  fi
  if [ "$before" = "--set" ]; then
    COMPREPLY=($(compgen -W "{keys}" -- "$word")); compopt -o nospace; return
  fi
  case "$command" in
    catalog) [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "{kinds}" -- "$word")); return ;;
    keys) COMPREPLY=($(compgen -W "{sections} --markdown" -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
  esac
  local flags=""
  case "$command" in
{bash_flags}  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")); compopt -o filenames ;;
  esac
}}
complete -F _railyard railyard
)";

constexpr std::string_view kZsh = R"(#compdef railyard
# railyard completion for zsh: save as _railyard in a folder of $fpath.
_railyard() {{
  if (( CURRENT == 2 )); then compadd {commands} --help --version; return; fi
  if [[ ${{words[CURRENT-1]}} == --set ]]; then compadd -S '' {keys}; return; fi
  case ${{words[2]}} in
    catalog) (( CURRENT == 3 )) && compadd {kinds} ;;
    keys) compadd {sections} --markdown ;;
    completion) compadd bash zsh fish ;;
    *) [[ $PREFIX == -* ]] || _files -g '*.toml' ;;
  esac
  [[ $PREFIX == -* ]] && case ${{words[2]}} in
{zsh_flags}  esac
}}
compdef _railyard railyard
)";

constexpr std::string_view kFish = R"(# railyard completion for fish: save as ~/.config/fish/completions/railyard.fish
complete -c railyard -n '__fish_use_subcommand' -f -a '{commands}'
complete -c railyard -n '__fish_seen_subcommand_from catalog' -f -a '{kinds}'
complete -c railyard -n '__fish_seen_subcommand_from keys' -f -a '{sections}'
complete -c railyard -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'
complete -c railyard -n '__fish_seen_subcommand_from run check explain expect collective experts fabric' -l set -x -a '{keys}'
complete -c railyard -n '__fish_seen_subcommand_from run check explain expect collective experts fabric' -l seed -x
complete -c railyard -n '__fish_seen_subcommand_from run explain expect collective accuracy calibrate claims' -l threads -x
complete -c railyard -n '__fish_seen_subcommand_from run check collective experts fabric claims' -l json -r
complete -c railyard -n '__fish_seen_subcommand_from calibrate' -f -a 'roce infiniband tcp uec'
complete -c railyard -n '__fish_seen_subcommand_from calibrate' -l write -r
complete -c railyard -n '__fish_seen_subcommand_from claims' -l recorded
complete -c railyard -n '__fish_seen_subcommand_from claims' -l verdict -x -a 'reproduced plausible contradicted "not testable"'
complete -c railyard -n '__fish_seen_subcommand_from claims' -l topic -x
complete -c railyard -n '__fish_seen_subcommand_from claims' -l write -r
complete -c railyard -n '__fish_seen_subcommand_from claims' -l markdown
complete -c railyard -n '__fish_seen_subcommand_from accuracy' -l engine -x -a 'analytic flow'
complete -c railyard -n '__fish_seen_subcommand_from accuracy' -l table -x
complete -c railyard -n '__fish_seen_subcommand_from accuracy' -l csv
complete -c railyard -n '__fish_seen_subcommand_from fabric' -l svg -r
complete -c railyard -n '__fish_seen_subcommand_from fabric' -l dot -r
complete -c railyard -n '__fish_seen_subcommand_from run check expect collective experts fabric calibrate claims' -l quiet
complete -c railyard -n '__fish_seen_subcommand_from collective experts' -l scenario -r
complete -c railyard -n '__fish_seen_subcommand_from experts' -l ranks -x
complete -c railyard -n '__fish_seen_subcommand_from experts' -l tokens -x
complete -c railyard -n '__fish_seen_subcommand_from experts' -l hidden -x
complete -c railyard -n '__fish_seen_subcommand_from experts' -l experts -x
complete -c railyard -n '__fish_seen_subcommand_from experts' -l top-k -x
complete -c railyard -n '__fish_seen_subcommand_from experts' -l node-limit -x
complete -c railyard -n '__fish_seen_subcommand_from experts' -l low-latency
complete -c railyard -n '__fish_seen_subcommand_from experts' -l bf16-dispatch
)";

}  // namespace

int completion_command(const Options& options) {
  const Words w = words();
  const std::string_view script = options.kind == "bash" ? kBash : options.kind == "zsh" ? kZsh : kFish;
  std::cout << fmt::format(fmt::runtime(script), fmt::arg("commands", w.commands), fmt::arg("keys", w.keys),
                           fmt::arg("sections", w.sections), fmt::arg("kinds", w.kinds), fmt::arg("bash_flags", w.bash_flags),
                           fmt::arg("zsh_flags", w.zsh_flags));
  return kFine;
}

}  // namespace railyard
