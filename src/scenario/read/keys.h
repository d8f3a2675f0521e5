// The scenario file as a table: every section and key, for reading, for documentation and for shell completion.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/schema.h"
#include "scenario/read/key_effect.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Hears of every key that was written, by its name inside the section.
using KeySet = std::function<void(const std::string& key, const Document& value)>;

/// A key, and where it has an effect.
struct ScenarioKey : KeyInfo {
  KeyEffect effect;
};

struct Section {
  std::string path;  // "transport.dcqcn"; "" for the keys at the top of the file
  std::string help;
  KeyEffect effect;  // of its keys, but for those that say otherwise
  std::vector<ScenarioKey> keys;
  std::function<void(const Document& table, std::span<const std::string> subsections, ScenarioSpec&, Complaints&,
                     const KeySet&)>
      read;
  bool is_list = false;       // there may be several: [[job]]
  bool is_one_thing = false;  // where it has no effect, it is the section that has none, not each of its keys
};

/// Every section, parents before their subsections.
std::span<const Section> scenario_sections();

/// The sections inside `path` ("transport" → "dcqcn", "pfc", "ecn").
std::vector<std::string> subsections_of(std::string_view path);

/// Full paths of the keys and sections that are called `name`: "transport.retries" for "retries".
std::vector<std::string> paths_called(std::string_view name);

}  // namespace railyard
