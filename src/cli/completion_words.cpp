#include "cli/completion_words.h"

#include <algorithm>
#include <string_view>

#include "base/choice.h"
#include "base/schema.h"
#include "catalog/catalog.h"
#include "cli/commands.h"
#include "plan/choices.h"
#include "scenario/presets.h"
#include "scenario/read/keys.h"
#include "tools/claims/claim.h"
#include "tools/init/questions.h"
#include "tools/lint/rule.h"

namespace railyard {

namespace {

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
  names.emplace_back("presets");
  return names;
}

Words command_names() {
  Words names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

Words none() { return {}; }

template<class Choice>
Words choice_names() {
  return {std::begin(ChoiceNames<Choice>::names), std::end(ChoiceNames<Choice>::names)};
}

template<auto Member>
Words shelf_names() {
  return (builtin_catalog().*Member).names();
}

Words switch_names() {
  Words names = shelf_names<&Catalog::switches>();
  names.emplace_back(kOtherSwitch);
  return names;
}

Words topology_words() { return question_choices(InitQuestion::topology, {}, builtin_catalog()); }

Words lint_codes() {
  Words codes;
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) codes.emplace_back(rule.code);
  return codes;
}

Words plan_words() { return {"find"}; }

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
    {"init", "--gpu", shelf_names<&Catalog::gpus>},
    {"init", "--nic", shelf_names<&Catalog::nics>},
    {"init", "--switch", switch_names},
    {"init", "--topology", topology_words},
    {"init", "--model", shelf_names<&Catalog::models>},
    {"init", "--parallel", plan_words},
    {"init", "--transport", choice_names<TransportKind>},
    {"init", "--gpus", none},
    {"init", "--gpus-per-server", none},
    {"init", "--oversubscription", none},
    {"lint", "--explain", lint_codes},
    {"headroom", "--switch", shelf_names<&Catalog::switches>},
    {"headroom", "--speed", none},
    {"headroom", "--cable", none},
    {"headroom", "--mtu", none},
    {"collective", "-b", none},
    {"collective", "-e", none},
    {"collective", "-i", none},
};

/// Keys that take a name of the catalog.
struct CatalogKey {
  std::string_view path;
  Words (*words)();
};
constexpr CatalogKey kCatalogKeys[] = {
    {"cluster.gpu", shelf_names<&Catalog::gpus>},       {"cluster.nic", shelf_names<&Catalog::nics>},
    {"fabric.switch", shelf_names<&Catalog::switches>}, {"reliability.profile", shelf_names<&Catalog::reliability>},
    {"model.preset", shelf_names<&Catalog::models>},    {"training.software", shelf_names<&Catalog::software>}};

/// "ecmp | adaptive" as words; none of what is no choice.
Words choices_in(std::string type) {
  constexpr std::string_view kBar = " | ", kList = "list of ";
  if (type.starts_with(kList)) type.erase(0, kList.size());
  Words out;
  if (type.find(kBar) == std::string::npos) return out;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t bar = type.find(kBar, at);
    out.push_back(type.substr(at, bar == std::string::npos ? bar : bar - at));
    at = bar == std::string::npos ? bar : bar + kBar.size();
  }
  return out;
}

}  // namespace

Offer offer_of(const GrammarCommand& command, const GrammarOption& option) {
  if (!option.choices.empty()) return {.words = option.choices};
  for (const KnownValue& known : kKnownValues)
    if ((known.command.empty() || known.command == command.name) &&
        std::find(option.names.begin(), option.names.end(), known.name) != option.names.end())
      return {.words = known.words(), .scenarios = known.scenarios};
  return {.files = option.takes_text};
}

std::vector<std::pair<std::string, Words>> known_key_values() {
  std::vector<std::pair<std::string, Words>> out;
  for (const Section& section : scenario_sections())
    for (const KeyInfo& key : section.keys) {
      const std::string path = (section.path.empty() ? "" : section.path + ".") + key.name;
      Words values = choices_in(key.type);
      for (const CatalogKey& known : kCatalogKeys)
        if (known.path == path) values = known.words();
      if (!values.empty()) out.emplace_back(path, std::move(values));
    }
  return out;
}

}  // namespace railyard
