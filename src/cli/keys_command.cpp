#include "cli/keys_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "base/nearest.h"
#include "base/printable.h"
#include "cli/output.h"
#include "report/report.h"
#include "scenario/read/keys.h"

namespace railyard {

namespace {

std::string title(const Section& section) {
  if (section.is_list) return "[[" + section.path + "]]";
  return section.path.empty() ? "(top)" : "[" + section.path + "]";
}

std::string fallback_of(const KeyInfo& key) {
  if (key.required) return "required";
  return key.fallback.empty() ? "–" : key.fallback;
}

/// Where a key has an effect, if not wherever its section has.
std::string effect_of(const Section& section, const ScenarioKey& key) {
  const std::string own = in_words(key.effect);
  if (own == in_words(section.effect)) return {};
  return own.empty() ? "everywhere" : own;
}

/// What a section is for, and where its keys have an effect.
std::string about(const Section& section) {
  const std::string effect = in_words(section.effect);
  return effect.empty() ? section.help : fmt::format("{}. Effect: {}", section.help, effect);
}

void write_sections(const std::vector<Section>& sections) {
  Report report{"Keys of a scenario file", {}};
  for (const Section& section : sections) {
    TextTable table{{"key", "default", "takes", "meaning"}, {}, {}};
    for (const ScenarioKey& key : section.keys) {
      const bool choice = key.type.find(" | ") != std::string::npos;  // the choices may be many: they go where lines wrap
      const std::string effect = effect_of(section, key);
      table.rows.push_back({key.name, fallback_of(key), choice ? "choice" : key.type,
                            (choice ? key.help + ": " + key.type : key.help) + (effect.empty() ? "" : " [" + effect + "]")});
    }
    report.sections.push_back({title(section), {about(section)}});
    if (!table.rows.empty()) report.sections.back().blocks.push_back(table);
  }
  write_terminal(report, terminal_width(), std::cout);
}

std::string escaped(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

/// The reference part of docs/scenario.md; a test holds the file against this.
void write_markdown(const std::vector<Section>& sections) {
  for (const Section& section : sections) {
    const std::string what = about(section);
    std::cout << fmt::format("### `{}`\n\n{}{}.\n\n", title(section), static_cast<char>(std::toupper(what.front())),
                             what.substr(1));
    if (section.keys.empty()) continue;
    const bool differ = std::any_of(section.keys.begin(), section.keys.end(),
                                    [&](const ScenarioKey& key) { return !effect_of(section, key).empty(); });
    std::cout << "| key | takes | default | meaning |" << (differ ? " effect |" : "") << "\n|---|---|---|---|"
              << (differ ? "---|\n" : "\n");
    for (const ScenarioKey& key : section.keys) {
      const std::string fallback = key.required || key.fallback.empty() ? fallback_of(key) : "`" + key.fallback + "`";
      std::cout << fmt::format("| `{}` | {} | {} | {} |", key.name, escaped(key.type), fallback, escaped(key.help))
                << (differ ? " " + effect_of(section, key) + " |\n" : "\n");
    }
    std::cout << '\n';
  }
}

/// The section, or of it the one key, that `path` names; all of them if it names none.
std::vector<Section> sections_called(const std::string& path) {
  std::vector<Section> chosen;
  for (const Section& section : scenario_sections()) {
    if (path.empty() || section.path == path) chosen.push_back(section);
    for (const ScenarioKey& key : section.keys) {
      if (path != section.path + "." + key.name) continue;
      chosen.push_back(section);
      chosen.back().keys = {key};
    }
  }
  return chosen;
}

std::string hint_for(const std::string& word) {
  const std::vector<std::string> paths = paths_called(word);
  if (!paths.empty()) return fmt::format("did you mean '{}'?", fmt::join(paths, "' or '"));
  std::vector<std::string> known;
  for (const Section& section : scenario_sections()) known.push_back(section.path);
  const std::string guess = nearest(word, known);
  return guess.empty() ? "railyard keys lists them all" : "did you mean '" + guess + "'?";
}

}  // namespace

int keys_command(const Options& options) {
  const std::vector<Section> chosen = sections_called(options.kind);
  if (chosen.empty()) {
    std::cerr << fmt::format("railyard: there is no section '{}'; {}\n", printable(options.kind), hint_for(options.kind));
    return kBadInput;
  }
  options.markdown ? write_markdown(chosen) : write_sections(chosen);
  return kFine;
}

}  // namespace railyard
