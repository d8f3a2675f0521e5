// The scenario file as a table: every section and key, for reading, for documentation and for shell completion.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/schema.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Hears of every key that was written, by its name inside the section.
using KeySet = std::function<void(const std::string& key, const Document& value)>;

struct Section {
  std::string path;  // "transport.dcqcn"; "" for the keys at the top of the file
  std::string help;
  std::vector<KeyInfo> keys;
  std::function<void(const Document& table, std::span<const std::string> subsections, ScenarioSpec&, Complaints&,
                     const KeySet&)>
      read;
};

/// Every section, parents before their subsections.
std::span<const Section> scenario_sections();

/// The sections inside `path` ("transport" → "dcqcn", "pfc", "ecn").
std::vector<std::string> subsections_of(std::string_view path);

}  // namespace railyard
